//! `warp_profiler`: whole intervals under loads of every kind, some cut short.

use lanewise_sim::units::warp_profiler::{In, Out, WarpProfiler};

use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::{Gen, Source};

/// Cycles from one fresh start to the next: a reset seldom cuts the longest window.
const CASE: usize = 20_000;

const VARIANCE: &str = "n Q only passes through `limit`; a variance is at most a quarter of it";

/// A thread block of 16 warps.
pub fn warps_16() -> Binding<In<16, 10, 8>, Out<16, 10>> {
    Binding::of::<WarpProfiler<16, 10, 8>>("warp_profiler", stimulus)
        .machine(machine())
        .case_cycles(CASE)
        .except("squares", 26..28, VARIANCE)
}

/// An SM of 48 warps.
pub fn warps_48() -> Binding<In<48, 10, 10>, Out<48, 10>> {
    Binding::of::<WarpProfiler<48, 10, 10>>("warp_profiler__warps_48", stimulus)
        .machine(machine())
        .case_cycles(CASE)
        .except("squares", 30..32, VARIANCE)
}

/// Four warps with 3-bit counts, small enough to be proved.
pub fn warps_4() -> Binding<In<4, 3, 6>, Out<4, 3>> {
    const UNUSED: &str = "four warps with 3-bit counts need fewer bits than the operands have";
    Binding::of::<WarpProfiler<4, 3, 6>>("warp_profiler__warps_4__count_3", stimulus)
        .machine(machine())
        .except("squares", 8..10, VARIANCE)
        .except("sum", 5..6, UNUSED)
        .except("right", 8..16, UNUSED)
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

/// One interval: how its warps get on, and when it ends.
#[derive(Clone, Debug, Default)]
struct Plan {
    cycles_left: usize,
    /// The barrier comes before the next interval, this many cycles.
    pause: Option<usize>,
    /// Warps that complete loads at all.
    loading: u64,
    /// Of eight cycles, those in which a loading warp completes one.
    eighths: usize,
    exits: bool,
}

/// Intervals whose windows are mostly short, so that there are many, and now and then as long as can be
/// with every load of half the warps or all of them, so that sums reach their bounds. Many are cut
/// short, most of these in the few cycles between the passes.
fn stimulus<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize>(
) -> Source<In<WARPS, COUNT_BITS, RATIO_BITS>> {
    const EVERY_OTHER: u64 = 0x5555_5555_5555_5555;
    let mut plan = Plan::default();
    Box::new(move |g| {
        let start = plan.cycles_left == 0;
        let longest = (1usize << COUNT_BITS) - 1;
        let extreme = g.once_in(5);
        let shorter = g.below(longest / 2);
        let window = match extreme {
            true => longest - g.pick(&[0, 0, shorter]),
            false => g.below((longest / 16 + 8).min(longest + 1)),
        };
        if start {
            let whole = window.max(1) + 2 * WARPS + 9;
            let length = match g.below(5) {
                _ if extreme => whole,
                0 => 1 + g.below(whole),
                1 | 2 => window.max(1) + WARPS + 1 + g.below(7),
                _ => whole + g.below(9),
            };
            let pause = g.once_in(2).then(|| 1 + g.below(4));
            // Often a single warp lags.
            let any = if g.once_in(3) { !(1 << g.below(WARPS)) } else { g.mask(WARPS) };
            plan = Plan {
                cycles_left: length + pause.unwrap_or(0),
                pause,
                loading: if extreme { g.pick(&[u64::MAX, EVERY_OTHER, any, any]) } else { any },
                eighths: if extreme { 8 } else { g.below(9) },
                exits: !extreme && g.once_in(2),
            };
        } else {
            plan.cycles_left -= 1;
        }
        let mask = |mask: u64| std::array::from_fn(|i| mask >> i & 1 != 0);
        let loads = if g.below(8) < plan.eighths { plan.loading } else { 0 };
        // Warps differ a little.
        let noise = if plan.eighths < 8 { g.bits(WARPS) | g.bits(WARPS) } else { u64::MAX };
        let any_ratio = g.bits(RATIO_BITS) as u16;
        In {
            // Without a member the start in between is an error.
            start: start || g.once_in(20) && plan.cycles_left > 1,
            member: mask(match (start, extreme) {
                (true, true) => u64::MAX,
                (true, false) => g.mask(WARPS),
                (false, _) => 0,
            }),
            window: window as u16,
            finish: Some(plan.cycles_left) == plan.pause,
            issued: mask(sparse(g, WARPS)),
            load_done: mask(loads & noise),
            exited: mask(if plan.exits && g.once_in(10) { sparse(g, WARPS) } else { 0 }),
            cfg_r_squared: match extreme {
                true => g.pick(&[(1 << RATIO_BITS) - 1, any_ratio]),
                false => g.pick(&[1, 4, 9, 16, 25, 36, 49, any_ratio, any_ratio, any_ratio]),
            },
        }
    })
}

/// Few bits of `width`, mostly.
fn sparse(g: &mut Gen, width: usize) -> u64 {
    g.bits(width) & g.bits(width) & g.bits(width)
}
