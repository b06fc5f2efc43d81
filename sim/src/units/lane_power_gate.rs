//! Cuts the supply of each idle lane and gives it back a wake-up delay after it is wanted.
//!
//! Origami, sections 2.2 and 3.3. Each lane is a small state machine, [`State`]. Reset state: every lane
//! On, as if it had just been active. A lane takes `cfg_break_even` and `cfg_wake_up` as they are when
//! it enters the state they time.

use super::Unit;

/// Lanes of an SP.
pub const LANES: usize = 32;

/// Lanes of a cluster; folding leaves the upper half of each unused.
pub const CLUSTER: usize = 4;

/// The largest count a 3-bit idle counter holds.
const IDLE_LIMIT: u8 = 7;

crate::io! {
    /// Inputs of [`LanePowerGate`].
    pub struct In {
        /// Bit i: an instruction is in the pipe of lane i. Ignored unless the lane is ready.
        busy: u32, 32;
        /// Bit i: lane i is wanted.
        request: u32, 32;
        /// Folding is on: the upper two lanes of a cluster gate at their first idle cycle.
        eager: bool, 1;
        /// Idle cycles to wait before gating.
        cfg_idle_detect: u8, 3;
        /// Cycles a lane stays Uncompensated; 0 acts as 1.
        cfg_break_even: u8, 5;
        /// Cycles a lane stays Waking; 0 skips the state.
        cfg_wake_up: u8, 4;
        /// A request does not end Uncompensated early.
        cfg_blackout: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`LanePowerGate`]: one bit a lane, exactly one of the four set for each.
    pub struct Out {
        /// The lane is On.
        ready: u32, 32;
        /// The lane is gated and the switching energy is not yet earned back.
        uncompensated: u32, 32;
        /// The lane is gated and saves energy.
        compensated: u32, 32;
        /// The supply is coming back.
        waking: u32, 32;
    }
}

/// What a lane's supply does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Powered; idle for so many cycles.
    On {
        /// Idle cycles so far.
        idle: u8,
    },
    /// Gated, not yet for the break-even time.
    Uncompensated {
        /// Cycles left in this state, the present one included.
        left: u8,
    },
    /// Gated for at least the break-even time.
    Compensated,
    /// Powering up.
    Waking {
        /// Cycles left in this state, the present one included.
        left: u8,
    },
}

impl Default for State {
    fn default() -> Self {
        State::On { idle: 0 }
    }
}

impl State {
    fn next(self, lane: usize, inputs: &In) -> State {
        let busy = inputs.busy >> lane & 1 != 0;
        let request = inputs.request >> lane & 1 != 0;
        let eager = inputs.eager && lane % CLUSTER >= CLUSTER / 2;
        let wake = match inputs.cfg_wake_up {
            0 => State::On { idle: 0 },
            left => State::Waking { left },
        };
        match self {
            State::On { .. } if busy || request => State::On { idle: 0 },
            State::On { idle } if eager || idle >= inputs.cfg_idle_detect => {
                State::Uncompensated { left: inputs.cfg_break_even.max(1) }
            }
            State::On { idle } => State::On { idle: (idle + 1).min(IDLE_LIMIT) },
            State::Uncompensated { left } if request && (left == 1 || !inputs.cfg_blackout) => wake,
            State::Uncompensated { left: 1 } => State::Compensated,
            State::Uncompensated { left } => State::Uncompensated { left: left - 1 },
            State::Compensated if request => wake,
            State::Compensated => State::Compensated,
            State::Waking { left: 1 } => State::On { idle: 0 },
            State::Waking { left } => State::Waking { left: left - 1 },
        }
    }
}

/// One power gate a lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LanePowerGate {
    lanes: [State; LANES],
    inputs: In,
}

impl LanePowerGate {
    /// The state of each lane.
    pub fn lanes(&self) -> &[State; LANES] {
        &self.lanes
    }
}

