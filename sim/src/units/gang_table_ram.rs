//! Golden model of `gang_table_ram`: `gang_table` without a view of all program counters at once.

use super::gang_table::GangTable;
use super::Unit;

pub use super::gang_table::In;

crate::io! {
    /// Outputs. Element 8w + s of a mask is slice s of way w; bit i of an element is set i.
    pub struct Out<const SETS: usize, const SET: usize, const PC: usize> {
        /// The operation is refused.
        op_error: bool, 1, from [op_valid, op_code, op_set, op_ways, op_group_mask, op_single_mask, issue, exit_valid, exit_set];
        /// The fill is refused.
        fill_error: bool, 1, from [op_valid, op_code, op_set, op_ways, op_group_mask, op_single_mask, fill_valid, fill_set, fill_way, issue, exit_valid, exit_set];
        /// One of the issues is refused.
        issue_error: bool, 1, from [issue, exit_valid, exit_set];
        /// That warp is not in a gang.
        ready_error: u8, 8, from [ready_valid, ready_set];
        /// That warp is not alive.
        exit_error: u8, 8, from [exit_valid, exit_set];
        /// GangMask.
        gang_mask: [u32; 32], SETS;
        /// ReadyMask.
        gang_ready: [u32; 32], SETS;
        /// The gang may issue.
        issuable: [u32; 4], SETS;
        /// The gang wants an instruction.
        fetchable: [u32; 4], SETS;
        /// Warps on their own, one element a slice.
        independent: [u32; 8], SETS;
        /// GangMask of each way of `look_set`.
        look_mask: [u8; 4], 8, from [look_set];
        /// The way holds a gang that knows its program counter.
        look_open: u8, 4, from [look_set];
        /// Program counter of each way of `look_set` that is open.
        look_pc: [u32; 4], PC, valid_by look_open, from [look_set];
        /// Warps of `look_set` on their own.
        look_independent: u8, 8, from [look_set];
        /// That gang is fetchable.
        fetch_valid: bool, 1, from [fetch_set, fetch_way];
        /// Its program counter.
        fetch_pc: u32, PC, valid_by fetch_valid, from [fetch_set, fetch_way];
    }
}

/// A gang table that shows no column of its program counters; empty after reset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GangTableRam<const SETS: usize, const SET: usize, const PC: usize> {
    table: GangTable<SETS, SET, PC, 0>,
}

impl<const SETS: usize, const SET: usize, const PC: usize> Unit for GangTableRam<SETS, SET, PC> {
    type In = In<SETS, SET, PC>;
    type Out = Out<SETS, SET, PC>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let seen = self.table.eval(inputs);
        Out {
            op_error: seen.op_error,
            fill_error: seen.fill_error,
            issue_error: seen.issue_error,
            ready_error: seen.ready_error,
            exit_error: seen.exit_error,
            gang_mask: seen.gang_mask,
            gang_ready: seen.gang_ready,
            issuable: seen.issuable,
            fetchable: seen.fetchable,
            independent: seen.independent,
            look_mask: seen.look_mask,
            look_open: seen.look_open,
            look_pc: seen.look_pc,
            look_independent: seen.look_independent,
            fetch_valid: seen.fetch_valid,
            fetch_pc: seen.fetch_pc,
        }
    }

    fn tick(&mut self) {
        self.table.tick();
    }

    fn reset(&mut self) {
        self.table.reset();
    }
}
