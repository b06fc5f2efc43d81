//! Joins the two halves of a folded warp and puts all its results on the bus together.
//!
//! Origami, result collection buffer. A warp that is not folded passes within the cycle; a first half
//! waits in the lowest free entry; a second half leaves with the first half of its tag. What cannot be
//! right (a first half when no entry is free or its tag is already held, a second half without its first)
//! changes nothing and raises `error`. Reset state: every entry free.

use super::split_mask::LANES;
use super::Unit;

crate::io! {
    /// Inputs of [`ResultCollector`].
    pub struct In {
        /// A warp or half-warp arrives.
        half_valid: bool, 1;
        /// Tag of its operation.
        half_tag: u8, 8, valid_by half_valid;
        /// It is one half of a folded warp.
        half_folded: bool, 1, valid_by half_valid;
        /// It is the second half.
        half_last: bool, 1, valid_by half_valid;
        /// Lanes that have a result.
        half_mask: u32, 32, valid_by half_valid;
        /// Result of each lane.
        half_result: [u32; LANES], 32, valid_by half_valid;
        /// Flag result of each lane.
        half_flag: u32, 32, valid_by half_valid;
    }
}

crate::io! {
    /// Outputs of [`ResultCollector`].
    pub struct Out<const ENTRIES: usize> {
        /// A whole warp's results are on the bus.
        valid: bool, 1, from [half_valid, half_tag, half_folded, half_last];
        /// Tag of its operation.
        tag: u8, 8, valid_by valid, from [half_tag];
        /// Lanes that have a result.
        mask: u32, 32, valid_by valid, from [half_tag, half_folded, half_mask];
        /// Result of each lane; one outside `mask` means nothing.
        result: [u32; LANES], 32, valid_by valid, from [half_tag, half_folded, half_result];
        /// Flag result of each lane; one outside `mask` means nothing.
        flag: u32, 32, valid_by valid, from [half_tag, half_folded, half_flag];
        /// Entries that hold a first half.
        busy: u8, ENTRIES;
        /// The half that arrives cannot be right and is ignored.
        error: bool, 1, from [half_valid, half_tag, half_folded, half_last];
    }
}

/// A first half that waits.
#[derive(Clone, Debug, PartialEq)]
struct Half {
    tag: u8,
    mask: u32,
    result: [u32; LANES],
    flag: u32,
}

/// What the edge does.
#[derive(Clone, Debug, Default, PartialEq)]
enum Next {
    #[default]
    Nothing,
    Store(usize, Half),
    Free(usize),
}

/// A buffer of `ENTRIES` first halves, at most eight.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCollector<const ENTRIES: usize> {
    entries: [Option<Half>; ENTRIES],
    next: Next,
}

impl<const ENTRIES: usize> Default for ResultCollector<ENTRIES> {
    fn default() -> Self {
        Self { entries: std::array::from_fn(|_| None), next: Next::Nothing }
    }
}

impl<const ENTRIES: usize> Unit for ResultCollector<ENTRIES> {
    type In = In;
    type Out = Out<ENTRIES>;

    fn eval(&mut self, inputs: &In) -> Out<ENTRIES> {
        let tag = inputs.half_tag;
        let mut out = Out {
            tag,
            mask: inputs.half_mask,
            result: inputs.half_result,
            flag: inputs.half_flag,
            busy: (0..ENTRIES)
                .fold(0, |busy, at| busy | u8::from(self.entries[at].is_some()) << at),
            ..Out::default()
        };
        self.next = Next::Nothing;
        if !inputs.half_valid {
            return out;
        }
        let free = self.entries.iter().position(Option::is_none);
        let held = self
            .entries
            .iter()
            .position(|entry| entry.as_ref().is_some_and(|half| half.tag == tag));
        match (inputs.half_folded, inputs.half_last, held, free) {
            (false, ..) => out.valid = true,
            (true, false, None, Some(at)) => {
                let half = Half { tag, mask: out.mask, result: out.result, flag: out.flag };
                self.next = Next::Store(at, half);
            }
            (true, true, Some(at), _) => {
                out.valid = true;
                self.next = Next::Free(at);
                out = join(self.entries[at].as_ref().expect("it is held"), out);
            }
            _ => out.error = true,
        }
        out
    }

    fn tick(&mut self) {
        match std::mem::take(&mut self.next) {
            Next::Nothing => {}
            Next::Store(at, half) => self.entries[at] = Some(half),
            Next::Free(at) => self.entries[at] = None,
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

/// The first half's lanes over those of the second.
fn join<const ENTRIES: usize>(first: &Half, mut out: Out<ENTRIES>) -> Out<ENTRIES> {
    for lane in (0..LANES).filter(|lane| first.mask >> lane & 1 != 0) {
        out.result[lane] = first.result[lane];
        out.flag = out.flag & !(1 << lane) | first.flag & 1 << lane;
    }
    out.mask |= first.mask;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    type Collector = ResultCollector<4>;

    fn step(collector: &mut Collector, inputs: &In) -> Out<4> {
        let out = collector.eval(inputs);
        collector.tick();
        out
    }

    fn half(tag: u8, last: bool) -> In {
        In {
            half_valid: true,
            half_tag: tag,
            half_folded: true,
            half_last: last,
            half_mask: if last { 0xcccc_cccc } else { 0x3333_3333 },
            half_result: [u32::from(tag) << 8 | u32::from(last); LANES],
            half_flag: if last { u32::MAX } else { 0 },
        }
    }

    #[test]
    fn the_halves_of_a_divide_may_have_an_add_between_them() {
        let mut collector = Collector::default();
        assert!(!step(&mut collector, &half(1, false)).valid);
        assert!(!step(&mut collector, &half(2, false)).valid);
        let add = step(&mut collector, &half(2, true));
        assert_eq!((add.valid, add.tag, add.mask, add.busy), (true, 2, u32::MAX, 0b0011));
        assert_eq!(add.result[..4], [0x200, 0x200, 0x201, 0x201]);
        assert_eq!(add.flag, 0xcccc_cccc);
        let divide = step(&mut collector, &half(1, true));
        assert_eq!((divide.valid, divide.tag, divide.busy), (true, 1, 0b0001));
        assert_eq!(collector, Collector::default());
    }

    #[test]
    fn a_warp_that_is_not_folded_passes_at_once() {
        let mut collector = Collector::default();
        step(&mut collector, &half(7, false));
        let whole = In { half_folded: false, half_mask: u32::MAX, ..half(7, true) };
        let out = step(&mut collector, &whole);
        assert_eq!((out.valid, out.tag, out.busy, out.error), (true, 7, 1, false));
        assert_eq!(out.result, [0x701; LANES]);
        assert!(step(&mut collector, &half(7, true)).valid, "its namesake is still held");
    }

    #[test]
    fn what_cannot_be_right_changes_nothing() {
        let mut collector = Collector::default();
        assert!(step(&mut collector, &half(1, true)).error, "no first half");
        for tag in 1..=4 {
            assert!(!step(&mut collector, &half(tag, false)).error);
        }
        let before = collector.clone();
        assert!(step(&mut collector, &half(4, false)).error, "held already");
        assert!(step(&mut collector, &half(5, false)).error, "full");
        assert!(step(&mut collector, &half(5, true)).error, "never stored");
        assert_eq!(collector, before);
    }
}
