//! Golden model of `gang_directory`: a list of sets, each with up to four gangs and its single warps.

use super::gang_operation::{self, GangOperation};
use super::Unit;

crate::io! {
    /// Inputs. Bit i of an element of `issue` is set i.
    pub struct In<const SETS: usize, const SET: usize> {
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
        /// The I-buffers of a gang get their instruction.
        fill_valid: bool, 1;
        /// Set of that gang.
        fill_set: u8, SET;
        /// Way of that gang.
        fill_way: u8, 2;
        /// The instruction decides the next program counter.
        fill_control: bool, 1;
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
    }
}

crate::io! {
    /// Outputs. Element 8w + s of a mask is slice s of way w; bit i of an element is set i.
    pub struct Out<const SETS: usize, const SET: usize> {
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
        /// The instruction at the stored program counter has issued.
        advanced: [u32; 4], SETS;
        /// Warps on their own, one element a slice.
        independent: [u32; 8], SETS;
        /// GangMask of each way of `look_set`.
        look_mask: [u8; 4], 8, from [look_set];
        /// The way holds a gang that knows its program counter.
        look_open: u8, 4, from [look_set];
        /// `advanced` of each way of `look_set`.
        look_advanced: u8, 4, from [look_set];
        /// Warps of `look_set` on their own.
        look_independent: u8, 8, from [look_set];
        /// Ways of `op_set` that take a new program counter.
        pc_write: u8, 4, from [op_valid, op_code, op_set, op_ways, op_group_mask, op_single_mask, issue, exit_valid, exit_set];
        /// The group they take it from.
        pc_group: [u8; 4], 2, from [op_valid, op_code, op_set, op_ways, op_group_mask, op_single_mask, issue, exit_valid, exit_set];
        /// The way whose fetched program counter is to be kept.
        pc_fill: u8, 4, from [op_valid, op_code, op_set, op_ways, op_group_mask, op_single_mask, fill_valid, fill_set, fill_way, issue, exit_valid, exit_set];
    }
}

/// Two warps or more that run in lock-step.
#[derive(Clone, Debug, Default, PartialEq)]
struct Gang {
    mask: u8,
    ready: u8,
    /// Its instruction is in the I-buffers.
    valid: bool,
    /// That instruction, or the last, decides the next program counter.
    control: bool,
    /// The instruction at its program counter has issued.
    issued: bool,
}

impl Gang {
    fn issuable(&self) -> bool {
        self.valid && self.ready == self.mask
    }

    /// Waits for the outcome of a branch.
    fn pending(&self) -> bool {
        self.issued && self.control
    }

    fn fetchable(&self) -> bool {
        !self.valid && !self.pending()
    }

    fn advanced(&self) -> bool {
        self.issued && !self.control
    }
}

/// An original gang: what has become of its eight warps.
#[derive(Clone, Debug, Default, PartialEq)]
struct Set {
    gangs: [Option<Gang>; 4],
    independent: u8,
}

impl Set {
    fn ganged(&self) -> u8 {
        self.gangs.iter().flatten().fold(0, |mask, gang| mask | gang.mask)
    }

    /// One bit a way.
    fn ways(&self, test: impl Fn(&Gang) -> bool) -> u8 {
        (0..4).filter(|&w| self.gangs[w].as_ref().is_some_and(&test)).fold(0, |m, w| m | 1 << w)
    }

    fn masks(&self, of: impl Fn(&Gang) -> u8) -> [u8; 4] {
        std::array::from_fn(|w| self.gangs[w].as_ref().map_or(0, &of))
    }

    /// Warps leave; a gang of fewer than two is none.
    fn exit(&mut self, leaving: u8) {
        self.independent &= !leaving;
        for way in &mut self.gangs {
            let Some(gang) = way.as_mut().filter(|gang| gang.mask & leaving != 0) else { continue };
            gang.mask &= !leaving;
            gang.ready &= gang.mask;
            if gang.mask.count_ones() < 2 {
                self.independent |= gang.mask;
                *way = None;
            }
        }
    }
}

