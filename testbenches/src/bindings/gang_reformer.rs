//! `gang_reformer`: parted gangs at a few program counters, and warps that wait for company.

use lanewise_sim::units::gang_reformer::{GangReformer, In, Out};

use super::{gang_operation::part, gang_splitter::few};
use crate::contract::Binding;
use crate::stimulus::{Source, Sticky};

/// The block and how to try it.
pub fn binding() -> Binding<In<32, 5, 32>, Out<32, 5, 32>> {
    Binding::of::<GangReformer<32, 5, 32>>("gang_reformer", stimulus)
}

/// The variant that is proved.
pub fn two_sets() -> Binding<In<2, 1, 3>, Out<2, 1, 3>> {
    Binding::of::<GangReformer<2, 1, 3>>("gang_reformer__sets_2__pc_3", stimulus)
}

fn stimulus<const SETS: usize, const SET: usize, const PC: usize>() -> Source<In<SETS, SET, PC>> {
    let mut wait = Sticky::new(300);
    let mut reform = Sticky::new(100);
    let mut set = Sticky::new(4);
    Box::new(move |g| {
        let live = g.mask(8) as u8;
        let (gang_mask, single_mask) = part(g, live);
        let pcs: [u32; 12] = few(g, PC);
        In {
            gang_mask,
            gang_pc: std::array::from_fn(|w| pcs[w]),
            gang_open: g.mask(4) as u8,
            single_mask,
            single_pc: std::array::from_fn(|s| pcs[4 + s]),
            single_open: g.mask(8) as u8,
            merge_taken: !g.once_in(3),
            sync_valid: g.once_in(2),
            sync_set: set.next(g, |g| g.bits(SET) as u8),
            sync_mask: g.mask(8) as u8,
            cfg_reform: reform.next(g, |g| !g.once_in(4)),
            cfg_merge_all: g.once_in(2),
            cfg_sync_wait: wait.next(g, |g| g.number(8) as u8),
        }
    })
}
