//! `gang_table`: the life of `gang_directory` with program counters.

use lanewise_sim::units::gang_table::{GangTable, In, Out};

use super::gang_directory::Script;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In<32, 5, 32>, Out<32, 5, 32, 128>> {
    Binding::of::<GangTable<32, 5, 32, 128>>("gang_table", stimulus::<32, 5, 32>)
}

pub(super) fn stimulus<const SETS: usize, const SET: usize, const PC: usize>(
) -> Source<In<SETS, SET, PC>> {
    let mut script = Script::<SETS, SET>::default();
    Box::new(move |g| {
        let requests = script.next(g);
        // Mostly the gang that is being filled: it is one that fetches.
        let (fetch_set, fetch_way) = match g.once_in(4) {
            true => (requests.look_set, g.bits(2) as u8),
            false => (requests.fill_set, requests.fill_way),
        };
        In {
            op_valid: requests.op_valid,
            op_code: requests.op_code,
            op_set: requests.op_set,
            op_ways: requests.op_ways,
            op_group_mask: requests.op_group_mask,
            op_single_mask: requests.op_single_mask,
            op_group_pc: std::array::from_fn(|_| g.number(PC) as u32),
            fill_valid: requests.fill_valid,
            fill_set: requests.fill_set,
            fill_way: requests.fill_way,
            fill_control: requests.fill_control,
            fill_pc: g.number(PC) as u32,
            issue: requests.issue,
            ready_valid: requests.ready_valid,
            ready_set: requests.ready_set,
            exit_valid: requests.exit_valid,
            exit_set: requests.exit_set,
            look_set: requests.look_set,
            fetch_set,
            fetch_way,
        }
    })
}
