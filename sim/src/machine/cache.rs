//! The tags of a set-associative cache, and the miss registers (MSHRs) in front of the next level.
//!
//! Lines are reserved when their miss is sent, so that an access knows the block it will use from the
//! start: `set * ways + way`. Replacement is least recently used among lines that are not reserved.

/// What a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Invalid,
    /// Its data is on the way.
    Reserved,
    Clean,
    Dirty,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    address: u64,
    state: State,
    used: u64,
}

/// What an access found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The data is there, in this block.
    Hit(usize),
    /// The data is on its way to this block.
    OnTheWay(usize),
    /// Not there.
    Miss,
}

/// A line that had to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victim {
    /// Its line address.
    pub address: u64,
    /// Whether it must be written back.
    pub dirty: bool,
}

/// The tags of a cache. Addresses are line addresses.
#[derive(Clone, Debug)]
pub struct Tags {
    sets: usize,
    ways: usize,
    lines: Vec<Line>,
    clock: u64,
}

impl Tags {
    /// An empty cache.
    pub fn new(sets: usize, ways: usize) -> Self {
        let line = Line { address: 0, state: State::Invalid, used: 0 };
        Tags { sets, ways, lines: vec![line; sets * ways], clock: 0 }
    }

    /// Blocks in the cache.
    pub fn blocks(&self) -> usize {
        self.lines.len()
    }

    fn set(&self, address: u64) -> std::ops::Range<usize> {
        let first = (address % self.sets as u64) as usize * self.ways;
        first..first + self.ways
    }

    /// Looks for a line without touching anything.
    pub fn find(&self, address: u64) -> Found {
        for at in self.set(address) {
            let line = &self.lines[at];
            if line.address == address {
                match line.state {
                    State::Invalid => {}
                    State::Reserved => return Found::OnTheWay(at),
                    State::Clean | State::Dirty => return Found::Hit(at),
                }
            }
        }
        Found::Miss
    }

    /// Marks a block as just used.
    pub fn touch(&mut self, block: usize) {
        self.clock += 1;
        self.lines[block].used = self.clock;
    }

    /// Marks a block as changed.
    pub fn dirty(&mut self, block: usize) {
        self.lines[block].state = State::Dirty;
    }

    /// Whether [`Tags::reserve`] would succeed, and what it would drive out.
    pub fn victim(&self, address: u64) -> Option<(usize, Option<Victim>)> {
        let mut best: Option<usize> = None;
        for at in self.set(address) {
            let line = &self.lines[at];
            match line.state {
                State::Invalid => return Some((at, None)),
                State::Reserved => {}
                _ if best.is_none_or(|b| line.used < self.lines[b].used) => best = Some(at),
                _ => {}
            }
        }
        best.map(|at| {
            let line = &self.lines[at];
            (at, Some(Victim { address: line.address, dirty: line.state == State::Dirty }))
        })
    }

    /// Reserves `block`, found by [`Tags::victim`], for a line on its way.
    pub fn reserve(&mut self, block: usize, address: u64) {
        self.clock += 1;
        self.lines[block] = Line { address, state: State::Reserved, used: self.clock };
    }

    /// The data of a reserved line has come.
    pub fn fill(&mut self, address: u64, dirty: bool) -> Option<usize> {
        let found = self.set(address).find(|&at| {
            self.lines[at].address == address && self.lines[at].state == State::Reserved
        })?;
        self.lines[found].state = if dirty { State::Dirty } else { State::Clean };
        Some(found)
    }

    /// Drops a line if it is there (write-evict).
    pub fn evict(&mut self, address: u64) -> Option<usize> {
        match self.find(address) {
            Found::Hit(at) => {
                self.lines[at].state = State::Invalid;
                Some(at)
            }
            _ => None,
        }
    }

    /// Drops everything that is not on its way.
    pub fn invalidate_all(&mut self) {
        for line in &mut self.lines {
            if line.state != State::Reserved {
                line.state = State::Invalid;
            }
        }
    }
}

/// One outstanding miss and who waits for it.
#[derive(Clone, Debug)]
struct Miss<T> {
    address: u64,
    waiters: Vec<T>,
}

/// The miss registers of a cache; each waiter is a `T`.
#[derive(Clone, Debug)]
pub struct Mshrs<T> {
    slots: Vec<Option<Miss<T>>>,
    merges: usize,
    used: usize,
}

/// Why a miss could not be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// All registers are taken.
    Slots,
    /// The register of this line carries all it can.
    Merges,
}

impl<T> Mshrs<T> {
    /// `slots` registers that carry up to `merges` waiters each.
    pub fn new(slots: usize, merges: usize) -> Self {
        Mshrs { slots: (0..slots).map(|_| None).collect(), merges, used: 0 }
    }

    /// Registers taken.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Whether no new line can be registered.
    pub fn is_full(&self) -> bool {
        self.used == self.slots.len()
    }

    /// Adds a waiter to a line that is on its way.
    pub fn merge(&mut self, address: u64, waiter: T) -> Result<(), Full> {
        let merges = self.merges;
        let slot = self.slots.iter_mut().flatten().find(|m| m.address == address);
        match slot {
            Some(miss) if miss.waiters.len() < merges => {
                miss.waiters.push(waiter);
                Ok(())
            }
            _ => Err(Full::Merges),
        }
    }

    /// Registers a new line; returns its slot.
    pub fn start(&mut self, address: u64, waiter: Option<T>) -> Result<usize, Full> {
        let slot = self.slots.iter().position(Option::is_none).ok_or(Full::Slots)?;
        self.slots[slot] = Some(Miss { address, waiters: waiter.into_iter().collect() });
        self.used += 1;
        Ok(slot)
    }

    /// The data of a line has come: its slot and who waited for it.
    pub fn finish(&mut self, address: u64) -> Option<(usize, Vec<T>)> {
        let slot =
            self.slots.iter().position(|m| m.as_ref().is_some_and(|m| m.address == address))?;
        self.used -= 1;
        self.slots[slot].take().map(|miss| (slot, miss.waiters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut tags = Tags::new(1, 2);
        for address in [1, 2] {
            let (block, victim) = tags.victim(address).unwrap();
            assert_eq!(victim, None);
            tags.reserve(block, address);
            assert_eq!(tags.find(address), Found::OnTheWay(block));
            tags.fill(address, address == 1).unwrap();
        }
        tags.touch(0);
        let (block, victim) = tags.victim(3).unwrap();
        assert_eq!((block, victim), (1, Some(Victim { address: 2, dirty: false })));
        tags.reserve(block, 3);
        let (block, victim) = tags.victim(4).unwrap();
        assert_eq!((block, victim), (0, Some(Victim { address: 1, dirty: true })));
        tags.reserve(block, 4);
        assert_eq!(tags.victim(5), None, "every way is reserved");
    }

    #[test]
    fn misses_merge_up_to_their_limit() {
        let mut mshrs = Mshrs::new(2, 2);
        assert_eq!(mshrs.start(10, Some('a')), Ok(0));
        assert_eq!(mshrs.merge(10, 'b'), Ok(()));
        assert_eq!(mshrs.merge(10, 'c'), Err(Full::Merges));
        assert_eq!(mshrs.start(11, None), Ok(1));
        assert_eq!(mshrs.start(12, Some('d')), Err(Full::Slots));
        assert_eq!(mshrs.finish(10), Some((0, vec!['a', 'b'])));
        assert_eq!(mshrs.start(12, Some('d')), Ok(0));
        assert_eq!(mshrs.used(), 2);
    }
}
