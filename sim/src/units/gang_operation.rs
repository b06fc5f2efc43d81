//! Golden model of `gang_operation`: launch, split, reform and retire on one original gang.

use super::Unit;

crate::io! {
    /// Inputs.
    pub struct In {
        /// There is an operation.
        op_valid: bool, 1;
        /// 0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire; the rest is illegal.
        op_code: u8, 3;
        /// Gangs meant.
        op_ways: u8, 4;
        /// Launch and split: warps of each new gang.
        op_group_mask: [u8; 4], 8;
        /// Launch and split: warps on their own; reform: those to take in.
        op_single_mask: u8, 8;
        /// GangMask of each way.
        set_mask: [u8; 4], 8;
        /// ReadyMask of each way.
        set_ready: [u8; 4], 8;
        /// The way's instruction is in the I-buffers.
        set_valid: u8, 4;
        /// And it is a control instruction.
        set_control: u8, 4;
        /// The way's program counter awaits a branch.
        set_pending: u8, 4;
        /// Warps on their own.
        set_independent: u8, 8;
        /// Gangs that issue in this cycle.
        busy_ways: u8, 4;
        /// Warps that exit in this cycle.
        leaving: u8, 8;
    }
}

crate::io! {
    /// Outputs.
    pub struct Out {
        /// The operation is refused.
        error: bool, 1, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
        /// Ways that change.
        write: u8, 4, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
        /// Their GangMasks.
        new_mask: [u8; 4], 8, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
        /// Their ReadyMasks.
        new_ready: [u8; 4], 8, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, busy_ways, leaving, set_ready, set_valid];
        /// Their valid bits.
        new_valid: u8, 4, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, busy_ways, leaving, set_valid];
        /// Their control bits.
        new_control: u8, 4, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, busy_ways, leaving, set_valid, set_control];
        /// The group whose program counter they take.
        new_group: [u8; 4], 2, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
        /// Warps that are on their own from now on.
        join: u8, 8, from [op_valid, op_code, op_ways, op_group_mask, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
        /// Warps that are no longer on their own.
        leave: u8, 8, from [op_valid, op_code, op_ways, op_single_mask, set_mask, set_pending, set_independent, busy_ways, leaving];
    }
}

/// Works out an operation; has no state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GangOperation;

fn has(mask: u8, bit: usize) -> bool {
    mask >> bit & 1 != 0
}

/// Parts that share no warp; their union.
fn disjoint_union(parts: impl IntoIterator<Item = u8>) -> Option<u8> {
    parts.into_iter().try_fold(0, |all, part| (all & part == 0).then_some(all | part))
}

impl In {
    fn ways(&self) -> impl Iterator<Item = usize> + '_ {
        (0..4).filter(|&w| has(self.op_ways, w))
    }

    /// Gangs of two warps or more and single warps, each warp once.
    fn new_gangs(&self) -> Option<u8> {
        let pairs = self.op_group_mask.iter().all(|mask| mask.count_ones() != 1);
        disjoint_union(self.op_group_mask.into_iter().chain([self.op_single_mask]))
            .filter(|_| pairs)
    }

    /// Puts group n in the n-th of these ways. None if a group finds no place.
    fn place(&self, vacant: impl Iterator<Item = usize>, out: &mut Out) -> Option<()> {
        let mut placed = 0;
        for (group, way) in vacant.enumerate() {
            out.write |= 1 << way;
            out.new_mask[way] = self.op_group_mask[group];
            out.new_group[way] = group as u8;
            placed = group + 1;
        }
        self.op_group_mask[placed..].iter().all(|mask| *mask == 0).then_some(())
    }

    fn launch(&self, out: &mut Out) -> Option<()> {
        if self.set_mask != [0; 4] || self.set_independent != 0 || self.new_gangs()? == 0 {
            return None;
        }
        out.join = self.op_single_mask;
        self.place(0..4, out)
    }

    fn split(&self, by_memory: bool, out: &mut Out) -> Option<()> {
        let way = self.only_way()?;
        let parent = self.set_mask[way];
        if self.new_gangs()? != parent || has(self.set_pending, way) == by_memory {
            return None;
        }
        self.place((0..4).filter(|&w| self.set_mask[w] == 0 || w == way), out)?;
        out.join = self.op_single_mask;
        if by_memory {
            for w in (0..4).filter(|&w| out.new_mask[w] != 0) {
                out.new_ready[w] = self.set_ready[way] & out.new_mask[w];
                out.new_valid |= (has(self.set_valid, way) as u8) << w;
            }
            out.new_control = if has(self.set_control, way) { out.new_valid } else { 0 };
        }
        Some(())
    }

    fn reform(&self, out: &mut Out) -> Option<()> {
        let singles = self.op_single_mask;
        if self.ways().any(|w| self.set_mask[w] == 0 || has(self.set_pending, w))
            || singles & !self.set_independent != 0
            || singles & self.leaving != 0
            || self.op_ways.count_ones() + singles.count_ones() < 2
        {
            return None;
        }
        let target = self.ways().next().or((0..4).find(|&w| self.set_mask[w] == 0))?;
        out.write = self.op_ways | 1 << target;
        out.leave = singles;
        out.new_mask[target] = self.ways().fold(singles, |mask, w| mask | self.set_mask[w]);
        // A single warp's I-buffer is not known here: then the gang fetches again.
        if singles == 0 && self.ways().all(|w| has(self.set_valid, w)) {
            out.new_ready[target] = self.ways().fold(0, |mask, w| mask | self.set_ready[w]);
            out.new_valid = 1 << target;
            out.new_control = (self.ways().any(|w| has(self.set_control, w)) as u8) << target;
        }
        Some(())
    }

    fn retire(&self, out: &mut Out) -> Option<()> {
        out.write = 1 << self.only_way()?;
        Some(())
    }

    /// The one gang that is meant.
    fn only_way(&self) -> Option<usize> {
        let way = self.ways().next()?;
        (self.op_ways.count_ones() == 1 && self.set_mask[way] != 0).then_some(way)
    }

    fn apply(&self) -> Option<Out> {
        let mut out = Out::default();
        if self.op_code == 0 {
            self.launch(&mut out)?;
            return Some(out);
        }
        // Exits and issues of this cycle come first.
        if self.op_ways & self.busy_ways != 0
            || self.ways().any(|w| self.set_mask[w] & self.leaving != 0)
        {
            return None;
        }
        match self.op_code {
            1 => self.split(false, &mut out)?,
            2 => self.split(true, &mut out)?,
            3 => self.reform(&mut out)?,
            4 => self.retire(&mut out)?,
            _ => return None,
        }
        Some(out)
    }
}

