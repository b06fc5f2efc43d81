//! `boost_controller`: profiles that stand for an interval, with stalls, barriers and withdrawals.

use lanewise_sim::units::boost_controller::{BoostController, In, Out};

use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::{Source, Sticky};

/// Cycles from one fresh start to the next: a reset seldom cuts the longest wait.
const CASE: usize = 20_000;

const LONG_COUNT: &str = "some hundred switches lie between two resets";
const FEW_PICKS: &str = "half of the warps are picked at most, and the last pick is not counted";

/// A thread block of 16 warps.
pub fn warps_16() -> Binding<In<16, 10, 10>, Out<16, 32>> {
    Binding::of::<BoostController<16, 10, 10, 32>>("boost_controller", stimulus)
        .machine(machine())
        .case_cycles(CASE)
        .except("switches", 10..32, LONG_COUNT)
        .except("switched", 10..32, LONG_COUNT)
        .except("picked", 4..5, FEW_PICKS)
}

/// An SM of 48 warps.
pub fn warps_48() -> Binding<In<48, 10, 10>, Out<48, 32>> {
    Binding::of::<BoostController<48, 10, 10, 32>>("boost_controller__warps_48", stimulus)
        .machine(machine())
        .case_cycles(CASE)
        .except("switches", 9..32, LONG_COUNT)
        .except("switched", 9..32, LONG_COUNT)
        .except("picked", 5..6, FEW_PICKS)
}

/// Four warps, small enough to be proved.
pub fn warps_4() -> Binding<In<4, 3, 3>, Out<4, 8>> {
    Binding::of::<BoostController<4, 3, 3, 8>>("boost_controller__warps_4__count_3", stimulus)
        .machine(machine())
        .except("picked", 2..3, FEW_PICKS)
}

fn machine<const WARPS: usize, const SWITCH_BITS: usize>() -> Machine<Out<WARPS, SWITCH_BITS>> {
    Machine {
        states: &["Idle", "Rank", "Boost", "Spent"],
        of: StateOf::Registers(|registers| vec![registers.get("state") as usize]),
        transitions: vec![(0, 1), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 3), (3, 0)],
    }
}

/// A profile stands for about one full ranking; now and then it stands so long, with all warps stalled,
/// that the timers run to their end. Counts are close together, so that there are ties, and seldom
/// change under way, which they should not.
fn stimulus<const WARPS: usize, const COUNT_BITS: usize, const TIME_BITS: usize>(
) -> Source<In<WARPS, COUNT_BITS, TIME_BITS>> {
    let ranking = (WARPS + 1) * WARPS / 2;
    let longest = (1usize << TIME_BITS) - 1;
    let mut left = 0;
    let mut stalled = false;
    let mut critical = 0;
    let mut count = [0; WARPS];
    let mut limit = Sticky::new(ranking);
    let mut busy = Sticky::new(20);
    Box::new(move |g| {
        let fresh = left == 0;
        if fresh {
            stalled = g.once_in(6);
            left = 5 + if stalled { ranking + longest } else { g.below(ranking * 3 / 2) };
            critical = if stalled { u64::MAX } else { g.mask(WARPS) };
            let (base, spread) = (g.bits(COUNT_BITS) as u16, g.pick(&[0, 1, 3, u16::MAX]));
            let most = (1 << COUNT_BITS) - 1;
            count = std::array::from_fn(|_| (base ^ (g.bits(16) as u16 & spread)) & most);
        }
        left -= 1;
        if g.once_in(4 * ranking) {
            count[g.below(WARPS)] = g.bits(COUNT_BITS) as u16;
        }
        let busy = busy.next(g, |g| if g.once_in(3) { g.mask(WARPS) } else { 0 });
        let limit = limit.next(g, |g| g.number(TIME_BITS)) as u16;
        let mask = |mask: u64| std::array::from_fn(|i| mask >> i & 1 != 0);
        In {
            // Now and then it is withdrawn under way, which it should not be either.
            profile_valid: !fresh
                && (left > 2 || g.once_in(2))
                && (stalled || !g.once_in(6 * WARPS)),
            critical: mask(critical),
            count,
            finish: left < 6 && g.once_in(3) || !stalled && g.once_in(4 * ranking),
            progress: mask(if stalled { 0 } else { busy & (g.bits(WARPS) | g.bits(WARPS)) }),
            cfg_time_limit: if stalled { longest as u16 } else { limit },
        }
    })
}
