//! `gang_operation`: sets in any state that a table can reach, and operations that mostly make sense.

use lanewise_sim::units::gang_operation::{GangOperation, In, Out};

use crate::contract::Binding;
use crate::stimulus::{Gen, Source};

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<GangOperation>("gang_operation", stimulus)
        .except("new_group", 0..2, "way 0 is the first vacant way or none")
        .except("new_group", 3..4, "way 1 is the first or the second vacant way")
}

/// Parts some warps into gangs of two or more and single warps, the gangs in the first places. Chance
/// alone would hardly ever fill all four places, so that every other parting is into pairs.
pub(super) fn part(g: &mut Gen, warps: u8) -> ([u8; 4], u8) {
    let (kinds, pairs) = (1 + g.below(5), g.once_in(2));
    let mut slices: Vec<usize> = (0..8).filter(|s| warps >> s & 1 != 0).collect();
    let mut masks = [0u8; 8];
    for at in 0..slices.len() {
        let s = slices.swap_remove(g.below(slices.len()));
        masks[if pairs { at / 2 } else { g.below(kinds) }] |= 1 << s;
    }
    let mut groups = [0; 4];
    let gangs = masks.iter().filter(|mask| mask.count_ones() > 1);
    groups.iter_mut().zip(gangs).for_each(|(group, mask)| *group = *mask);
    let ganged = groups.iter().fold(0, |all, mask| all | mask);
    (groups, warps & !ganged)
}

fn stimulus() -> Source<In> {
    Box::new(|g| {
        let live = if g.once_in(6) { 0 } else { g.mask(8) as u8 };
        let (mut set_mask, set_independent) = part(g, live);
        set_mask.rotate_right(g.below(4));
        let live_ways: Vec<usize> = (0..4).filter(|&w| set_mask[w] != 0).collect();
        let op_code = if g.once_in(30) { g.bits(3) } else { g.below(5) as u64 } as u8;
        let mut inputs = In {
            op_valid: !g.once_in(8),
            op_code,
            set_mask,
            set_ready: set_mask.map(|mask| mask & g.bits(8) as u8),
            set_valid: g.bits(4) as u8,
            set_control: g.bits(4) as u8,
            set_pending: if g.once_in(4) { g.bits(4) as u8 } else { g.pick(&[0, 0, 0xf]) },
            set_independent,
            busy_ways: (g.bits(4) & g.bits(4) & g.bits(4)) as u8,
            leaving: (g.bits(8) & g.bits(8) & g.bits(8) & g.bits(8)) as u8,
            ..In::default()
        };
        let mut parent = g.mask(8) as u8;
        match (op_code, live_ways.is_empty()) {
            (1 | 2 | 4, false) => {
                let way = g.pick(&live_ways);
                inputs.op_ways = 1 << way;
                parent = set_mask[way];
            }
            (3, _) => {
                inputs.op_ways = live_ways.iter().fold(0, |m, w| m | 1 << w) & g.bits(4) as u8
            }
            _ => inputs.op_ways = g.bits(4) as u8,
        }
        (inputs.op_group_mask, inputs.op_single_mask) = part(g, parent);
        if op_code == 3 {
            inputs.op_single_mask = set_independent & g.mask(8) as u8;
        }
        // One bit in the wrong place now and then.
        match g.below(24) {
            0 => inputs.op_group_mask[g.below(4)] ^= 1 << g.below(8),
            1 => inputs.op_single_mask ^= 1 << g.below(8),
            2 => inputs.op_ways ^= 1 << g.below(4),
            3 => inputs.op_group_mask.rotate_right(1),
            _ => {}
        }
        inputs
    })
}
