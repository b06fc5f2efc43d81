//! Time, depth and energy of netlists that are small enough to do by hand.

use std::collections::BTreeMap;

use lanewise_silicon::cost::Cost;
use lanewise_silicon::energy::spend;
use lanewise_silicon::graph::Graph;
use lanewise_silicon::netlist::Netlist;
use lanewise_silicon::stimulus::Stimulus;
use lanewise_silicon::synthesis::Technology;

/// Delay unit and input capacitance of the smallest inverter in the project's library, in ps and fF.
const TAU: f64 = 4.5;
const C: f64 = 1.5;

/// `a_i` through two inverters to `y_o`; with a register, the first inverter's output is stored.
fn chain(register: bool) -> Netlist {
    let cell = |kind: &str, from: &str, input: usize, to: &str, output: usize, clock: &str| {
        format!(
            r#"{{"type": "{kind}", "connections": {{"{from}": [{input}], "{to}": [{output}]{clock}}}}}"#
        )
    };
    let middle = if register { 5 } else { 3 };
    let mut cells = format!(
        r#""u0": {}, "u1": {}"#,
        cell("INV_X1", "A", 2, "Y", 3, ""),
        cell("INV_X1", "A", middle, "Y", 4, "")
    );
    if register {
        let state = cell("DFF_X1", "D", 3, "Q", 5, r#", "CK": [6]"#);
        cells.push_str(&format!(r#", "u2": {state}"#));
    }
    let text = format!(
        r#"{{"modules": {{"chain": {{
            "ports": {{"clk_i": {{"direction": "input", "bits": [6]}},
                       "a_i": {{"direction": "input", "bits": [2]}},
                       "y_o": {{"direction": "output", "bits": [4]}}}},
            "cells": {{{cells}}},
            "netnames": {{"state_q": {{"bits": [5]}}, "a_i": {{"bits": [2]}}}}}}}}}}"#
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("chain.json");
    std::fs::write(&file, text).expect("writable");
    Netlist::load(&file, "chain").expect("a netlist")
}

fn technology() -> Technology {
    Technology::lanewise45().expect("the project's library")
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.02, "{found} is not {expected}");
}

#[test]
fn a_path_is_the_sum_of_its_logical_efforts() {
    let cost = Cost::measure(&chain(false), &technology()).expect("a cost");
    let timing = cost.timing.expect("the library has delays");
    // The driver's effort 1/4, an inverter with one copy as load, and one with four.
    close(timing.path_ps, TAU * (0.25 + (1.0 + 1.0) + (1.0 + 4.0)));
    close(timing.max_mhz, 1e6 / timing.path_ps);
    assert_eq!((timing.cells, cost.depth, cost.gates), (2, 2, 2));
    assert_eq!((timing.from.as_str(), cost.flip_flops, cost.latches), ("a_i", 0, 0));
    close(cost.nand2, 2.0 * 0.532 / 0.798);
}

#[test]
fn a_register_adds_its_delay_and_its_set_up_time() {
    let cost = Cost::measure(&chain(true), &technology()).expect("a cost");
    let timing = cost.timing.expect("the library has delays");
    // Clock to output 9, load of one inverter, then an inverter with four as load.
    let out_of_it = TAU * (9.0 + 1.0 + (1.0 + 4.0));
    let into_it = TAU * (0.25 + (1.0 + 1.0) + 6.0);
    assert!(into_it < out_of_it);
    close(timing.path_ps, out_of_it);
    assert_eq!((timing.from.as_str(), cost.flip_flops, cost.depth), ("state_q", 1, 1));
    close(cost.sequential_um2, 4.522);
}

/// Values of `a_i`, cycle by cycle.
fn input(rows: &[bool]) -> Stimulus {
    let row = |bit: &bool| BTreeMap::from([("a_i".to_string(), vec![*bit])]);
    Stimulus { cycles: rows.iter().map(row).collect() }
}

#[test]
fn every_change_of_a_net_is_paid_for() {
    let technology = technology();
    let netlist = chain(false);
    let graph = Graph::new(&netlist, &technology.library, technology.load).expect("a graph");
    let run = |rows: &[bool]| spend(&graph, &input(rows), 2.0);
    // All nets begin at 0; the first cycle raises the net between the inverters and no other.
    let first = run(&[false]);
    assert_eq!(first.toggles, 1);
    close(first.switching_fj, 0.5 * C * 4.0);
    // Then each change of the input changes all three nets; a cycle without change is free.
    let more = run(&[false, true, true, false]);
    assert_eq!(more.toggles, 1 + 3 + 3);
    close(more.switching_fj - first.switching_fj, 2.0 * 0.5 * (C + C + 4.0 * C) * 4.0);
    close(more.clock_fj, 0.0);
}

#[test]
fn clock_pins_cost_in_every_cycle() {
    let technology = technology();
    let netlist = chain(true);
    let graph = Graph::new(&netlist, &technology.library, technology.load).expect("a graph");
    let energy = spend(&graph, &input(&[true; 3]), 1.0);
    close(energy.clock_fj, 3.0 * C);
    // a_i rises once; the state stays 0 and its inverter's output rises once.
    assert_eq!(energy.toggles, 2);
    close(energy.uw(700.0), energy.per_cycle_fj() * 0.7);
}
