//! `all_ones_detector` keeps its contract; one missing thread is enough.

use lanewise_sim::units::all_ones_detector::In;
use lanewise_testbenches::bindings::all_ones_detector::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

#[test]
fn contract() {
    contract::run(&binding());
}

#[test]
fn any_missing_thread_makes_a_mask_partial() {
    let mut detector = Scenario::of(&binding());
    for thread in 0..32 {
        let partial = !(1 << thread);
        assert_eq!(detector.cycle(&In { mask: [partial, u32::MAX] }).full, [false, true]);
        assert_eq!(detector.cycle(&In { mask: [u32::MAX, partial] }).full, [true, false]);
    }
}
