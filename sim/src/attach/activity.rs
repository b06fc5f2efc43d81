//! What an SM issued: instruction mix, active threads, and bubbles of its pipelines.

use crate::machine::sm::decode::{SpPipe, Unit};
use crate::machine::sm::hooks::Issue;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// A bubble shorter than this is too short to gate.
pub const SHORT_BUBBLE: u64 = 10;

/// Counts of one SM, or of several added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// Warp instructions for INT, FP, SFU and LD/ST.
    pub issued: [u64; 4],
    /// Of all of these, those with 1 to 15, 16 to 31 and 32 active threads.
    pub threads: [u64; 3],
    /// Cycles of INT and FP pipelines in bubbles shorter than [`SHORT_BUBBLE`].
    pub short_bubbles: [u64; 2],
}

impl AddAssign for Activity {
    fn add_assign(&mut self, other: Activity) {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.issued, &other.issued);
        add(&mut self.threads, &other.threads);
        add(&mut self.short_bubbles, &other.short_bubbles);
    }
}

/// Counts while an SM runs.
#[derive(Clone, Debug)]
pub struct ActivityMeter {
    /// What was counted.
    pub activity: Activity,
    /// When INT and FP of each SP could have taken another instruction.
    free: Vec<[u64; 2]>,
}

impl ActivityMeter {
    /// A meter for so many SPs.
    pub fn new(sps: usize) -> Self {
        ActivityMeter { activity: Activity::default(), free: vec![[0; 2]; sps] }
    }

    /// An instruction issued.
    pub fn issued(&mut self, issue: &Issue) {
        let activity = &mut self.activity;
        let kind = match issue.candidate.unit {
            Unit::Sp(SpPipe::Int) => 0,
            Unit::Sp(SpPipe::Fp) => 1,
            Unit::Sfu => 2,
            Unit::Ldst => 3,
        };
        activity.issued[kind] += 1;
        activity.threads[issue.candidate.active.count() as usize / 16] += 1;
        if let Unit::Sp(pipe) = issue.candidate.unit {
            let free = &mut self.free[issue.candidate.sp][pipe as usize];
            let bubble = issue.start.saturating_sub(*free);
            if bubble < SHORT_BUBBLE {
                activity.short_bubbles[pipe as usize] += bubble;
            }
            *free = issue.start + issue.occupies;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::LaneMask;
    use crate::machine::sm::hooks::Candidate;

    #[test]
    fn bubbles_are_what_lies_between_two_instructions_of_a_pipeline() {
        let mut meter = ActivityMeter::new(2);
        let mut issue = |unit, sp, start, active: u32| {
            let active = LaneMask(active);
            let candidate = Candidate { warp: 0, pc: 0, unit, sp, active };
            let executed = active;
            let end = start + 4;
            meter.issued(&Issue {
                candidate,
                line: 1,
                executed,
                cycle: 0,
                start,
                end,
                occupies: 2,
            });
        };
        let (int, fp) = (Unit::Sp(SpPipe::Int), Unit::Sp(SpPipe::Fp));
        issue(int, 0, 100, !0);
        issue(int, 0, 102, 1);
        issue(fp, 0, 103, 0xffff);
        // Nine cycles are a short bubble, ten are not, and another SP is another pipeline.
        issue(int, 0, 113, 0x7fff);
        issue(int, 0, 125, !0);
        issue(int, 1, 126, !0);
        issue(fp, 0, 106, !0);
        issue(Unit::Sfu, 0, 106, !0);
        let activity = meter.activity;
        assert_eq!(activity.short_bubbles, [9, 1]);
        assert_eq!(activity.issued, [5, 2, 1, 0]);
        assert_eq!(activity.threads, [2, 1, 5]);
    }
}
