//! Events in the order of their cycle: a ring for the near future, a heap for the rest.
//!
//! All events lie in one pool and each cycle of the ring is a queue through it, so that a machine's wheels fit into the
//! cache, and copies of a machine, of which the oracle makes many, cost no more than their bytes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the ring covers; most latencies are shorter.
const RING: usize = 256;
/// Cycles whose queues a word tells to be empty or not.
const WORD: usize = u64::BITS as usize;
/// A place of the pool that is none.
const NONE: u32 = u32::MAX;

/// The events of a cycle, first and last.
#[derive(Clone, Copy, Debug)]
struct Queue {
    first: u32,
    last: u32,
}

/// Events of type `E`; those of one cycle come out in the order they went in: whoever found it far away came first.
#[derive(Clone, Debug)]
pub struct Wheel<E> {
    /// Every event, and the place of the next one of its cycle, or of the next free one.
    pool: Vec<(E, u32)>,
    /// The first free place.
    free: u32,
    ring: [Queue; RING],
    /// A bit for each cycle of the ring that has events.
    busy: [u64; RING / WORD],
    /// Cycle, sequence number and place of the events beyond the ring.
    far: BinaryHeap<Reverse<(u64, u64, u32)>>,
    sequence: u64,
}

impl<E: Copy> Wheel<E> {
    /// No events.
    pub fn new() -> Self {
        Wheel {
            pool: vec![],
            free: NONE,
            ring: [Queue { first: NONE, last: NONE }; RING],
            busy: [0; RING / WORD],
            far: BinaryHeap::new(),
            sequence: 0,
        }
    }

    /// Puts an event into the pool and says where.
    fn keep(&mut self, event: E) -> u32 {
        let at = self.free;
        match self.pool.get_mut(at as usize) {
            Some(place) => {
                self.free = place.1;
                *place = (event, NONE);
                at
            }
            None => {
                self.pool.push((event, NONE));
                (self.pool.len() - 1) as u32
            }
        }
    }

    /// Takes an event out of the pool; gives the place of the one behind it too.
    fn release(&mut self, at: u32) -> (E, u32) {
        let place = &mut self.pool[at as usize];
        let out = *place;
        place.1 = self.free;
        self.free = at;
        out
    }

    /// Adds an event; `cycle` is after `now`.
    pub fn push(&mut self, now: u64, cycle: u64, event: E) {
        debug_assert!(cycle > now);
        let at = self.keep(event);
        if cycle - now >= RING as u64 {
            self.sequence += 1;
            self.far.push(Reverse((cycle, self.sequence, at)));
            return;
        }
        let slot = cycle as usize % RING;
        self.busy[slot / WORD] |= 1 << (slot % WORD);
        let queue = &mut self.ring[slot];
        match self.pool.get_mut(queue.last as usize) {
            Some(last) => last.1 = at,
            None => queue.first = at,
        }
        queue.last = at;
    }

    /// Takes the events of cycle `now` into `out`.
    pub fn take(&mut self, now: u64, out: &mut Vec<E>) {
        while let Some(&Reverse((cycle, _, at))) = self.far.peek() {
            if cycle > now {
                break;
            }
            self.far.pop();
            out.push(self.release(at).0);
        }
        let slot = now as usize % RING;
        let mut at =
            std::mem::replace(&mut self.ring[slot], Queue { first: NONE, last: NONE }).first;
        while at != NONE {
            let (event, next) = self.release(at);
            out.push(event);
            at = next;
        }
        self.busy[slot / WORD] &= !(1 << (slot % WORD));
    }

    /// The first cycle after `now` that has an event.
    pub fn next(&self, now: u64) -> Option<u64> {
        let far = self.far.peek().map(|Reverse((cycle, ..))| *cycle);
        let near = self.ahead((now + 1) as usize % RING).map(|ahead| now + 1 + ahead);
        match (near, far) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// How far the first busy slot of the ring lies ahead of this one.
    fn ahead(&self, from: usize) -> Option<u64> {
        let (word, bit) = (from / WORD, from % WORD);
        let rest = self.busy[word] >> bit;
        if rest != 0 {
            return Some(rest.trailing_zeros().into());
        }
        // The last word is the first one again: its bits before `from` lie farthest ahead.
        let words = self.busy.len();
        let step = (1..=words).find(|step| self.busy[(word + step) % words] != 0)?;
        let found = self.busy[(word + step) % words].trailing_zeros() as usize;
        Some((step * WORD - bit + found) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_in_their_cycle_near_or_far() {
        let mut wheel = Wheel::new();
        wheel.push(0, 5, 'a');
        wheel.push(0, 1000, 'c');
        wheel.push(0, 5, 'b');
        assert_eq!(wheel.next(0), Some(5));
        let mut out = vec![];
        wheel.take(5, &mut out);
        assert_eq!(out, ['a', 'b']);
        assert_eq!(wheel.next(5), Some(1000));
        out.clear();
        wheel.take(1000, &mut out);
        assert_eq!(out, ['c']);
        assert_eq!(wheel.next(1000), None);
    }

    #[test]
    fn every_event_is_found_wherever_the_ring_begins() {
        let mut out = vec![];
        for now in 0..2 * RING as u64 {
            for ahead in [1, 2, 63, 64, 65, 128, 254, 255, 256, 257, 600] {
                let mut wheel = Wheel::new();
                wheel.push(now, now + ahead, ahead);
                assert_eq!(wheel.next(now), Some(now + ahead), "{now} + {ahead}");
                wheel.take(now + ahead, &mut out);
                assert_eq!((out.pop(), wheel.next(now + ahead)), (Some(ahead), None));
            }
        }
    }

    #[test]
    fn places_are_used_again_and_order_is_kept() {
        let mut wheel = Wheel::new();
        let mut out = vec![];
        for now in 0..10_000u64 {
            out.clear();
            wheel.take(now, &mut out);
            // An event is the cycle in which it went in and its number there; all are due now.
            let due = |(at, n): &(u64, u64)| at + 1 + (at * 7 + n / 3 * 131) % 400 == now;
            assert!(out.iter().all(due), "{now}: {out:?}");
            assert!(out.windows(2).all(|two| two[0] < two[1]), "{now}: {out:?}");
            for n in 0..6 {
                wheel.push(now, now + 1 + (now * 7 + n / 3 * 131) % 400, (now, n));
            }
        }
        assert!(wheel.pool.len() <= 6 * 401, "{}", wheel.pool.len());
    }
}
