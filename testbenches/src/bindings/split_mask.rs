//! `split_mask`: corner masks under every elision.

use lanewise_sim::units::split_mask::{In, Out, SplitMask};

use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<SplitMask>("split_mask", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| In {
        active_mask: g.mask32(),
        split: !g.once_in(4),
        sub_warp: g.once_in(2),
        cfg_elision: g.bits(2) as u8,
    })
}
