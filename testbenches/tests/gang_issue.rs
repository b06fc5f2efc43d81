//! `gang_issue` keeps its contract, and makes a gang wait for as long as its page says.

use lanewise_sim::units::gang_issue;
use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_issue::binding());
}

#[test]
fn contract_with_one_pick() {
    contract::run(&bindings::gang_issue::one_pick());
}

#[test]
fn contract_with_four_picks() {
    contract::run(&bindings::gang_issue::four_picks());
}

#[test]
fn contract_of_two_sets() {
    contract::run(&bindings::gang_issue::two_sets());
}

/// 32 whole gangs of which those in `ready` may issue.
fn whole(ready: u32, cfg_order: u8) -> gang_issue::In<32, 5> {
    let mut inputs = gang_issue::In { cfg_order, ..Default::default() };
    inputs.issuable[0] = ready;
    inputs.gang_mask[..8].fill(u32::MAX);
    inputs
}

#[test]
fn each_of_32_ready_gangs_goes_once_in_32_cycles() {
    for (name, mut issue) in contract::back_ends(&bindings::gang_issue::binding()) {
        for order in 0..5 {
            issue.reset();
            // Round robin needs no help; in the other orders a gang that went waits for the rest.
            let mut ready = u32::MAX;
            for cycle in 0..32 {
                let offered = if order == 2 { u32::MAX } else { ready };
                let went = issue.eval(&whole(offered, order)).issue[0];
                assert_eq!(went.count_ones(), 1, "{name}, order {order}, cycle {cycle}");
                assert_eq!(went & ready, went, "{name}, order {order}, cycle {cycle}");
                issue.tick();
                ready &= !went;
            }
            assert_eq!(ready, 0, "{name}, order {order}");
        }
    }
}

#[test]
fn a_gang_that_is_always_ready_starves_the_others_except_in_round_robin() {
    for (name, mut issue) in contract::back_ends(&bindings::gang_issue::binding()) {
        for order in 0..5 {
            issue.reset();
            let mut went = 0;
            for _ in 0..100 {
                went |= issue.eval(&whole(u32::MAX, order)).issue[0];
                issue.tick();
            }
            let expected = if order == 2 { u32::MAX } else { 1 };
            assert_eq!(went, expected, "{name}, order {order}");
        }
    }
}
