//! `dwl_gate` keeps its contract in all its shapes; each segment follows its own enable.

use lanewise_sim::units::dwl_gate::In;
use lanewise_testbenches::bindings::dwl_gate::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

#[test]
fn contract_of_128_rows() {
    contract::run(&binding::<128, 32>("dwl_gate"));
}

#[test]
fn contract_of_128_short_rows() {
    contract::run(&binding::<128, 16>("dwl_gate__segments_16"));
}

#[test]
fn contract_of_96_rows() {
    contract::run(&binding::<96, 32>("dwl_gate__rows_96"));
}

#[test]
fn contract_of_16_rows() {
    contract::run(&binding::<16, 32>("dwl_gate__rows_16"));
}

#[test]
fn each_thread_and_each_word_opens_its_own_segment() {
    let mut long = Scenario::of(&binding::<16, 32>("dwl_gate__rows_16"));
    let mut short = Scenario::of(&binding::<128, 16>("dwl_gate__segments_16"));
    for bit in 0..32 {
        let mut inputs = In::<16, 32> { word_mask: 1 << bit, ..In::default() };
        inputs.row_select[bit / 2] = true;
        assert_eq!(long.cycle(&inputs).word_line[bit / 2], 1 << bit);
        inputs.cfg_lane_enable = true;
        assert_eq!(long.cycle(&inputs).word_line, [0; 16]);
        inputs.lane_mask = 1 << bit;
        assert_eq!(long.cycle(&inputs).word_line[bit / 2], 1 << bit);

        let mut inputs =
            In::<128, 16> { lane_mask: 1 << bit, cfg_lane_enable: true, ..In::default() };
        inputs.row_select[bit * 4] = true;
        let open = short.cycle(&inputs).word_line;
        assert_eq!(open[bit * 4], 1 << (bit % 16));
        assert_eq!(open.iter().filter(|line| **line != 0).count(), 1);
    }
}
