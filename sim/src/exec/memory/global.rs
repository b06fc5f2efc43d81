//! Global memory: named allocations with unmapped gaps between them, so that running over the end of one is
//! noticed and explained.

use crate::ptx::layout::GLOBAL_BASE;

/// Alignment of every allocation, that of a CUDA allocation.
const ALIGNMENT: u64 = 256;
/// At least this much lies unmapped behind an allocation.
const GAP: u64 = 256;

/// A named piece of global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// What errors call it.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub len: u64,
}

/// All of global memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GlobalMemory {
    /// Backs every address from [`GLOBAL_BASE`], gaps included.
    bytes: Vec<u8>,
    /// By address.
    allocations: Vec<Allocation>,
    /// What SMs have overwritten since [`GlobalMemory::remember`].
    overwritten: Option<Vec<Piece>>,
}

/// Bytes of a [`Piece`].
pub(super) const PIECE: usize = 8;

/// A few bytes that are not in memory now: what was there before, or what will be there again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    /// Index of its first byte.
    start: usize,
    bytes: [u8; PIECE],
}

impl Piece {
    /// Changes places with what is in memory, which may end before the piece does.
    fn swap(&mut self, memory: &mut [u8]) {
        let end = memory.len().min(self.start + PIECE);
        memory[self.start..end].swap_with_slice(&mut self.bytes[..end - self.start]);
    }
}

/// What was taken back, oldest first.
#[derive(Debug, Default)]
pub struct Changes(Vec<Piece>);

impl GlobalMemory {
    /// The memory a module starts with: its own variables.
    pub fn new(image: &[u8]) -> GlobalMemory {
        let mut memory = GlobalMemory::default();
        if !image.is_empty() {
            let address = memory.allocate("module variables", image.len() as u64);
            debug_assert_eq!(address, GLOBAL_BASE);
            memory.bytes[..image.len()].copy_from_slice(image);
        }
        memory
    }

    /// Adds a zeroed allocation and returns its address.
    pub fn allocate(&mut self, name: &str, len: u64) -> u64 {
        let top = self.allocations.last().map_or(GLOBAL_BASE, |a| a.address + a.len + GAP);
        let address = top.next_multiple_of(ALIGNMENT);
        self.allocations.push(Allocation { name: name.into(), address, len });
        self.bytes.resize((address + len - GLOBAL_BASE) as usize, 0);
        address
    }

    /// Every allocation, by address.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The bytes of an address range inside one allocation.
    pub fn slice(&self, address: u64, len: u64) -> Option<&[u8]> {
        let (start, size, base) = self.find(address)?;
        let offset = address - start;
        let first = base + offset as usize;
        (len <= size - offset).then(|| &self.bytes[first..first + len as usize])
    }

    /// The bytes of an address range inside one allocation, to write.
    pub fn slice_mut(&mut self, address: u64, len: u64) -> Option<&mut [u8]> {
        let (start, size, base) = self.find(address)?;
        let offset = address - start;
        let first = base + offset as usize;
        (len <= size - offset).then(|| &mut self.bytes[first..first + len as usize])
    }

    /// Start, length and index of the first byte of the allocation that holds an address.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<(u64, u64, usize)> {
        let at = self.allocations.partition_point(|a| a.address <= address).checked_sub(1)?;
        let a = &self.allocations[at];
        // The end itself belongs to the allocation, so that an empty slice there is not an error.
        (address - a.address <= a.len).then_some((
            a.address,
            a.len,
            (a.address - GLOBAL_BASE) as usize,
        ))
    }

    /// Keeps from now on what SMs overwrite, so that a machine can try something on a memory that is too large to be copied.
    pub fn remember(&mut self) {
        debug_assert!(self.overwritten.is_none(), "somebody else's would be lost");
        self.overwritten = Some(vec![]);
    }

    /// Puts back what SMs have overwritten since [`GlobalMemory::remember`], and keeps no more.
    pub fn take_back(&mut self) -> Changes {
        let mut pieces = self.overwritten.take().unwrap_or_default();
        pieces.iter_mut().rev().for_each(|piece| piece.swap(&mut self.bytes));
        Changes(pieces)
    }

    /// Makes changes again that were taken back, on the memory as it was then.
    pub fn make_again(&mut self, changes: Changes) {
        changes.0.into_iter().for_each(|mut piece| piece.swap(&mut self.bytes));
    }

    /// Keeps what is at these pieces, if anybody wants it; a piece is `PIECE` bytes from a multiple of that on.
    pub(super) fn keep(&mut self, pieces: impl Iterator<Item = usize>) {
        let Some(kept) = &mut self.overwritten else { return };
        kept.extend(pieces.map(|start| {
            let mut bytes = [0; PIECE];
            let there = &self.bytes[start..self.bytes.len().min(start + PIECE)];
            bytes[..there.len()].copy_from_slice(there);
            Piece { start, bytes }
        }));
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// A sentence about where an address lies relative to the allocations.
    pub fn describe(&self, address: u64) -> String {
        let at = self.allocations.partition_point(|a| a.address <= address);
        let below = at.checked_sub(1).map(|at| &self.allocations[at]);
        match (below, self.allocations.get(at)) {
            (Some(a), _) if address < a.address + a.len => {
                let inside = address - a.address;
                format!("it starts {inside} bytes into `{}`, which has {} bytes", a.name, a.len)
            }
            (Some(a), next) => {
                let past = address - (a.address + a.len);
                match next {
                    Some(b) if b.address - address < past => format!(
                        "it is {} bytes before `{}` ({} bytes)",
                        b.address - address,
                        b.name,
                        b.len
                    ),
                    _ => {
                        format!("it is {past} bytes past the end of `{}` ({} bytes)", a.name, a.len)
                    }
                }
            }
            (None, Some(b)) if b.address - address <= 1 << 20 => {
                format!("it is {} bytes before `{}` ({} bytes)", b.address - address, b.name, b.len)
            }
            (None, _) if address < 1 << 16 => "it is close to a null pointer".into(),
            (None, _) => "no buffer is near it".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_apart_and_described() {
        let mut memory = GlobalMemory::new(&[1, 2, 3]);
        let a = memory.allocate("a", 100);
        let b = memory.allocate("b", 0);
        assert_eq!(memory.slice(GLOBAL_BASE, 3), Some(&[1u8, 2, 3][..]));
        assert_eq!(memory.slice(a, 100).map(<[u8]>::len), Some(100));
        assert_eq!(memory.slice(a + 1, 100), None);
        assert_eq!(memory.slice(b, 1), None);
        assert!(a % 256 == 0 && b % 256 == 0 && b >= a + 100 + 256);
        assert_eq!(memory.describe(a + 100), "it is 0 bytes past the end of `a` (100 bytes)");
        assert_eq!(memory.describe(8), "it is close to a null pointer");
    }
}
