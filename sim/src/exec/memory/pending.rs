//! What one SM has written to global memory and the other SMs cannot see yet.
//!
//! SMs run side by side for a short while on one unchanging global memory. Each keeps its stores here, sees
//! them itself at once, and leaves its atomics undone; then all are applied in the order of the SMs, so the
//! outcome never depends on who ran first. An access to bytes with an atomic on them has to wait until then.

use super::atomic;
use super::global::{GlobalMemory, PIECE};
use crate::exec::mask::LaneMask;
use crate::ptx::ir::Atomic;

/// Bytes of a granule, the unit in which stores are kept.
const GRANULE: usize = PIECE;
/// Entries of the index at the start; a power of two.
const FIRST_INDEX: usize = 256;

/// Eight bytes of global memory that were written in part or in whole.
#[derive(Debug, Clone, Copy)]
struct Granule {
    /// Index of its first byte, divided by its size.
    at: usize,
    bytes: [u8; GRANULE],
    /// Which of the bytes were written.
    written: u8,
    /// An atomic on it is still to be done.
    atomic: bool,
}

/// An entry of the index: which granule, valid if the stamp is the current one.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    stamp: u32,
    granule: u32,
}

/// An atomic that is still to be done.
#[derive(Debug, Clone)]
struct Undone {
    owner: u32,
    atomic: Atomic,
    lanes: LaneMask,
    /// Where each lane's operand starts.
    offsets: [usize; 32],
    b: [u64; 32],
    c: [u64; 32],
}

/// What an atomic found in memory, for the registers of the warp that asked.
#[derive(Debug, Clone)]
pub struct AtomicResult {
    /// The number that [`Pending::owner`] had when it executed.
    pub owner: u32,
    /// The instruction.
    pub atomic: Atomic,
    /// Its lanes.
    pub lanes: LaneMask,
    /// What each found.
    pub old: [u64; 32],
}

/// See the module's text.
#[derive(Debug, Clone)]
pub struct Pending {
    /// Given to atomics that execute now, so that their results find the way back.
    pub owner: u32,
    granules: Vec<Granule>,
    /// Open addressing by granule number.
    index: Vec<Entry>,
    stamp: u32,
    undone: Vec<Undone>,
}

impl Default for Pending {
    fn default() -> Self {
        Pending {
            owner: 0,
            granules: vec![],
            index: vec![Entry::default(); FIRST_INDEX],
            stamp: 1,
            undone: vec![],
        }
    }
}

