//! Ours: what was measured at a P-state counts for more than what was predicted of it.
//!
//! CRISP predicts well towards lower clocks and takes too much for fixed towards higher ones, so a controller
//! that only believes it goes down once too often and does not come back. This one predicts from an interval at
//! the fastest P-state, the anchor. Every P-state that it tries then corrects it: by what was measured there,
//! and by the same factor for the P-states around. The first interval of all, when caches are cold, decides
//! nothing. A phase ends when memory traffic an instruction changes, or after some time; then it takes a new
//! anchor. As long as anchors lead to the same P-state, every phase lasts twice as long as the last.

use super::{Goal, Interval, Policy};
use crate::crisp::prediction::Rescale;
use crate::dvfs::objective::Outlook;
use crate::dvfs::{Activity, PState};

/// Accesses to the L2 an instruction may change by this factor within a phase.
const LIKENESS: f64 = 1.5;
/// Intervals of the first phase, and of the longest.
const PHASES: [usize; 2] = [4, 64];

/// See the module's text.
#[derive(Default)]
pub struct Track {
    anchor: Option<Interval>,
    /// What a warp instruction took at P-states that were tried in this phase.
    tried: Vec<(PState, Outlook)>,
    /// Intervals of this phase, so far and at most.
    age: usize,
    phase: usize,
    /// What the last phase came to.
    settled: Option<PState>,
    /// Whether the first interval has passed.
    warm: bool,
}

impl Policy for Track {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let Interval { at, did, .. } = *interval;
        if did.warp_instructions == 0 {
            return at;
        }
        if !self.warm {
            self.warm = true;
            return goal.fastest();
        }
        let changed = self.anchor.is_some_and(|anchor| !alike(&anchor.did, &did));
        if changed || self.age >= self.phase {
            let same = !changed && self.settled == Some(at);
            let phase = if same { (2 * self.phase).min(PHASES[1]) } else { PHASES[0] };
            let settled = (!changed).then_some(at);
            *self = Track { warm: true, phase, settled, ..Track::default() };
        }
        self.age += 1;
        if at == goal.fastest() {
            self.anchor = Some(*interval);
        }
        let Some(anchor) = self.anchor else { return goal.fastest() };
        let measured = Outlook { energy: goal.power.energy(&did, at), time: did.seconds() };
        self.tried.retain(|(state, _)| *state != at);
        self.tried.push((at, for_one(&did, measured)));
        goal.best(|then| self.outlook(goal, &anchor, then))
    }
}

impl Track {
    /// What a warp instruction takes at a P-state: as measured, or else as predicted and corrected.
    fn outlook(&self, goal: &Goal, anchor: &Interval, then: PState) -> Outlook {
        if let Some((_, seen)) = self.tried.iter().find(|(state, _)| *state == then) {
            return *seen;
        }
        let predicted = |to: PState| {
            let change = Rescale { from_mhz: anchor.at.mhz, to_mhz: to.mhz };
            goal.predictor.stretch(&anchor.counted, change)
        };
        let seconds = anchor.did.seconds();
        let once = for_one(&anchor.did, Outlook { energy: 0.0, time: seconds }).time;
        // The nearest P-state that was tried knows best how wrong the prediction is.
        let nearest = self.tried.iter().min_by_key(|(state, _)| state.mhz.abs_diff(then.mhz));
        let wrong = nearest.map_or(1.0, |(state, seen)| seen.time / (once * predicted(*state)));
        let stretch = predicted(then) * wrong;
        let energy = goal.power.expected(&anchor.did, anchor.at, then, stretch, goal.config.energy);
        for_one(&anchor.did, Outlook { energy, time: seconds * stretch })
    }
}

/// A warp instruction's share.
fn for_one(did: &Activity, all: Outlook) -> Outlook {
    let work = did.warp_instructions as f64;
    Outlook { energy: all.energy / work, time: all.time / work }
}

/// Whether two intervals are of one phase.
fn alike(one: &Activity, other: &Activity) -> bool {
    // An access in two hundred instructions is nothing, however much more than less than that.
    let traffic = |did: &Activity| did.l2_accesses as f64 / did.warp_instructions as f64 + 0.005;
    let ratio = traffic(one) / traffic(other);
    (1.0 / LIKENESS..LIKENESS).contains(&ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crisp::Reading;
    use crate::dvfs::{objective, predictor, Power};
    use crate::machine::config::MachineConfig;

    fn goal() -> Goal {
        let config = MachineConfig::read("gtx480", &[]).expect("it is shipped");
        Goal {
            power: Power::new(&config.power, 15),
            config: config.dvfs,
            predictor: predictor::named("crisp").expect("it is known"),
            objective: objective::named("edp").expect("it is known"),
        }
    }

    /// Ten microseconds in which this many instructions were done, half of the path stalls.
    fn interval(at: PState, warp_instructions: u64, l2_accesses: u64) -> Interval {
        let cycles = u64::from(at.mhz) * 150;
        let counted =
            Reading { cycles, t_lcp: cycles, load_stalls: cycles / 2, ..Reading::default() };
        let did = Activity {
            time: 10_000_000_000,
            sm_cycles: cycles,
            warp_instructions,
            thread_instructions: 32 * warp_instructions,
            l2_accesses,
            ..Activity::default()
        };
        Interval { at, counted, did }
    }

    /// A tracker that has taken an anchor with half of the time in stalls, and where it goes.
    fn anchored(goal: &Goal) -> (Track, PState) {
        let mut track = Track::default();
        let first = interval(goal.fastest(), 50_000, 5_000);
        assert_eq!(track.next(goal, &first), goal.fastest(), "cold caches decide nothing");
        let slower = track.next(goal, &first);
        assert!(slower.mhz < 700, "half of the time is stalls, so CRISP goes down");
        (track, slower)
    }

    #[test]
    fn a_prediction_that_fails_is_taken_back() {
        let goal = goal();
        let (mut track, slower) = anchored(&goal);
        // Nothing was hidden: the work is done more slowly by the ratio of the clocks.
        let less = 50_000 * u64::from(slower.mhz) / 700;
        let again = track.next(&goal, &interval(slower, less, less / 10));
        assert!(again.mhz > slower.mhz, "{} after {}", again.mhz, slower.mhz);
    }

    #[test]
    fn another_phase_takes_a_new_anchor() {
        let goal = goal();
        let (mut track, slower) = anchored(&goal);
        assert_eq!(track.next(&goal, &interval(slower, 50_000, 50_000)), goal.fastest());
    }

    #[test]
    fn phases_that_come_to_the_same_grow_longer() {
        let goal = goal();
        let (mut track, slower) = anchored(&goal);
        let mut lengths = vec![];
        for _ in 0..4 {
            let mut length = 1;
            while track.next(&goal, &interval(slower, 50_000, 5_000)) == slower {
                length += 1;
            }
            lengths.push(length);
            assert_eq!(track.next(&goal, &interval(goal.fastest(), 50_000, 5_000)), slower);
        }
        assert!(lengths.windows(2).skip(1).all(|pair| pair[1] > pair[0]), "{lengths:?}");
    }
}
