//! `lane_power_gate`: lanes that are wanted in bursts, with pauses long enough to earn back the switching.

use lanewise_sim::units::lane_power_gate::{In, LanePowerGate, Out};

use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::{Source, Sticky};

const ON: usize = 0;
const UNCOMPENSATED: usize = 1;
const COMPENSATED: usize = 2;
const WAKING: usize = 3;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<LanePowerGate>("lane_power_gate", stimulus).machine(Machine {
        states: &["On", "Uncompensated", "Compensated", "Waking"],
        of: StateOf::Outputs(states),
        transitions: vec![
            (ON, UNCOMPENSATED),
            (UNCOMPENSATED, COMPENSATED),
            (UNCOMPENSATED, WAKING),
            (COMPENSATED, WAKING),
            (WAKING, ON),
            // Without a wake-up delay.
            (UNCOMPENSATED, ON),
            (COMPENSATED, ON),
        ],
    })
}

/// The state of each lane; a lane that shows none or two has no name.
fn states(out: &Out) -> Vec<usize> {
    let masks = [out.ready, out.uncompensated, out.compensated, out.waking];
    let state = |lane: usize| {
        let shown = |state: &usize| masks[*state] >> lane & 1 != 0;
        match (0..masks.len()).filter(shown).collect::<Vec<_>>()[..] {
            [state] => state,
            _ => masks.len(),
        }
    };
    (0..32).map(state).collect()
}

/// Masks that stay for a while. Busy is not tied to ready: a gated lane must ignore it.
fn stimulus() -> Source<In> {
    let mut busy = Sticky::new(12);
    let mut request = Sticky::new(12);
    let mut eager = Sticky::new(30);
    let mut idle_detect = Sticky::new(60);
    let mut break_even = Sticky::new(60);
    let mut wake_up = Sticky::new(60);
    let mut blackout = Sticky::new(40);
    Box::new(move |g| In {
        busy: busy.next(g, |g| if g.once_in(2) { 0 } else { g.mask32() }),
        request: request.next(g, |g| if g.once_in(2) { 0 } else { g.mask32() }),
        eager: eager.next(g, |g| g.once_in(2)),
        cfg_idle_detect: idle_detect.next(g, |g| g.number(3) as u8),
        cfg_break_even: break_even.next(g, |g| g.number(5) as u8),
        cfg_wake_up: wake_up.next(g, |g| g.number(4) as u8),
        cfg_blackout: blackout.next(g, |g| g.once_in(2)),
    })
}
