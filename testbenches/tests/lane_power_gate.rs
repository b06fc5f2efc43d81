//! `lane_power_gate` keeps its contract; its waits are exact in every back end.

use lanewise_sim::units::lane_power_gate::{In, Out};
use lanewise_testbenches::bindings::lane_power_gate::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

const ALL: u32 = u32::MAX;

#[test]
fn contract() {
    contract::run(&binding());
}

/// Cycles that all lanes spend Uncompensated, Compensated and Waking until they are ready again, if
/// they are wanted once they have been gated for `patience` cycles.
fn gated_spell(gate: &mut Scenario<In, Out>, idle: &In, patience: usize) -> [usize; 3] {
    gate.reset();
    for _ in 0..=idle.cfg_idle_detect {
        assert_eq!(gate.cycle(idle).ready, ALL);
    }
    let wanted = In { request: ALL, ..idle.clone() };
    let mut spent = [0; 3];
    for cycle in 0..200 {
        let out = gate.cycle(if cycle < patience { idle } else { &wanted });
        match [out.uncompensated, out.compensated, out.waking].iter().position(|m| *m == ALL) {
            Some(state) => spent[state] += 1,
            None => {
                assert_eq!(out.ready, ALL);
                return spent;
            }
        }
    }
    panic!("never ready again");
}

/// Idle lanes under every mix of these wake-up delays and break-even times.
fn settings(cfg_blackout: bool) -> impl Iterator<Item = In> {
    [0, 1, 3, 9, 15].into_iter().flat_map(move |cfg_wake_up| {
        [0, 1, 2, 9, 14, 19, 31].map(|cfg_break_even| In {
            cfg_idle_detect: 5,
            cfg_break_even,
            cfg_wake_up,
            cfg_blackout,
            ..In::default()
        })
    })
}

#[test]
fn every_wait_is_as_long_as_configured() {
    let mut gate = Scenario::of(&binding());
    for idle in settings(false) {
        let break_even: usize = idle.cfg_break_even.max(1).into();
        let expected = [break_even, 7, idle.cfg_wake_up.into()];
        // The request comes in the last of these seven cycles.
        assert_eq!(gated_spell(&mut gate, &idle, break_even + 6), expected, "{idle:?}");
    }
}

#[test]
fn a_blackout_lasts_for_the_break_even_time_and_no_longer() {
    let mut gate = Scenario::of(&binding());
    for idle in settings(true) {
        let expected = [idle.cfg_break_even.max(1).into(), 0, idle.cfg_wake_up.into()];
        assert_eq!(gated_spell(&mut gate, &idle, 0), expected, "{idle:?}");
    }
    for idle in settings(false) {
        let expected = [1, 0, idle.cfg_wake_up.into()];
        assert_eq!(gated_spell(&mut gate, &idle, 0), expected, "{idle:?}");
    }
}

#[test]
fn busy_is_ignored_while_a_lane_is_not_ready() {
    let mut gate = Scenario::of(&binding());
    let idle = In { cfg_break_even: 4, cfg_wake_up: 3, ..In::default() };
    assert_eq!(gate.cycle(&idle).ready, ALL);
    let busy = In { busy: ALL, ..idle };
    let wanted = In { request: ALL, ..busy.clone() };
    for _ in 0..4 {
        assert_eq!(gate.cycle(&busy).uncompensated, ALL);
    }
    assert_eq!(gate.cycle(&busy).compensated, ALL);
    assert_eq!(gate.cycle(&wanted).compensated, ALL);
    for _ in 0..3 {
        assert_eq!(gate.cycle(&busy).waking, ALL);
    }
    assert_eq!(gate.cycle(&busy).ready, ALL);
}

#[test]
fn only_the_upper_lanes_of_a_cluster_are_eager() {
    let mut gate = Scenario::of(&binding());
    let idle = In { eager: true, cfg_idle_detect: 7, cfg_break_even: 31, ..In::default() };
    assert_eq!(gate.cycle(&idle).ready, ALL);
    for _ in 0..7 {
        assert_eq!(gate.cycle(&idle).uncompensated, 0xcccc_cccc);
    }
    assert_eq!(gate.cycle(&idle).uncompensated, ALL);
}
