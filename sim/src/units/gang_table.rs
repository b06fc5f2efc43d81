//! Golden model of `gang_table`: the directory and a program counter for each of its ways.

use super::gang_directory::{self, GangDirectory};
use super::Unit;

crate::io! {
    /// Inputs. Bit i of an element of `issue` is set i.
    pub struct In<const SETS: usize, const SET: usize, const PC: usize> {
        /// There is an operation.
        op_valid: bool, 1;
        /// 0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire.
        op_code: u8, 3;
        /// The original gang.
        op_set: u8, SET;
        /// Gangs meant.
        op_ways: u8, 4;
        /// Warps of each new gang.
        op_group_mask: [u8; 4], 8;
        /// Single warps.
        op_single_mask: u8, 8;
        /// Program counter of each new gang; reform uses the first.
        op_group_pc: [u32; 4], PC;
        /// The I-buffers of a gang get their instruction.
        fill_valid: bool, 1;
        /// Set of that gang.
        fill_set: u8, SET;
        /// Way of that gang.
        fill_way: u8, 2;
        /// The instruction decides the next program counter.
        fill_control: bool, 1;
        /// The program counter it was fetched from.
        fill_pc: u32, PC;
        /// Gangs that issue, one element a way.
        issue: [u32; 4], SETS;
        /// Slice s has a ganged warp become ready.
        ready_valid: u8, 8;
        /// Its set.
        ready_set: [u8; 8], SET;
        /// Slice s has a warp exit.
        exit_valid: u8, 8;
        /// Its set.
        exit_set: [u8; 8], SET;
        /// Set to be shown.
        look_set: u8, SET;
        /// Set of the gang to fetch for.
        fetch_set: u8, SET;
        /// Way of the gang to fetch for.
        fetch_way: u8, 2;
    }
}

crate::io! {
    /// Outputs. Element 8w + s of a mask is slice s of way w; bit i of an element is set i.
    pub struct Out<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> {
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
        /// Program counters of gangs that may issue: element 4k + w is bit k of way w.
        gang_pc: [u32; PLANES], SETS, valid_by issuable;
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

/// The directory with a program counter for each way; empty after reset.
#[derive(Clone, Debug, PartialEq)]
pub struct GangTable<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> {
    directory: GangDirectory<SETS, SET>,
    pc: Vec<[u32; 4]>,
    next: Vec<[u32; 4]>,
}

impl<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> Default
    for GangTable<SETS, SET, PC, PLANES>
{
    fn default() -> Self {
        Self {
            directory: GangDirectory::default(),
            pc: vec![[0; 4]; SETS],
            next: vec![[0; 4]; SETS],
        }
    }
}

impl<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> Unit
    for GangTable<SETS, SET, PC, PLANES>
{
    type In = In<SETS, SET, PC>;
    type Out = Out<SETS, SET, PC, PLANES>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let seen = self.directory.eval(&gang_directory::In {
            op_valid: inputs.op_valid,
            op_code: inputs.op_code,
            op_set: inputs.op_set,
            op_ways: inputs.op_ways,
            op_group_mask: inputs.op_group_mask,
            op_single_mask: inputs.op_single_mask,
            fill_valid: inputs.fill_valid,
            fill_set: inputs.fill_set,
            fill_way: inputs.fill_way,
            fill_control: inputs.fill_control,
            issue: inputs.issue,
            ready_valid: inputs.ready_valid,
            ready_set: inputs.ready_set,
            exit_valid: inputs.exit_valid,
            exit_set: inputs.exit_set,
            look_set: inputs.look_set,
        });

        self.next.clone_from(&self.pc);
        for w in 0..4 {
            if seen.pc_write >> w & 1 != 0 {
                self.next[inputs.op_set as usize][w] =
                    inputs.op_group_pc[seen.pc_group[w] as usize];
            }
            if seen.pc_fill >> w & 1 != 0 {
                self.next[inputs.fill_set as usize][w] = inputs.fill_pc;
            }
        }

        // What is read counts the instruction that has issued.
        let last = u32::MAX >> (32 - PC);
        let read =
            |set: usize, w: usize| self.pc[set][w].wrapping_add(seen.advanced[w] >> set & 1) & last;
        let (set, way) = (inputs.fetch_set as usize, inputs.fetch_way as usize);
        Out {
            look_pc: std::array::from_fn(|w| read(inputs.look_set as usize, w)),
            fetch_valid: seen.fetchable[way] >> set & 1 != 0,
            fetch_pc: read(set, way),
            gang_pc: std::array::from_fn(|j| {
                let (k, w) = (j / 4, j % 4);
                (0..SETS).fold(0, |bits, set| bits | (self.pc[set][w] >> k & 1) << set)
            }),
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
            look_independent: seen.look_independent,
        }
    }

    fn tick(&mut self) {
        self.directory.tick();
        self.pc.clone_from(&self.next);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}
