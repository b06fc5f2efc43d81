//! `dwl_gate`: one row after the other, none, and now and then two, under every kind of enable.

use lanewise_sim::units::dwl_gate::{DwlGate, In, Out};

use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it, for one of the catalogue's shapes.
pub fn binding<const ROWS: usize, const SEGMENTS: usize>(
    entry: &'static str,
) -> Binding<In<ROWS, SEGMENTS>, Out<ROWS, SEGMENTS>> {
    Binding::of::<DwlGate<ROWS, SEGMENTS>>(entry, stimulus)
}

fn stimulus<const ROWS: usize, const SEGMENTS: usize>() -> Source<In<ROWS, SEGMENTS>> {
    Box::new(|g| {
        let mut row_select = [false; ROWS];
        // A decoder never selects two; the gate treats rows alike if one does.
        for _ in 0..g.pick(&[0, 1, 1, 1, 1, 1, 2]) {
            row_select[g.below(ROWS)] = true;
        }
        In {
            row_select,
            lane_mask: g.mask32(),
            word_mask: g.mask(SEGMENTS) as u32,
            full_enable: g.once_in(6),
            cfg_lane_enable: g.once_in(2),
        }
    })
}
