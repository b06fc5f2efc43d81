//! Bugs in exported Verilog.

use lanewise_sim::units::idle_counters::{In, Out};
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract::{equal, ports, reset, Binding, Subject};

use crate::expect_failure;

/// The subject with every `from` in its own Verilog module replaced by `to`.
fn with_verilog<'a>(binding: &'a Binding<In, Out>, from: &str, to: &str) -> Subject<'a, In, Out> {
    let mut subject = Subject::of(binding).expect("the catalogue has the block");
    let text = &mut subject.modules[0].text;
    assert!(text.contains(from), "nothing to replace: no {from:?} in\n{text}");
    *text = text.replace(from, to);
    subject
}

#[test]
fn a_flipped_operator_in_the_verilog_differs_on_its_side_only() {
    let binding = binding();
    let subject = with_verilog(&binding, " ^ ", " | ");
    expect_failure(equal::check(&subject), "equal", &["idle", "in verilated  <--"]);
}

#[test]
fn a_register_without_reset_keeps_its_garbage() {
    let binding = binding();
    let subject = with_verilog(&binding, "count_1_q <= 32'd0;", ";");
    expect_failure(reset::check(&subject), "reset", &["power-up state", "in verilated"]);
}

#[test]
fn a_port_of_another_width_or_name_is_named() {
    let binding = binding();
    for (from, to) in [("[2:0] cfg_threshold_i", "[3:0] cfg_threshold_i"), ("idle_o", "idel_o")] {
        let subject = with_verilog(&binding, from, to);
        expect_failure(ports::check(&subject), "ports", &["the Verilog has the ports"]);
    }
}
