//! `warp_profiler`: whole intervals under loads of every kind, some cut short.

use lanewise_sim::units::warp_profiler::{In, Out, WarpProfiler};

use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::{Gen, Source};

/// A thread block of 16 warps.
pub fn warps_16() -> Binding<In<16, 10, 8>, Out<16, 10>> {
    Binding::of::<WarpProfiler<16, 10, 8>>("warp_profiler", stimulus).machine(machine())
}

/// An SM of 48 warps.
pub fn warps_48() -> Binding<In<48, 10, 10>, Out<48, 10>> {
    Binding::of::<WarpProfiler<48, 10, 10>>("warp_profiler__warps_48", stimulus).machine(machine())
}

/// Four warps with 3-bit counts, small enough to be proved.
pub fn warps_4() -> Binding<In<4, 3, 6>, Out<4, 3>> {
    const UNUSED: &str = "four warps with 3-bit counts need fewer bits than one product has";
    Binding::of::<WarpProfiler<4, 3, 6>>("warp_profiler__warps_4__count_3", stimulus)
        .machine(machine())
        .except("right", 10..16, UNUSED)
        .except("limit", 14..32, UNUSED)
}

fn machine<const WARPS: usize, const COUNT_BITS: usize>() -> Machine<Out<WARPS, COUNT_BITS>> {
    Machine {
        states: &[
            "Idle",
            "Open",
            "Add",
            "MembersLow",
            "MembersHigh",
            "Square",
            "Settle",
            "RatioLow",
            "RatioHigh",
            "Test",
            "Report",
        ],
        of: StateOf::Registers(|registers| vec![registers.get("state") as usize]),
        // On to the next state, to a new interval, or to its end.
        transitions: (0..10)
            .map(|state| (state, state + 1))
            .chain((2..11).map(|state| (state, 1)))
            .chain((1..11).map(|state| (state, 0)))
            .collect(),
    }
}

/// How the warps of one interval get on.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// Cycles to the next event: the start, or a cut.
    until_start: usize,
    /// Warps that complete loads at all.
    loading: u64,
    /// Of eight cycles, those in which a loading warp completes one.
    eighths: usize,
    exits: bool,
}

/// Intervals whose windows are mostly short, so that there are many, and now and then as long as can be
/// with every load of half the warps or all of them, so that sums reach their bounds.
fn stimulus<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize>(
) -> Source<In<WARPS, COUNT_BITS, RATIO_BITS>> {
    let mut plan = Plan::default();
    Box::new(move |g| {
        let start = plan.until_start == 0;
        let longest = (1usize << COUNT_BITS) - 1;
        let extreme = g.once_in(3);
        let window = if extreme { longest } else { g.below(longest / 16 + 4) };
        if start {
            let decision = 2 * WARPS + 8;
            let cut = g.once_in(3);
            plan = Plan {
                // Cut in the decision, mostly: the window is one state, the decision nine.
                until_start: window
                    + if cut { g.below(decision + 2) } else { decision + g.below(20) },
                loading: if extreme {
                    g.pick(&[u64::MAX, 0x5555_5555_5555_5555])
                } else {
                    g.mask(WARPS)
                },
                eighths: if extreme { 8 } else { g.below(9) },
                exits: !extreme && g.once_in(2),
            };
        } else {
            plan.until_start -= 1;
        }
        let mask = |mask: u64| std::array::from_fn(|i| mask >> i & 1 != 0);
        let loads = if g.below(8) < plan.eighths { plan.loading } else { 0 };
        // Warps differ a little.
        let noise = if plan.eighths < 8 { g.bits(WARPS) | g.bits(WARPS) } else { u64::MAX };
        In {
            start: start || g.once_in(800),
            member: mask(if extreme { u64::MAX } else { g.mask(WARPS) }),
            window: window as u16,
            finish: g.once_in(if plan.until_start < 12 { 12 } else { 400 }),
            issued: mask(sparse(g, WARPS)),
            load_done: mask(loads & noise),
            exited: mask(if plan.exits && g.once_in(10) { sparse(g, WARPS) } else { 0 }),
            cfg_r_squared: if extreme {
                (1 << RATIO_BITS) - 1
            } else {
                let any = g.bits(RATIO_BITS) as u16;
                g.pick(&[1, 4, 9, 16, 25, 36, 49, any])
            },
        }
    })
}

/// Few bits of `width`, mostly.
fn sparse(g: &mut Gen, width: usize) -> u64 {
    g.bits(width) & g.bits(width) & g.bits(width)
}
