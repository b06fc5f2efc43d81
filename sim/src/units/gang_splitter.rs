//! Golden model of `gang_splitter`: a map from what distinguishes warps to the warps.

use super::Unit;

crate::io! {
    /// Inputs.
    pub struct In<const PC: usize> {
        /// Warps of the gang, bit s is slice s.
        member: u8, 8;
        /// Program counter each warp wants next.
        pc: [u32; 8], PC;
        /// The cause is memory divergence.
        memory: bool, 1;
        /// Members that were ready before.
        ready: u8, 8;
        /// Members made ready in this cycle by a completing memory instruction.
        woken: u8, 8;
        /// On memory divergence: 1 impatient, 2 group, else do not split.
        cfg_memory_split: u8, 2;
    }
}

crate::io! {
    /// Outputs.
    pub struct Out<const PC: usize> {
        /// The gang does not stay whole.
        split: bool, 1, from [member, pc, memory, ready, woken, cfg_memory_split];
        /// Warps of each new gang.
        group_mask: [u8; 4], 8, from [member, pc, memory, ready, woken, cfg_memory_split];
        /// Program counter of each new gang, 0 if there is none.
        group_pc: [u32; 4], PC, from [member, pc, memory, ready, woken, cfg_memory_split];
        /// Warps that go on alone.
        single_mask: u8, 8, from [member, pc, memory, ready, woken, cfg_memory_split];
    }
}

/// Parts a gang; has no state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GangSplitter<const PC: usize>;

impl<const PC: usize> Unit for GangSplitter<PC> {
    type In = In<PC>;
    type Out = Out<PC>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let has = |mask: u8, s: usize| mask >> s & 1 != 0;
        let members: Vec<usize> = (0..8).filter(|&s| has(inputs.member, s)).collect();
        let diverged = members.iter().any(|&s| has(inputs.woken, s))
            && members.iter().any(|&s| !has(inputs.ready, s) && !has(inputs.woken, s));
        // Warps with equal keys stay together.
        let key = |s: usize| match (inputs.memory, diverged, inputs.cfg_memory_split) {
            (false, ..) => inputs.pc[s],
            (true, true, 1) => s as u32,
            (true, true, 2) => has(inputs.woken, s) as u32,
            _ => 0,
        };
        let mut out = Self::Out::default();
        let mut groups = 0;
        for &leader in &members {
            let mates: Vec<usize> =
                members.iter().copied().filter(|&s| key(s) == key(leader)).collect();
            if mates[0] != leader {
                continue;
            }
            let mask = mates.iter().fold(0, |mask, s| mask | 1 << s);
            if mates.len() == 1 {
                out.single_mask |= mask;
            } else {
                out.group_mask[groups] = mask;
                out.group_pc[groups] = inputs.pc[leader];
                groups += 1;
            }
        }
        out.split = out.group_mask[0] != inputs.member;
        out
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::{GangSplitter, Unit};

    type In = super::In<32>;

    fn splitter() -> GangSplitter<32> {
        GangSplitter
    }

    #[test]
    fn equal_program_counters_stay_together() {
        let pc = [10, 20, 10, 30, 20, 10, 40, 99];
        let out = splitter().eval(&In { member: 0b0111_1111, pc, ..In::default() });
        assert_eq!(out.group_mask, [0b010_0101, 0b001_0010, 0, 0]);
        assert_eq!(out.group_pc, [10, 20, 0, 0]);
        assert_eq!(out.single_mask, 0b100_1000);
        assert!(out.split);
    }

    #[test]
    fn a_gang_that_agrees_is_not_split() {
        let out = splitter().eval(&In { member: 0xf0, pc: [7; 8], ..In::default() });
        assert_eq!((out.split, out.group_mask, out.single_mask), (false, [0xf0, 0, 0, 0], 0));
    }

    #[test]
    fn memory_divergence_splits_as_configured() {
        let woken = In { member: 0xff, memory: true, woken: 0b0001_0110, ..In::default() };
        let with = |cfg_memory_split| splitter().eval(&In { cfg_memory_split, ..woken.clone() });
        assert!(!with(0).split && !with(3).split);
        assert_eq!(with(1).single_mask, 0xff);
        assert_eq!(with(2).group_mask, [0b1110_1001, 0b0001_0110, 0, 0]);
        // The last ones to wake find everyone else ready: nothing to split.
        let last = In { ready: 0b1110_1001, cfg_memory_split: 1, ..woken };
        assert!(!splitter().eval(&last).split);
    }
}
