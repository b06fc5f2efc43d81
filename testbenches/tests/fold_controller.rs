//! `fold_controller` keeps its contract; the paper's policy holds in every back end.

use lanewise_sim::units::fold_controller::{In, Out};
use lanewise_testbenches::bindings::fold_controller::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

#[test]
fn contract() {
    contract::run(&binding());
}

/// The paper's phase of 300 cycles: 70 and 40 % folded, off from 90 % of 600 issues, M = 2.
fn paper() -> In {
    In {
        cfg_phase_length: 300,
        cfg_fold_aggressive: 210,
        cfg_fold_conservative: 120,
        cfg_adaptive_off: 540,
        cfg_max_phases: 2,
        ..In::default()
    }
}

/// Plays a phase in which `issued(cycle)` instructions issue.
fn phase(controller: &mut Scenario<In, Out>, inputs: &In, issued: fn(usize) -> u8) -> Vec<Out> {
    (0..inputs.cfg_phase_length.into())
        .map(|cycle| controller.cycle(&In { issued: issued(cycle), ..inputs.clone() }))
        .collect()
}

/// Folded cycles of INT and FP. Each must be one stretch from the phase's start.
fn windows(phase: &[Out]) -> [usize; 2] {
    [|out: &Out| out.fold_int, |out: &Out| out.fold_fp].map(|fold| {
        let length = phase.iter().take_while(|out| fold(out)).count();
        assert!(phase[length..].iter().all(|out| !fold(out)), "the window is not in one piece");
        length
    })
}

#[test]
fn the_papers_phase() {
    let mut controller = Scenario::of(&binding());
    let more_fp = In { int_count: 10, fp_count: 11, ..paper() };
    let more_int = In { int_count: 11, fp_count: 10, ..paper() };
    let first = phase(&mut controller, &more_fp, |_| 1);
    assert_eq!(windows(&first), [120, 210]);
    let starts = |phase: &[Out]| phase.iter().filter(|out| out.phase_start).count();
    assert!(first[0].phase_start && starts(&first) == 1);
    let second = phase(&mut controller, &more_int, |_| 1);
    assert_eq!((windows(&second), second[0].majority_fp), ([210, 120], true));
    let third = phase(&mut controller, &more_int, |_| 1);
    assert_eq!((windows(&third), third[299].majority_fp), ([120, 210], false));
}

#[test]
fn folding_is_off_after_exactly_90_percent() {
    let mut controller = Scenario::of(&binding());
    // 269 or 270 full cycles: 538 or 540 of 600 issues, the last ones in the phase's last cycle.
    phase(&mut controller, &paper(), |cycle| if cycle >= 31 { 2 } else { 0 });
    assert_eq!(windows(&phase(&mut controller, &paper(), |c| if c >= 30 { 2 } else { 0 }))[0], 120);
    assert_eq!(windows(&phase(&mut controller, &paper(), |_| 3)), [0, 0]);
    // Three issues a cycle cannot be: they count for nothing.
    assert_eq!(windows(&phase(&mut controller, &paper(), |_| 0)), [120, 210]);
}

#[test]
fn no_group_waits_for_more_than_m_phases() {
    let mut controller = Scenario::of(&binding());
    for cfg_max_phases in 0..8 {
        controller.reset();
        let inputs = In {
            full_count: [31, 0],
            partial_count: [0, 31],
            cfg_phase_length: 3,
            cfg_max_phases,
            ..paper()
        };
        let groups: Vec<_> =
            (0..40).map(|_| phase(&mut controller, &inputs, |_| 0)[0].group_full).collect();
        let longest = |scheduler: usize, full: bool| {
            let preferred: Vec<bool> = groups.iter().map(|g| g[scheduler] == full).collect();
            preferred.split(|p| !p).map(<[bool]>::len).max()
        };
        let limit = usize::from(cfg_max_phases.max(1));
        assert_eq!([longest(0, true), longest(1, false)], [Some(limit); 2], "M = {cfg_max_phases}");
        assert_eq!([longest(0, false), longest(1, true)], [Some(1); 2], "M = {cfg_max_phases}");
    }
}

#[test]
fn a_phase_shortened_under_way_ends_at_once() {
    let mut controller = Scenario::of(&binding());
    for _ in 0..100 {
        controller.cycle(&paper());
    }
    let shorter = In { cfg_phase_length: 50, ..paper() };
    assert!(!controller.cycle(&shorter).phase_start);
    assert!(controller.cycle(&shorter).phase_start);
}
