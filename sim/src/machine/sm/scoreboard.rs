//! Which registers of each warp are still to be written, and by whom.

/// A set of scoreboard numbers of one warp.
#[derive(Clone, Debug, Default)]
struct Pending(Vec<u64>);

impl Pending {
    fn has(&self, name: u32) -> bool {
        self.0[name as usize / 64] >> (name % 64) & 1 != 0
    }
}

/// What an instruction waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// A load that may leave the SM has not come back.
    Memory,
    /// An operation is still in its pipeline, or in shared memory.
    Arithmetic,
}

/// The scoreboard of one warp.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    memory: Pending,
    arithmetic: Pending,
}

impl Scoreboard {
    /// Forgets everything; `names` registers follow.
    pub fn clear(&mut self, names: usize) {
        for pending in [&mut self.memory, &mut self.arithmetic] {
            pending.0.clear();
            pending.0.resize(names.div_ceil(64), 0);
        }
    }

    /// What stands in the way of an instruction with these hazards.
    #[inline]
    pub fn check(&self, hazards: &[u32]) -> Option<Hazard> {
        let mut found = None;
        for &name in hazards {
            if self.memory.has(name) {
                return Some(Hazard::Memory);
            }
            if self.arithmetic.has(name) {
                found = Some(Hazard::Arithmetic);
            }
        }
        found
    }

    /// Marks registers as pending.
    pub fn reserve(&mut self, names: &[u32], hazard: Hazard) {
        let pending = match hazard {
            Hazard::Memory => &mut self.memory,
            Hazard::Arithmetic => &mut self.arithmetic,
        };
        names.iter().for_each(|n| pending.0[*n as usize / 64] |= 1 << (n % 64));
    }

    /// Marks registers as written, by whomever.
    pub fn release(&mut self, names: &[u32]) {
        for pending in [&mut self.memory, &mut self.arithmetic] {
            names.iter().for_each(|n| pending.0[*n as usize / 64] &= !(1 << (n % 64)));
        }
    }
}
