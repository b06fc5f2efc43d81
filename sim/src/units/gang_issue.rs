//! Golden model of `gang_issue`: sorts the gangs that may issue and takes those that fit.

use super::Unit;
use std::cmp::Reverse;

crate::io! {
    /// Inputs. Element w of a flag is way w; bit i of an element is set i.
    pub struct In<const SETS: usize, const SET: usize> {
        /// An original gang is launched.
        launch_valid: bool, 1;
        /// Its set.
        launch_set: u8, SET;
        /// Gangs that may issue.
        issuable: [u32; 4], SETS;
        /// Element 8w + s is slice s of way w.
        gang_mask: [u32; 32], SETS;
        /// Element 4k + w is bit k of the program counter of way w.
        gang_pc: [u32; 128], SETS;
        /// 0 largest, greedy, oldest; 1 greedy, oldest; 2 round robin; 3 lowest PC; 4 smallest first.
        cfg_order: u8, 3;
    }
}

crate::io! {
    /// Outputs.
    pub struct Out<const SETS: usize, const SET: usize, const PICKS: usize> {
        /// Gangs that issue.
        issue: [u32; 4], SETS, from [issuable, gang_mask, gang_pc, cfg_order];
        /// Set of the n-th gang, 0 if there is none.
        pick_set: [u8; PICKS], SET, from [issuable, gang_mask, gang_pc, cfg_order];
        /// Its way, 0 if there is none.
        pick_way: [u8; PICKS], 2, from [issuable, gang_mask, gang_pc, cfg_order];
        /// Its slices, none if there is none.
        pick_mask: [u8; PICKS], 8, from [issuable, gang_mask, gang_pc, cfg_order];
        /// Slices left for warps on their own.
        free_slices: u8, 8, from [issuable, gang_mask, gang_pc, cfg_order];
    }
}

/// A gang that may issue.
#[derive(Clone, Debug)]
struct Candidate {
    set: usize,
    way: usize,
    mask: u8,
    pc: u32,
}

/// After reset all sets are equally old and the gangs before gang 1 are the last to have had their turn.
#[derive(Clone, Debug, PartialEq)]
pub struct GangIssue<const SETS: usize, const SET: usize, const PICKS: usize> {
    /// Sets from the youngest to the oldest; sets in one rank are equally old.
    ages: Vec<Vec<usize>>,
    /// Set and way of the gangs of the last cycle that issued any.
    last: Vec<(usize, usize)>,
    next: (Vec<Vec<usize>>, Vec<(usize, usize)>),
}

impl<const SETS: usize, const SET: usize, const PICKS: usize> Default
    for GangIssue<SETS, SET, PICKS>
{
    fn default() -> Self {
        let ages: Vec<Vec<usize>> = vec![(0..SETS).collect()];
        Self { ages: ages.clone(), last: Vec::new(), next: (ages, Vec::new()) }
    }
}

impl<const SETS: usize, const SET: usize, const PICKS: usize> GangIssue<SETS, SET, PICKS> {
    fn candidates(inputs: &In<SETS, SET>) -> Vec<Candidate> {
        let bit = |plane: u32, set: usize| plane >> set & 1;
        let gangs = (0..SETS).flat_map(|set| (0..4).map(move |way| (set, way)));
        gangs
            .filter(|&(set, way)| bit(inputs.issuable[way], set) != 0)
            .map(|(set, way)| Candidate {
                set,
                way,
                mask: (0..8)
                    .fold(0, |m, s| m | (bit(inputs.gang_mask[8 * way + s], set) as u8) << s),
                pc: (0..32).fold(0, |pc, k| pc | bit(inputs.gang_pc[4 * k + way], set) << k),
            })
            .filter(|gang| gang.mask.count_ones() >= 2)
            .collect()
    }

    /// The smaller the earlier. The last two numbers make it unique.
    fn rank(&self, gang: &Candidate, order: u8) -> (u32, bool, Reverse<usize>, usize, usize) {
        let Candidate { set, way, mask, pc } = *gang;
        let size = mask.count_ones();
        let jaded = !self.last.contains(&(set, way));
        let age = self.ages.iter().position(|rank| rank.contains(&set));
        let age = Reverse(age.expect("every set has an age"));
        let first = self.last.first().copied().unwrap_or((0, 0));
        let had_its_turn = (set, way) <= first;
        match order {
            1 => (0, jaded, age, set, way),
            2 => (0, had_its_turn, Reverse(0), set, way),
            3 => (pc, false, age, set, way),
            4 => (size, jaded, age, set, way),
            _ => (8 - size, jaded, age, set, way),
        }
    }
}

