//! Exchange between the lanes of a warp: shuffles and votes.

use super::regs::Lanes;
use crate::ptx::ir::{PredSource, Reg, ShflMode, VoteMode};

/// `d = a` of another lane; `p` says whether that lane was in range.
///
/// As in the ISA: the low five bits of c bound the lane, bits 8 to 12 cut the warp into segments. A lane out
/// of range reads itself. Reading an inactive lane is undefined in the ISA; here it gives the stale value.
pub(super) fn shfl(l: &mut Lanes, mode: ShflMode, d: Reg, p: Option<Reg>, [a, b, c]: [Reg; 3]) {
    let values = *l.row::<u32>(a);
    let mut out = [0; 32];
    let mut valid = 0u32;
    for lane in 0..32u32 {
        let b = l.get::<u32>(b, lane as usize) & 0x1f;
        let c = l.get::<u32>(c, lane as usize);
        let (clamp, segment) = (c & 0x1f, c >> 8 & 0x1f);
        let highest = lane & segment | clamp & !segment;
        let lowest = lane & segment;
        let (from, in_range) = match mode {
            ShflMode::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= highest as i32),
            ShflMode::Down => (lane + b, lane + b <= highest),
            ShflMode::Bfly => (lane ^ b, lane ^ b <= highest),
            ShflMode::Idx => {
                let from = lowest | b & !segment;
                (from, from <= highest)
            }
        };
        let from = if in_range { from } else { lane };
        out[lane as usize] = values[from as usize & 31];
        valid |= u32::from(in_range) << lane;
    }
    l.write(d, &out);
    if let Some(p) = p {
        l.write_pred(p, valid);
    }
}

/// What the active lanes agree on.
pub(super) fn vote(l: &mut Lanes, mode: VoteMode, d: Reg, p: PredSource) {
    let active = l.mask.0;
    let yes = l.pred(p) & active;
    let everywhere = |holds: bool| if holds { u32::MAX } else { 0 };
    match mode {
        VoteMode::All => l.write_pred(d, everywhere(yes == active)),
        VoteMode::Any => l.write_pred(d, everywhere(yes != 0)),
        VoteMode::Uni => l.write_pred(d, everywhere(yes == active || yes == 0)),
        VoteMode::Ballot => l.write(d, &[yes; 32]),
    }
}
