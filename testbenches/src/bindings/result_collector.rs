//! `result_collector`: halves of many operations in flight, with some that cannot be right.

use lanewise_sim::units::result_collector::{In, Out, ResultCollector};

use crate::contract::Binding;
use crate::stimulus::{Burst, Gen, Source, Sticky};

/// Four entries.
pub fn entries_4() -> Binding<In, Out<4>> {
    Binding::of::<ResultCollector<4>>("result_collector", stimulus::<4>)
}

/// Eight entries.
pub fn entries_8() -> Binding<In, Out<8>> {
    Binding::of::<ResultCollector<8>>("result_collector__entries_8", stimulus::<8>)
}

/// Tags come from a set a little larger than the buffer, so that second halves meet their first, tags
/// are held twice and the buffer fills; the set moves, so that every bit of a tag is seen.
fn stimulus<const ENTRIES: usize>() -> Source<In> {
    let mut valid = Burst::new(20, 3);
    let mut base = Sticky::new(100);
    // Runs of first halves fill the buffer, runs of second halves empty it.
    let mut last = Burst::new(ENTRIES, ENTRIES);
    Box::new(move |g| {
        let tag = base.next(g, |g: &mut Gen| g.bits(8)) as u8;
        let sub_warp = last.next(g) != g.once_in(5);
        let lanes = if sub_warp { 0xcccc_cccc } else { 0x3333_3333 };
        In {
            half_valid: valid.next(g),
            half_tag: tag.wrapping_add(g.below(ENTRIES + 2) as u8),
            half_folded: !g.once_in(4),
            half_last: sub_warp,
            // Now and then any lanes at all, also such that both halves claim.
            half_mask: g.mask32() & if g.once_in(4) { u32::MAX } else { lanes },
            half_result: std::array::from_fn(|_| g.bits(32) as u32),
            half_flag: g.bits(32) as u32,
        }
    })
}