/// All original gangs of an SM; empty after reset.
#[derive(Clone, Debug, PartialEq)]
pub struct GangDirectory<const SETS: usize, const SET: usize> {
    sets: Vec<Set>,
    next: Vec<Set>,
}

impl<const SETS: usize, const SET: usize> Default for GangDirectory<SETS, SET> {
    fn default() -> Self {
        Self { sets: vec![Set::default(); SETS], next: vec![Set::default(); SETS] }
    }
}

fn has(mask: u8, bit: usize) -> bool {
    mask >> bit & 1 != 0
}

/// One column a bit of `of`'s result, one bit a set.
fn columns<const N: usize>(sets: &[Set], of: impl Fn(&Set, usize) -> bool) -> [u32; N] {
    std::array::from_fn(|column| {
        (0..sets.len()).fold(0, |bits, i| bits | (of(&sets[i], column) as u32) << i)
    })
}

impl<const SETS: usize, const SET: usize> Unit for GangDirectory<SETS, SET> {
    type In = In<SETS, SET>;
    type Out = Out<SETS, SET>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let now = &self.sets;
        let mut next = now.clone();
        let mut out = Self::Out::default();

        // Exits.
        let mut leaving = vec![0u8; SETS];
        for s in (0..8).filter(|&s| has(inputs.exit_valid, s)) {
            let set = inputs.exit_set[s] as usize;
            match has(now[set].ganged() | now[set].independent, s) {
                true => leaving[set] |= 1 << s,
                false => out.exit_error |= 1 << s,
            }
        }

        // Issues.
        let mut issuing = vec![0u8; SETS];
        for (w, set) in (0..4).flat_map(|w| (0..SETS).map(move |set| (w, set))) {
            if inputs.issue[w] >> set & 1 == 0 {
                continue;
            }
            match &now[set].gangs[w] {
                Some(gang) if gang.issuable() && gang.mask & leaving[set] == 0 => {
                    issuing[set] |= 1 << w;
                    next[set].gangs[w] =
                        Some(Gang { ready: 0, valid: false, issued: true, ..gang.clone() });
                }
                _ => out.issue_error = true,
            }
        }

        // The operation.
        let op_set = inputs.op_set as usize;
        let here = &now[op_set];
        let result = GangOperation.eval(&gang_operation::In {
            op_valid: inputs.op_valid,
            op_code: inputs.op_code,
            op_ways: inputs.op_ways,
            op_group_mask: inputs.op_group_mask,
            op_single_mask: inputs.op_single_mask,
            set_mask: here.masks(|gang| gang.mask),
            set_ready: here.masks(|gang| gang.ready),
            set_valid: here.ways(|gang| gang.valid),
            set_control: here.ways(|gang| gang.control),
            set_pending: here.ways(Gang::pending),
            set_independent: here.independent,
            busy_ways: issuing[op_set],
            leaving: leaving[op_set],
        });
        out.op_error = result.error;
        (out.pc_write, out.pc_group) = (result.write, result.new_group);
        for w in (0..4).filter(|&w| has(result.write, w)) {
            let mask = result.new_mask[w];
            next[op_set].gangs[w] = (mask != 0).then_some(Gang {
                mask,
                ready: result.new_ready[w],
                valid: has(result.new_valid, w),
                control: has(result.new_control, w),
                issued: false,
            });
        }
        next[op_set].independent = (here.independent | result.join) & !result.leave;

        // The fill: it shares the program counters' write port with the operation.
        if inputs.fill_valid {
            let (set, w) = (inputs.fill_set as usize, inputs.fill_way as usize);
            match &now[set].gangs[w] {
                Some(gang)
                    if gang.fetchable()
                        && gang.mask & leaving[set] == 0
                        && !has(result.write, w) =>
                {
                    out.pc_fill = 1 << w;
                    let control = inputs.fill_control;
                    next[set].gangs[w] =
                        Some(Gang { valid: true, control, issued: false, ..gang.clone() });
                }
                _ => out.fill_error = true,
            }
        }

