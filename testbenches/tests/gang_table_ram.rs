//! `gang_table_ram` keeps its contract, and holds its program counters in RAM and nowhere else.

use lanewise_hw::catalogue;
use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_table_ram::binding());
}

#[test]
fn the_program_counters_are_in_ram() {
    let bits = |name: &str| {
        let modules = catalogue::find(name).expect("in the catalogue").modules().expect("exported");
        modules.iter().fold((0, 0), |(flops, ram), m| (flops + m.state_bits, ram + m.ram_bits))
    };
    let ((flops, none), (fewer, ram)) = (bits("gang_table"), bits("gang_table_ram"));
    assert_eq!((none, ram, flops - fewer), (0, 128 * 32, 128 * 32));
}
