//! `boost_controller`: profiles that stand for an interval, with stalls, barriers and withdrawals.

use lanewise_sim::units::boost_controller::{BoostController, In, Out};

use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::{Source, Sticky};

const LONG_COUNT: &str = "a run makes some thousand switches";
const FEW_PICKS: &str = "half of the warps are picked at most, and the last pick is not counted";

/// A thread block of 16 warps.
pub fn warps_16() -> Binding<In<16, 10, 10>, Out<16, 32>> {
    Binding::of::<BoostController<16, 10, 10, 32>>("boost_controller", stimulus)
        .machine(machine())
        .except("switches", 10..32, LONG_COUNT)
        .except("switched", 10..32, LONG_COUNT)
        .except("picked", 4..5, FEW_PICKS)
}

/// An SM of 48 warps.
pub fn warps_48() -> Binding<In<48, 10, 10>, Out<48, 32>> {
    Binding::of::<BoostController<48, 10, 10, 32>>("boost_controller__warps_48", stimulus)
        .machine(machine())
        .except("switches", 10..32, LONG_COUNT)
        .except("switched", 10..32, LONG_COUNT)
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

/// A profile stands for about one full ranking. Counts are close together, so that there are ties, and
/// seldom change under way, which they should not.
fn stimulus<const WARPS: usize, const COUNT_BITS: usize, const TIME_BITS: usize>(
) -> Source<In<WARPS, COUNT_BITS, TIME_BITS>> {
    let ranking = (WARPS + 1) * WARPS / 2;
    let mut left = 0;
    let mut critical = 0;
    let mut count = [0; WARPS];
    let mut limit = Sticky::new(ranking);
    let mut busy = Sticky::new(20);
    Box::new(move |g| {
        let fresh = left == 0;
        if fresh {
            left = ranking / 4 + g.below(ranking * 2);
            critical = g.mask(WARPS);
            let (base, spread) = (g.bits(COUNT_BITS) as u16, g.pick(&[0, 1, 3, u16::MAX]));
            let most = (1 << COUNT_BITS) - 1;
            count = std::array::from_fn(|_| (base ^ (g.bits(16) as u16 & spread)) & most);
        }
        left -= 1;
        if g.once_in(4 * ranking) {
            count[g.below(WARPS)] = g.bits(COUNT_BITS) as u16;
        }
        // Stalls come in stretches: every bit of the timers must be reached.
        let busy = busy.next(g, |g| if g.once_in(3) { g.mask(WARPS) } else { 0 });
        let mask = |mask: u64| std::array::from_fn(|i| mask >> i & 1 != 0);
        In {
            profile_valid: !fresh && (left > 2 || g.once_in(2)),
            critical: mask(critical),
            count,
            finish: left < 6 && g.once_in(3) || g.once_in(4 * ranking),
            progress: mask(busy & (g.bits(WARPS) | g.bits(WARPS))),
            cfg_time_limit: limit.next(g, |g| g.number(TIME_BITS)) as u16,
        }
    })
}