impl Unit for GangOperation {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let idle = Out::default();
        match inputs.op_valid {
            false => idle,
            true => inputs.apply().unwrap_or(Out { error: true, ..idle }),
        }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(inputs: In) -> Out {
        GangOperation.eval(&In { op_valid: true, ..inputs })
    }

    #[test]
    fn a_launch_needs_an_empty_set() {
        let launch = In { op_group_mask: [0xff, 0, 0, 0], ..In::default() };
        let out = run(launch.clone());
        assert_eq!((out.error, out.new_mask), (false, [0xff, 0, 0, 0]));
        assert!(run(In { set_independent: 1, ..launch }).error);
    }

    #[test]
    fn a_split_takes_vacant_ways_in_order() {
        let split = In {
            op_code: 1,
            op_ways: 0b0010,
            op_group_mask: [0b0000_0011, 0b0001_1000, 0, 0],
            op_single_mask: 0b0000_0100,
            set_mask: [0b1100_0000, 0b0001_1111, 0, 0],
            set_pending: 0b0010,
            ..In::default()
        };
        let out = run(split.clone());
        assert_eq!((out.error, out.write), (false, 0b1110));
        assert_eq!(out.new_mask, [0, 0b0000_0011, 0b0001_1000, 0]);
        assert_eq!((out.new_group[1], out.new_group[2], out.join), (0, 1, 0b100));
        assert!(run(In { op_single_mask: 0, ..split.clone() }).error, "loses a warp");
        assert!(run(In { op_single_mask: 0b1100, ..split.clone() }).error, "has a warp twice");
        assert!(run(In { op_ways: 0b0100, ..split.clone() }).error, "is no gang");
        assert!(run(In { set_pending: 0, ..split.clone() }).error, "awaits no branch");
        assert!(run(In { leaving: 0b1, ..split.clone() }).error, "loses a member now");
        assert!(!run(In { leaving: 0x80, ..split }).error, "another gang does");
    }

    #[test]
    fn a_reformed_gang_fetches_again_if_a_single_warp_joins() {
        let gangs = In {
            op_code: 3,
            op_ways: 0b1010,
            set_mask: [0, 0b11, 0, 0b1100],
            set_ready: [0, 0b01, 0, 0b1100],
            set_valid: 0b1010,
            set_independent: 0xf0,
            ..In::default()
        };
        let out = run(gangs.clone());
        assert_eq!((out.write, out.new_mask[1], out.new_mask[3]), (0b1010, 0b1111, 0));
        assert_eq!((out.new_valid, out.new_ready[1]), (0b0010, 0b1101));
        let out = run(In { op_single_mask: 0x10, ..gangs });
        assert_eq!((out.new_mask[1], out.new_valid, out.leave), (0b1_1111, 0, 0x10));
    }

    #[test]
    fn retiring_an_empty_way_is_refused() {
        assert!(run(In { op_code: 4, op_ways: 1, ..In::default() }).error);
    }
}