        // Ready warps, unless their gang has just issued.
        for s in (0..8).filter(|&s| has(inputs.ready_valid, s)) {
            let set = inputs.ready_set[s] as usize;
            if !has(now[set].ganged(), s) {
                out.ready_error |= 1 << s;
                continue;
            }
            for (w, gang) in next[set].gangs.iter_mut().enumerate() {
                if let Some(gang) = gang.as_mut().filter(|gang| has(gang.mask, s)) {
                    gang.ready |= (!has(issuing[set], w) as u8) << s;
                }
            }
        }

        for (set, leaving) in next.iter_mut().zip(leaving) {
            set.exit(leaving);
        }

        out.gang_mask = columns(now, |set, j| has(set.masks(|gang| gang.mask)[j / 8], j % 8));
        out.gang_ready = columns(now, |set, j| has(set.masks(|gang| gang.ready)[j / 8], j % 8));
        out.issuable = columns(now, |set, w| has(set.ways(Gang::issuable), w));
        out.fetchable = columns(now, |set, w| has(set.ways(Gang::fetchable), w));
        out.advanced = columns(now, |set, w| has(set.ways(Gang::advanced), w));
        out.independent = columns(now, |set, s| has(set.independent, s));
        let look = &now[inputs.look_set as usize];
        out.look_mask = look.masks(|gang| gang.mask);
        out.look_open = look.ways(|gang| !gang.pending());
        out.look_advanced = look.ways(Gang::advanced);
        out.look_independent = look.independent;
        self.next = next;
        out
    }

    fn tick(&mut self) {
        self.sets.clone_from(&self.next);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Two = GangDirectory<2, 1>;

    fn step(directory: &mut Two, inputs: In<2, 1>) -> Out<2, 1> {
        let out = directory.eval(&inputs);
        directory.tick();
        out
    }

    fn launched() -> Two {
        let mut directory = Two::default();
        let launch =
            In { op_valid: true, op_set: 1, op_group_mask: [0xff, 0, 0, 0], ..In::default() };
        assert!(!step(&mut directory, launch).op_error);
        directory
    }

    #[test]
    fn a_gang_lives_from_launch_to_retirement() {
        let mut directory = launched();
        let fill = In { fill_valid: true, fill_set: 1, fill_control: true, ..In::default() };
        assert_eq!(step(&mut directory, fill).fetchable, [0b10, 0, 0, 0]);
        let ready = In { ready_valid: 0xff, ready_set: [1; 8], ..In::default() };
        assert_eq!(step(&mut directory, ready).issuable, [0; 4]);
        let issue = In { issue: [0b10, 0, 0, 0], ..In::default() };
        let out = step(&mut directory, issue.clone());
        assert_eq!((out.issuable, out.issue_error), ([0b10, 0, 0, 0], false));
        assert!(step(&mut directory, issue).issue_error, "it has just issued");
        let retire = In { op_valid: true, op_code: 4, op_set: 1, op_ways: 1, ..In::default() };
        assert!(!step(&mut directory, retire.clone()).op_error);
        assert!(step(&mut directory, retire).op_error, "it is gone");
        assert_eq!(directory, Two::default());
    }

    #[test]
    fn the_last_warp_of_a_gang_goes_on_alone() {
        let mut directory = launched();
        let exit = |mask| In { exit_valid: mask, exit_set: [1; 8], ..In::default() };
        assert_eq!(step(&mut directory, exit(0b0011_1111)).exit_error, 0);
        assert_eq!(step(&mut directory, exit(0b0100_0001)).exit_error, 1);
        let out = step(&mut directory, exit(0b1000_0000));
        assert_eq!((out.gang_mask, out.independent[7]), ([0; 32], 0b10));
        assert_eq!(directory, Two::default());
    }
}