impl Unit for LanePowerGate {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        self.inputs = inputs.clone();
        let mut out = Out::default();
        for (lane, state) in self.lanes.iter().enumerate() {
            let mask = match state {
                State::On { .. } => &mut out.ready,
                State::Uncompensated { .. } => &mut out.uncompensated,
                State::Compensated => &mut out.compensated,
                State::Waking { .. } => &mut out.waking,
            };
            *mask |= 1 << lane;
        }
        out
    }

    fn tick(&mut self) {
        for lane in 0..LANES {
            self.lanes[lane] = self.lanes[lane].next(lane, &self.inputs);
        }
    }

    fn reset(&mut self) {
        self.lanes = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's numbers, with all lanes but lane 0 and lane 2 busy.
    fn two_lanes_idle() -> In {
        In { busy: !0b101, cfg_idle_detect: 5, cfg_break_even: 14, cfg_wake_up: 3, ..In::default() }
    }

    fn step(gate: &mut LanePowerGate, inputs: &In) -> Out {
        let out = gate.eval(inputs);
        gate.tick();
        out
    }

    /// Steps until lane 0 leaves the state that `mask` shows, and counts the cycles.
    fn stay(gate: &mut LanePowerGate, inputs: &In, mask: fn(&Out) -> u32) -> usize {
        let mut cycles = 0;
        while mask(&gate.eval(inputs)) & 1 != 0 {
            gate.tick();
            cycles += 1;
            assert!(cycles < 100, "it never leaves");
        }
        cycles
    }

    #[test]
    fn an_idle_lane_goes_through_all_states() {
        let mut gate = LanePowerGate::default();
        let mut inputs = two_lanes_idle();
        // Five idle cycles are observed; the sixth cuts the supply at its end.
        assert_eq!(stay(&mut gate, &inputs, |o| o.ready), 6);
        assert_eq!(stay(&mut gate, &inputs, |o| o.uncompensated), 14);
        for _ in 0..50 {
            assert_eq!(step(&mut gate, &inputs).compensated, 0b101);
        }
        inputs.request = 1;
        assert_eq!(step(&mut gate, &inputs).compensated, 0b101);
        assert_eq!(stay(&mut gate, &inputs, |o| o.waking), 3);
        assert_eq!(gate.eval(&inputs).ready, !0b100);
    }

    #[test]
    fn a_request_ends_uncompensated_unless_blacked_out() {
        let gated = |blackout| {
            let mut gate = LanePowerGate::default();
            let mut inputs = In { cfg_blackout: blackout, ..two_lanes_idle() };
            stay(&mut gate, &inputs, |o| o.ready);
            inputs.request = 1;
            let cycles = stay(&mut gate, &inputs, |o| o.uncompensated);
            assert_eq!(gate.eval(&inputs).waking, 1);
            cycles
        };
        assert_eq!(gated(false), 1);
        assert_eq!(gated(true), 14);
    }

    #[test]
    fn eager_gates_the_upper_lanes_at_the_first_idle_cycle() {
        let mut gate = LanePowerGate::default();
        let inputs = In { eager: true, ..two_lanes_idle() };
        assert_eq!(step(&mut gate, &inputs).ready, !0);
        assert_eq!(step(&mut gate, &inputs).uncompensated, 0b100);
    }

    #[test]
    fn no_wake_up_delay_goes_straight_to_on() {
        let mut gate = LanePowerGate::default();
        let mut inputs = In { cfg_wake_up: 0, cfg_break_even: 0, ..two_lanes_idle() };
        stay(&mut gate, &inputs, |o| o.ready);
        assert_eq!(stay(&mut gate, &inputs, |o| o.uncompensated), 1, "0 acts as 1");
        inputs.request = 1;
        assert_eq!(step(&mut gate, &inputs).compensated, 0b101);
        assert_eq!(step(&mut gate, &inputs).ready, !0b100);
    }

    #[test]
    fn busy_means_nothing_to_a_gated_lane() {
        let mut gate = LanePowerGate::default();
        let mut inputs = two_lanes_idle();
        stay(&mut gate, &inputs, |o| o.ready);
        inputs.busy = !0;
        assert_eq!(stay(&mut gate, &inputs, |o| o.uncompensated), 14);
        assert_eq!(gate.eval(&inputs).compensated, 0b101);
    }
}
