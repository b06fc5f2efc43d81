//! `gang_issue`: tables that change slowly, with many or few gangs ready, in every order.

use lanewise_sim::units::gang_issue::{GangIssue, In, Out};

use super::gang_operation::part;
use crate::contract::Binding;
use crate::stimulus::{Gen, Source, Sticky};

/// The default: two gangs a cycle.
pub fn binding() -> Binding<In<32, 5>, Out<32, 5, 2>> {
    Binding::of::<GangIssue<32, 5, 2>>("gang_issue", stimulus::<32, 5>)
}

/// One gang a cycle.
pub fn one_pick() -> Binding<In<32, 5>, Out<32, 5, 1>> {
    Binding::of::<GangIssue<32, 5, 1>>("gang_issue__picks_1", stimulus::<32, 5>)
}

/// As many gangs a cycle as fit.
pub fn four_picks() -> Binding<In<32, 5>, Out<32, 5, 4>> {
    Binding::of::<GangIssue<32, 5, 4>>("gang_issue__picks_4", stimulus::<32, 5>)
}

/// The variant that is proved.
pub fn two_sets() -> Binding<In<2, 1>, Out<2, 1, 2>> {
    let reason = "of two sets one is at most one launch older than the other";
    Binding::of::<GangIssue<2, 1, 2>>("gang_issue__sets_2", stimulus::<2, 1>)
        .except("age[1]", 0..2, reason)
        .except("age[2]", 0..2, reason)
        .except("age[3]", 0..2, reason)
        .except("age[4]", 0..2, reason)
}

/// GangMasks and program counters, by columns.
type Table = ([u32; 32], [u32; 128]);

fn table(g: &mut Gen, sets: usize) -> Table {
    let (mut masks, mut pcs) = ([0; 32], [0; 128]);
    for set in 0..sets {
        let warps = g.mask(8) as u8;
        let (mut gangs, _) = part(g, warps);
        gangs.rotate_right(g.below(4));
        for (w, mask) in gangs.into_iter().enumerate() {
            let pc = g.number(32);
            (0..8).for_each(|s| masks[8 * w + s] |= u32::from(mask >> s & 1) << set);
            (0..32).for_each(|k| pcs[4 * k + w] |= ((pc >> k & 1) as u32) << set);
        }
    }
    (masks, pcs)
}

fn stimulus<const SETS: usize, const SET: usize>() -> Source<In<SETS, SET>> {
    let mut gangs = Sticky::new(8);
    let mut order = Sticky::new(30);
    let mut alike = Sticky::new(20);
    Box::new(move |g| {
        let (gang_mask, gang_pc) = gangs.next(g, |g| table(g, SETS));
        let sparse = g.once_in(2);
        let alike = alike.next(g, |g| g.once_in(4));
        In {
            launch_valid: g.once_in(4),
            launch_set: g.below(SETS) as u8,
            issuable: std::array::from_fn(|_| match sparse {
                true => (g.bits(32) & g.bits(32) & g.bits(32)) as u32,
                false => g.mask(32) as u32,
            }),
            gang_mask,
            // Equal program counters leave the choice to age.
            gang_pc: if alike { [0; 128] } else { gang_pc },
            cfg_order: order.next(g, |g| g.bits(3) as u8),
        }
    })
}
