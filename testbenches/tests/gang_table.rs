//! `gang_table` keeps its contract, is as small as it can be, and survives what makes no sense.

use lanewise_hw::catalogue;
use lanewise_sim::units::gang_table;
use lanewise_testbenches::bindings::gang_table::binding;
use lanewise_testbenches::contract;

type In = gang_table::In<32, 5, 32>;

#[test]
fn contract() {
    contract::run(&binding());
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

/// The request that launches set 0 as two gangs, at program counters 100 and 200.
fn launch() -> In {
    In {
        op_valid: true,
        op_group_mask: [0x0f, 0xf0, 0, 0],
        op_group_pc: [100, 200, 0, 0],
        ..In::default()
    }
}

#[test]
fn a_gang_lives_as_the_page_tells() {
    for (name, mut table) in contract::back_ends(&binding()) {
        let mut step = |inputs: In| {
            let out = table.eval(&inputs);
            table.tick();
            assert!(!out.op_error && !out.fill_error && !out.issue_error, "{name}");
            assert_eq!((out.ready_error, out.exit_error), (0, 0), "{name}");
            out
        };
        let fill =
            |fill_pc, fill_control| In { fill_valid: true, fill_pc, fill_control, ..In::default() };
        let ready = In { ready_valid: 0x0f, ..In::default() };
        let issue = In { issue: [1, 0, 0, 0], ..In::default() };

        step(launch());
        let out = step(fill(100, false));
        assert_eq!((out.fetch_valid, out.fetch_pc, out.issuable[0]), (true, 100, 0), "{name}");
        step(ready.clone());
        assert_eq!(step(issue.clone()).issuable, [1, 0, 0, 0], "{name}");
        // The next instruction is due; it is a branch, and after it none is until its outcome is known.
        let out = step(fill(101, true));
        assert_eq!((out.fetch_valid, out.fetch_pc), (true, 101), "{name}");
        step(ready);
        step(issue);
        let out = step(In::default());
        assert_eq!((out.fetch_valid, out.look_open), (false, 0b0010), "{name}");
        // Slices 0 and 1 go on at 7, slices 2 and 3 each its own way.
        step(In {
            op_valid: true,
            op_code: 1,
            op_ways: 0b0001,
            op_group_mask: [0x03, 0, 0, 0],
            op_single_mask: 0x0c,
            op_group_pc: [7, 0, 0, 0],
            ..In::default()
        });
        let out = step(In::default());
        assert_eq!(
            (out.look_mask, out.look_independent, out.look_pc[0], out.look_pc[1]),
            ([0x03, 0xf0, 0, 0], 0x0c, 7, 200),
            "{name}"
        );
        // A gang that keeps one warp is none.
        step(In { exit_valid: 0x01, ..In::default() });
        let out = step(In::default());
        assert_eq!((out.look_mask, out.look_independent), ([0, 0xf0, 0, 0], 0x0e), "{name}");
    }
}

#[test]
fn requests_that_make_no_sense_raise_their_error_and_change_nothing() {
    let op = |op_code, op_ways| In { op_valid: true, op_code, op_ways, ..In::default() };
    let groups = |op_group_mask, op: In| In { op_group_mask, ..op };
    let stray = [9; 8];
    let refused = [
        ("retire an empty way", op(4, 0b0100)),
        ("retire two gangs", op(4, 0b0011)),
        ("split an absent set", In { op_set: 3, ..op(1, 0b0001) }),
        ("split without a branch", groups([0x0f, 0, 0, 0], op(1, 0b0001))),
        ("lose a warp", groups([0x07, 0, 0, 0], op(2, 0b0001))),
        ("have a warp twice", groups([0x0f, 0x0f, 0, 0], op(2, 0b0001))),
        ("take another gang's warp", groups([0x1f, 0, 0, 0], op(2, 0b0001))),
        ("a gang of one", groups([0x07, 0x08, 0, 0], op(2, 0b0001))),
        ("a group without a way", groups([0x03, 0, 0, 0x0c], op(2, 0b0001))),
        ("reform one gang", op(3, 0b0001)),
        ("reform with a warp that is ganged", In { op_single_mask: 0x10, ..op(3, 0b0001) }),
        ("launch over a live set", groups([0x03, 0, 0, 0], op(0, 0))),
        ("launch nothing", In { op_set: 3, ..op(0, 0) }),
        ("an unknown operation", op(6, 0b0001)),
        ("fill an empty way", In { fill_valid: true, fill_way: 2, ..In::default() }),
        ("issue a gang that is not ready", In { issue: [1, 0, 0, 0], ..In::default() }),
        ("a stray ready", In { ready_valid: 1, ready_set: stray, ..In::default() }),
        ("a stray exit", In { exit_valid: 1, exit_set: stray, ..In::default() }),
    ];
    for (name, mut table) in contract::back_ends(&binding()) {
        table.eval(&launch());
        table.tick();
        let before = table.eval(&In::default());
        for (what, inputs) in &refused {
            let out = table.eval(inputs);
            let errors = [
                (out.op_error, inputs.op_valid),
                (out.fill_error, inputs.fill_valid),
                (out.issue_error, inputs.issue != [0; 4]),
                (out.ready_error == 1, inputs.ready_valid == 1),
                (out.exit_error == 1, inputs.exit_valid == 1),
            ];
            assert!(errors.iter().all(|(raised, asked)| raised == asked), "{name}: {what}");
            table.tick();
            assert!(table.eval(&In::default()) == before, "{name}: {what} changes something");
        }
    }
}
