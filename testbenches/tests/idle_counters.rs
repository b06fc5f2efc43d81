//! `idle_counters` keeps its contract, and its flag rises after exactly the threshold.

use lanewise_sim::units::idle_counters::In;
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}

#[test]
fn a_flag_rises_after_exactly_the_threshold_and_stays_until_the_lane_works() {
    for (name, mut unit) in contract::back_ends(&binding()) {
        for cfg_threshold in 0..8 {
            unit.reset();
            for idle_cycles in 0..20 {
                let flags = unit.eval(&In { active: 1, cfg_threshold }).idle;
                // Lane 0 works all the time, so only a threshold of 0 raises its flag.
                let lane_0 = cfg_threshold == 0;
                let others = idle_cycles >= cfg_threshold;
                let expected = if others { !1 } else { 0 } | u32::from(lane_0);
                assert_eq!(flags, expected, "{name}, {idle_cycles} cycles, {cfg_threshold}");
                unit.tick();
            }
            unit.eval(&In { active: u32::MAX, cfg_threshold });
            unit.tick();
            let flags = unit.eval(&In { active: 0, cfg_threshold }).idle;
            assert_eq!(flags, if cfg_threshold == 0 { u32::MAX } else { 0 }, "{name} after work");
        }
    }
}