impl Pending {
    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.granules.is_empty()
    }

    /// The place of a granule in the index, or where it would go.
    fn probe(&self, at: usize) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = at.wrapping_mul(0x9e37_79b9) >> 7 & mask;
        while self.index[slot].stamp == self.stamp
            && self.granules[self.index[slot].granule as usize].at != at
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn find(&self, at: usize) -> Option<&Granule> {
        let entry = self.index[self.probe(at)];
        (entry.stamp == self.stamp).then(|| &self.granules[entry.granule as usize])
    }

    fn granule(&mut self, at: usize) -> &mut Granule {
        let mut slot = self.probe(at);
        if self.index[slot].stamp != self.stamp {
            if self.granules.len() * 2 >= self.index.len() {
                self.grow();
                slot = self.probe(at);
            }
            let granule = self.granules.len() as u32;
            self.index[slot] = Entry { stamp: self.stamp, granule };
            self.granules.push(Granule { at, bytes: [0; GRANULE], written: 0, atomic: false });
        }
        let granule = self.index[slot].granule as usize;
        &mut self.granules[granule]
    }

    fn grow(&mut self) {
        self.index = vec![Entry::default(); self.index.len() * 2];
        self.stamp = 1;
        for n in 0..self.granules.len() {
            let slot = self.probe(self.granules[n].at);
            self.index[slot] = Entry { stamp: 1, granule: n as u32 };
        }
    }

    fn touched(start: usize, len: usize) -> std::ops::RangeInclusive<usize> {
        start / GRANULE..=(start + len - 1) / GRANULE
    }

    /// Whether an atomic is still to be done on any of the lanes' bytes.
    pub(super) fn is_busy(&self, offsets: &[usize; 32], lanes: LaneMask, len: usize) -> bool {
        !self.undone.is_empty()
            && lanes.lanes().any(|lane| {
                Self::touched(offsets[lane], len).any(|at| self.find(at).is_some_and(|g| g.atomic))
            })
    }

    /// Whether any of the lanes' bytes may have been written.
    pub(super) fn touches(&self, offsets: &[usize; 32], lanes: LaneMask, len: usize) -> bool {
        !self.granules.is_empty()
            && lanes
                .lanes()
                .any(|lane| Self::touched(offsets[lane], len).any(|at| self.find(at).is_some()))
    }

    /// Puts what was written over a copy of memory that starts at `start`.
    pub(super) fn patch(&self, start: usize, bytes: &mut [u8]) {
        for at in Self::touched(start, bytes.len()) {
            let Some(granule) = self.find(at) else { continue };
            for k in 0..GRANULE {
                let position = at * GRANULE + k;
                if granule.written >> k & 1 != 0 && (start..start + bytes.len()).contains(&position)
                {
                    bytes[position - start] = granule.bytes[k];
                }
            }
        }
    }

    /// Keeps a store.
    #[inline]
    pub(super) fn write(&mut self, start: usize, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let (at, k) = ((start + done) / GRANULE, (start + done) % GRANULE);
            let n = (GRANULE - k).min(bytes.len() - done);
            let granule = self.granule(at);
            granule.bytes[k..k + n].copy_from_slice(&bytes[done..done + n]);
            granule.written |= (((1u16 << n) - 1) as u8) << k;
            done += n;
        }
    }

    /// Keeps an atomic.
    pub(super) fn defer(
        &mut self,
        atomic: &Atomic,
        lanes: LaneMask,
        offsets: [usize; 32],
        b: [u64; 32],
        c: [u64; 32],
    ) {
        for lane in lanes.lanes() {
            for at in Self::touched(offsets[lane], atomic.ty.bytes() as usize) {
                self.granule(at).atomic = true;
            }
        }
        self.undone.push(Undone { owner: self.owner, atomic: *atomic, lanes, offsets, b, c });
    }

    /// Applies everything to global memory, stores first, and reports what the atomics found.
    pub fn apply(&mut self, memory: &mut GlobalMemory, mut found: impl FnMut(AtomicResult)) {
        if self.is_empty() {
            return;
        }
        // Those of atomics are among them.
        memory.keep(self.granules.iter().map(|granule| granule.at * GRANULE));
        let all = memory.bytes_mut();
        for granule in &self.granules {
            let start = granule.at * GRANULE;
            if granule.written == u8::MAX {
                all[start..start + GRANULE].copy_from_slice(&granule.bytes);
            } else {
                for k in (0..GRANULE).filter(|k| granule.written >> k & 1 != 0) {
                    all[start + k] = granule.bytes[k];
                }
            }
        }
        for undone in self.undone.drain(..) {
            let Undone { owner, atomic, lanes, offsets, b, c } = undone;
            let mut old = [0; 32];
            for lane in lanes.lanes() {
                let size = atomic.ty.bytes() as usize;
                let cell = &mut all[offsets[lane]..offsets[lane] + size];
                old[lane] = atomic::exchange(&atomic, false, cell, b[lane], c[lane]);
            }
            found(AtomicResult { owner, atomic, lanes, old });
        }
        self.granules.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.index.fill(Entry::default());
            self.stamp = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::layout::GLOBAL_BASE;

    #[test]
    fn stores_are_seen_here_at_once_and_in_memory_later() {
        let mut memory = GlobalMemory::new(&[7; 64]);
        let mut pending = Pending::default();
        pending.write(6, &[1, 2, 3, 4]);
        pending.write(8, &[9]);
        let mut seen = [7u8; 8];
        pending.patch(4, &mut seen);
        assert_eq!(seen, [7, 7, 1, 2, 9, 4, 7, 7]);
        assert_eq!(memory.slice(GLOBAL_BASE + 4, 8), Some(&[7u8; 8][..]));
        pending.apply(&mut memory, |_| unreachable!("no atomic was made"));
        assert_eq!(memory.slice(GLOBAL_BASE + 4, 8), Some(&seen[..]));
        assert!(pending.is_empty());
        let mut seen = [0u8; 8];
        pending.patch(4, &mut seen);
        assert_eq!(seen, [0; 8], "what was applied is no longer pending");
    }

    #[test]
    fn what_was_applied_can_be_taken_back_and_made_again() {
        // The last granule is longer than the memory.
        let mut memory = GlobalMemory::new(&[7; 30]);
        let before = memory.clone();
        let write = |memory: &mut GlobalMemory, value: u8| {
            let mut pending = Pending::default();
            pending.write(6, &[value; 4]);
            pending.write(28, &[value, value]);
            pending.apply(memory, |_| unreachable!("no atomic was made"));
        };
        memory.remember();
        write(&mut memory, 1);
        write(&mut memory, 2);
        let mut after = before.clone();
        write(&mut after, 2);
        let changes = memory.take_back();
        assert_eq!(memory, before);
        memory.make_again(changes);
        assert_eq!(memory, after);
        write(&mut memory, 3);
        memory.take_back();
        write(&mut after, 3);
        assert_eq!(memory, after, "nobody wanted it kept");
    }

    #[test]
    fn the_index_grows_with_what_is_kept() {
        let mut memory = GlobalMemory::new(&vec![0; 80_000]);
        let mut pending = Pending::default();
        for n in 0..10_000usize {
            pending.write(n * 8 % 80_000, &(n as u64).to_le_bytes());
        }
        pending.apply(&mut memory, |_| unreachable!("no atomic was made"));
        for n in [0u64, 1, 255, 256, 9_999] {
            let bytes = memory.slice(GLOBAL_BASE + n * 8, 8);
            assert_eq!(bytes, Some(&n.to_le_bytes()[..]));
        }
    }
}
