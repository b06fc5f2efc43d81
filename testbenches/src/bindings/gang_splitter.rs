//! `gang_splitter`: a few program counters shared among eight warps, and warps that wake in groups.

use lanewise_sim::units::gang_splitter::{GangSplitter, In, Out};
use lanewise_sim::units::Io;

use crate::contract::Binding;
use crate::stimulus::{Gen, Source};

/// The block and how to try it.
pub fn binding() -> Binding<In<32>, Out<32>> {
    excepted(Binding::of::<GangSplitter<32>>("gang_splitter", stimulus))
}

/// The variant that is proved.
pub fn narrow() -> Binding<In<3>, Out<3>> {
    excepted(Binding::of::<GangSplitter<3>>("gang_splitter__pc_3", stimulus))
}

fn excepted<I: Io, O: Io>(binding: Binding<I, O>) -> Binding<I, O> {
    let reason = "groups come in the order of their lowest slice, so that group n has none below n";
    binding.except("group_mask", 8..9, reason).except("group_mask", 16..18, reason).except(
        "group_mask",
        24..27,
        reason,
    )
}

fn stimulus<const PC: usize>() -> Source<In<PC>> {
    Box::new(|g| In {
        member: g.mask(8) as u8,
        pc: few(g, PC),
        memory: g.once_in(2),
        ready: (g.bits(8) & g.bits(8)) as u8,
        woken: g.mask(8) as u8,
        cfg_memory_split: g.bits(2) as u8,
    })
}

/// Numbers of which many are equal: uniform ones never are.
pub(super) fn few<const N: usize>(g: &mut Gen, width: usize) -> [u32; N] {
    let choices: Vec<u32> = (0..1 + g.below(5)).map(|_| g.number(width) as u32).collect();
    std::array::from_fn(|_| g.pick(&choices))
}
