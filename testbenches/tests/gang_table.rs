//! `gang_table` keeps its contract, is as small as it can be, and survives what makes no sense.

use lanewise_hw::catalogue;
use lanewise_sim::units::gang_table::{GangTable, In};
use lanewise_sim::units::Unit;
use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_table::binding());
}

#[test]
fn contract_of_two_sets() {
    contract::run(&bindings::gang_table::two_sets());
}

#[test]
fn the_state_is_what_the_paper_counts_and_little_more() {
    let modules =
        catalogue::find("gang_table").expect("in the catalogue").modules().expect("exported");
    let bits: usize = modules.iter().map(|module| module.state_bits).sum();
    let paper = 128 * (8 + 8 + 1 + 32) + 32 * 8;
    assert!(bits * 10 <= paper * 11, "{bits} bits, the paper has {paper}");
    let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["gang_table", "gang_directory", "gang_operation"], "one module a shape");
}

#[test]
fn requests_that_make_no_sense_raise_their_error_and_change_nothing() {
    type Inputs = In<32, 5, 32>;
    let mut table = GangTable::<32, 5, 32, 128>::default();
    table.eval(&Inputs { op_valid: true, op_group_mask: [0x0f, 0xf0, 0, 0], ..Inputs::default() });
    table.tick();
    let before = table.clone();
    let op = |op_code, op_ways| Inputs { op_valid: true, op_code, op_ways, ..Inputs::default() };
    let refused = [
        ("retire an empty way", op(4, 0b0100)),
        ("split an absent set", Inputs { op_set: 3, ..op(1, 0b0001) }),
        ("split without a branch", Inputs { op_group_mask: [0x0f, 0, 0, 0], ..op(1, 0b0001) }),
        ("lose a warp", Inputs { op_group_mask: [0x07, 0, 0, 0], ..op(2, 0b0001) }),
        ("a gang of one", Inputs { op_group_mask: [0x07, 0x08, 0, 0], ..op(2, 0b0001) }),
        ("reform one gang", op(3, 0b0001)),
        ("launch over a live set", Inputs { op_group_mask: [0x03, 0, 0, 0], ..op(0, 0) }),
        ("an unknown operation", op(6, 0b0001)),
    ];
    for (what, inputs) in refused {
        assert!(table.eval(&inputs).op_error, "{what}");
        table.tick();
        assert!(
            table.eval(&Inputs::default()) == before.clone().eval(&Inputs::default()),
            "{what}"
        );
    }
    assert!(table.eval(&Inputs { fill_valid: true, fill_way: 2, ..Inputs::default() }).fill_error);
    assert!(table.eval(&Inputs { issue: [1, 0, 0, 0], ..Inputs::default() }).issue_error);
    let stray = Inputs { ready_valid: 1, ready_set: [9; 8], ..Inputs::default() };
    assert_eq!(table.eval(&stray).ready_error, 1);
    let stray = Inputs { exit_valid: 1, exit_set: [9; 8], ..Inputs::default() };
    assert_eq!(table.eval(&stray).exit_error, 1);
}