impl<const SETS: usize, const SET: usize, const PICKS: usize> Unit for GangIssue<SETS, SET, PICKS> {
    type In = In<SETS, SET>;
    type Out = Out<SETS, SET, PICKS>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let mut gangs = Self::candidates(inputs);
        gangs.sort_by_key(|gang| self.rank(gang, inputs.cfg_order));
        let mut out = Self::Out { free_slices: 0xff, ..Default::default() };
        let mut picked = Vec::new();
        for gang in &gangs {
            if picked.len() == PICKS || gang.mask & !out.free_slices != 0 {
                continue;
            }
            let n = picked.len();
            out.pick_set[n] = gang.set as u8;
            out.pick_way[n] = gang.way as u8;
            out.pick_mask[n] = gang.mask;
            out.issue[gang.way] |= 1 << gang.set;
            out.free_slices &= !gang.mask;
            picked.push((gang.set, gang.way));
        }

        let mut ages = self.ages.clone();
        if inputs.launch_valid {
            ages.iter_mut().for_each(|rank| rank.retain(|&set| set != inputs.launch_set as usize));
            ages.retain(|rank| !rank.is_empty());
            ages.insert(0, vec![inputs.launch_set as usize]);
        }
        let last = if picked.is_empty() { self.last.clone() } else { picked };
        self.next = (ages, last);
        out
    }

    fn tick(&mut self) {
        (self.ages, self.last) = self.next.clone();
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gangs as set, way and mask; the program counter is the mask's complement.
    fn ready(gangs: &[(usize, usize, u8)], cfg_order: u8) -> In<32, 5> {
        let mut inputs = In { cfg_order, ..In::default() };
        for &(set, way, mask) in gangs {
            inputs.issuable[way] |= 1 << set;
            for b in 0..8 {
                let bit = u32::from(mask >> b & 1);
                inputs.gang_mask[8 * way + b] |= bit << set;
                inputs.gang_pc[4 * b + way] |= (1 - bit) << set;
            }
        }
        inputs
    }

    fn picks(issue: &mut GangIssue<32, 5, 2>, inputs: &In<32, 5>) -> Vec<(u8, u8)> {
        let out = issue.eval(inputs);
        issue.tick();
        (0..2)
            .filter(|&n| out.pick_mask[n] != 0)
            .map(|n| (out.pick_set[n], out.pick_way[n]))
            .collect()
    }

    #[test]
    fn the_largest_gang_goes_first_and_the_next_must_fit() {
        let gangs = [(1, 0, 0b0000_0011), (2, 0, 0b0001_1110), (2, 1, 0b1100_0000)];
        let mut issue = GangIssue::default();
        assert_eq!(picks(&mut issue, &ready(&gangs, 0)), [(2, 0), (2, 1)]);
        assert_eq!(picks(&mut issue, &ready(&gangs, 4)), [(2, 1), (1, 0)]);
        assert_eq!(issue.eval(&ready(&gangs, 0)).free_slices, 0b0010_0001);
    }

    #[test]
    fn greedy_then_oldest() {
        let gangs = [(3, 0, 0xff), (5, 0, 0xff), (9, 0, 0xff)];
        let mut issue = GangIssue::default();
        for launch_set in [9, 5, 3] {
            issue.eval(&In { launch_valid: true, launch_set, ..In::default() });
            issue.tick();
        }
        assert_eq!(picks(&mut issue, &ready(&gangs, 1)), [(9, 0)], "oldest");
        assert_eq!(picks(&mut issue, &ready(&gangs[..2], 1)), [(5, 0)], "next oldest");
        assert_eq!(picks(&mut issue, &ready(&gangs, 1)), [(5, 0)], "greedy");
    }

    #[test]
    fn round_robin_goes_round() {
        let gangs = [(0, 0, 0xff), (0, 2, 0xff), (7, 1, 0xff)];
        let mut issue = GangIssue::default();
        let order: Vec<_> = (0..4).map(|_| picks(&mut issue, &ready(&gangs, 2))[0]).collect();
        assert_eq!(order, [(0, 2), (7, 1), (0, 0), (0, 2)]);
    }

    #[test]
    fn the_lowest_program_counter_goes_first() {
        let gangs = [(0, 0, 0b0011_1111), (1, 0, 0b1111_1100)];
        let mut issue = GangIssue::default();
        assert_eq!(picks(&mut issue, &ready(&gangs, 3)), [(1, 0)]);
    }
}
