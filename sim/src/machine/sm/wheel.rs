//! Events in the order of their cycle: a ring for the near future, a heap for the rest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the ring covers; most latencies are shorter.
const RING: usize = 256;

/// Events of type `E`; events of one cycle come out in the order they went in.
#[derive(Clone, Debug)]
pub struct Wheel<E> {
    ring: Vec<Vec<E>>,
    /// How many events the ring holds.
    near: usize,
    far: BinaryHeap<Reverse<(u64, u64)>>,
    far_events: std::collections::HashMap<u64, E>,
    sequence: u64,
}

impl<E> Wheel<E> {
    /// No events.
    pub fn new() -> Self {
        Wheel {
            ring: (0..RING).map(|_| vec![]).collect(),
            near: 0,
            far: BinaryHeap::new(),
            far_events: Default::default(),
            sequence: 0,
        }
    }

    /// Adds an event; `cycle` is after `now`.
    pub fn push(&mut self, now: u64, cycle: u64, event: E) {
        debug_assert!(cycle > now);
        if cycle - now < RING as u64 {
            self.ring[cycle as usize % RING].push(event);
            self.near += 1;
        } else {
            self.sequence += 1;
            self.far.push(Reverse((cycle, self.sequence)));
            self.far_events.insert(self.sequence, event);
        }
    }

    /// Takes the events of cycle `now` into `out`.
    pub fn take(&mut self, now: u64, out: &mut Vec<E>) {
        while let Some(&Reverse((cycle, sequence))) = self.far.peek() {
            if cycle > now {
                break;
            }
            self.far.pop();
            out.extend(self.far_events.remove(&sequence));
        }
        let slot = &mut self.ring[now as usize % RING];
        self.near -= slot.len();
        out.append(slot);
    }

    /// The first cycle after `now` that has an event.
    pub fn next(&self, now: u64) -> Option<u64> {
        let far = self.far.peek().map(|Reverse((cycle, _))| *cycle);
        let near = (self.near > 0)
            .then(|| {
                (now + 1..now + RING as u64).find(|c| !self.ring[*c as usize % RING].is_empty())
            })
            .flatten();
        match (near, far) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
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
}
