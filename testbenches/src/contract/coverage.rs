//! What a run has shown: bits at 0 and 1, states, transitions; what is missing needs a reason.

use std::collections::BTreeSet;

use lanewise_sim::units::Io;

use super::binding::{Binding, Exception, StateOf};
use super::Registers;
use crate::image::{bits_at, Layout};

/// Which bits of a value were seen at 0 and which at 1.
#[derive(Clone, Debug)]
pub struct BitsSeen {
    width: usize,
    zeros: Vec<u32>,
    ones: Vec<u32>,
}

impl BitsSeen {
    /// Nothing seen yet of `width` bits.
    pub fn new(width: usize) -> Self {
        let words = width.div_ceil(32);
        Self { width, zeros: vec![0; words], ones: vec![0; words] }
    }

    /// The bits watched.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Takes in a value.
    pub fn see_all(&mut self, value: &[u32]) {
        for word in 0..self.ones.len() {
            self.ones[word] |= value[word];
            self.zeros[word] |= !value[word];
        }
    }

    /// Takes in the bits of a value where `mask` is one.
    pub fn see(&mut self, value: &[u32], mask: &[u32]) {
        for word in 0..self.ones.len() {
            self.ones[word] |= value[word] & mask[word];
            self.zeros[word] |= !value[word] & mask[word];
        }
    }

    /// The bit was seen at both values.
    pub fn covered(&self, bit: usize) -> bool {
        bits_at(&self.zeros, bit, 1) & bits_at(&self.ones, bit, 1) != 0
    }
}

/// What the lockstep run of one block has shown.
pub(super) struct Coverage<'a, I, O> {
    binding: &'a Binding<I, O>,
    layout: Layout,
    outputs: Vec<BitsSeen>,
    states: BTreeSet<usize>,
    moves: BTreeSet<(usize, usize)>,
    before: Option<Vec<usize>>,
}

impl<'a, I: Io, O: Io> Coverage<'a, I, O> {
    pub(super) fn new(binding: &'a Binding<I, O>) -> Self {
        let layout = Layout::of::<O>();
        let outputs = layout.fields().iter().map(|field| BitsSeen::new(field.bits())).collect();
        let (states, moves) = Default::default();
        Self { binding, layout, outputs, states, moves, before: None }
    }

    /// Whether the state machine is seen in the registers, which then must be looked at every cycle.
    pub(super) fn watches_registers(&self) -> bool {
        self.binding.machine.as_ref().is_some_and(|m| matches!(m.of, StateOf::Registers(_)))
    }

    /// Takes in the outputs and registers of a cycle.
    pub(super) fn see(&mut self, outputs: &O, registers: &Registers) {
        let mut image = vec![0; O::WORDS];
        outputs.pack(&mut image);
        let meaning = self.layout.meaning(&image);
        for (index, seen) in self.outputs.iter_mut().enumerate() {
            seen.see(self.layout.field(index, &image), self.layout.field(index, &meaning));
        }
        if let Some(machine) = &self.binding.machine {
            let now = match machine.of {
                StateOf::Outputs(of) => of(outputs),
                StateOf::Registers(of) => of(registers),
            };
            self.states.extend(&now);
            for (from, to) in self.before.iter().flatten().zip(&now) {
                self.moves.insert((*from, *to));
            }
            self.before = Some(now);
        }
    }

    /// The next cycle does not follow from the last: a reset or a fresh start lies between.
    pub(super) fn interrupt(&mut self) {
        self.before = None;
    }

    /// Everything that is neither covered nor excused, and every excuse that was not needed.
    pub(super) fn gaps(&self, registers: &Registers) -> Vec<String> {
        let outputs = self.layout.fields().iter().map(|field| field.name).zip(&self.outputs);
        let mut gaps = Vec::new();
        let mut excused = vec![false; self.binding.exceptions.len()];
        for (kind, name, seen) in (outputs.map(|(name, seen)| ("output", name, seen)))
            .chain(registers.seen().map(|(name, seen)| ("register", name, seen)))
        {
            self.bit_gaps(kind, name, seen, &mut gaps, &mut excused);
        }
        self.machine_gaps(&mut gaps, &mut excused);
        let unused = self.binding.exceptions.iter().zip(&excused).filter(|(_, used)| !**used);
        gaps.extend(unused.map(|(exception, _)| {
            let Exception { of, bits, .. } = exception;
            format!("the exception for {of} bits {bits:?} matches nothing: delete it")
        }));
        gaps
    }

    fn bit_gaps(
        &self,
        kind: &str,
        name: &str,
        seen: &BitsSeen,
        gaps: &mut Vec<String>,
        excused: &mut [bool],
    ) {
        let exceptions = &self.binding.exceptions;
        let mut stuck = Vec::new();
        let mut stale = Vec::new();
        for bit in 0..seen.width() {
            let excuse = (0..exceptions.len())
                .find(|&at| exceptions[at].bits.contains(&bit) && matches(exceptions[at].of, name));
            match (seen.covered(bit), excuse) {
                (true, Some(_)) => stale.push(bit),
                (false, None) => stuck.push(bit),
                _ => {}
            }
            excuse.into_iter().for_each(|at| excused[at] = true);
        }
        if !stuck.is_empty() {
            gaps.push(format!("{kind} {name}: bits {} never seen at both values", ranges(&stuck)));
        }
        if !stale.is_empty() {
            gaps.push(format!("{kind} {name}: bits {} are excepted but covered", ranges(&stale)));
        }
    }

    fn machine_gaps(&self, gaps: &mut Vec<String>, excused: &mut [bool]) {
        let Some(machine) = &self.binding.machine else { return };
        let name = |state: usize| machine.states.get(state).copied().unwrap_or("unknown state");
        let known = 0..machine.states.len();
        gaps.extend(
            known
                .clone()
                .filter(|state| !self.states.contains(state))
                .map(|state| format!("state {} never reached", name(state))),
        );
        gaps.extend(
            self.states
                .iter()
                .filter(|state| !known.contains(state))
                .map(|state| format!("state number {state} reached, which has no name")),
        );
        let mut judge = |(from, to): (usize, usize)| {
            let arrow = format!("{} -> {}", name(from), name(to));
            let excuse = self.binding.exceptions.iter().position(|e| e.of == arrow);
            excuse.into_iter().for_each(|at| excused[at] = true);
            match (self.moves.contains(&(from, to)), excuse) {
                (true, Some(_)) => gaps.push(format!("transition {arrow} is excepted but taken")),
                (false, None) => gaps.push(format!("transition {arrow} never taken")),
                _ => {}
            }
        };
        machine.transitions.iter().copied().for_each(&mut judge);
        let illegal = self.moves.iter().filter(|m| m.0 != m.1 && !machine.transitions.contains(m));
        for (from, to) in illegal {
            gaps.push(format!("illegal transition {} -> {}", name(*from), name(*to)));
        }
    }
}

/// `pattern` with `*` for any run of characters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name
            .strip_prefix(start)
            .is_some_and(|tail| (0..=tail.len()).any(|at| matches(rest, &tail[at..]))),
    }
}

/// `0-3, 7` for 0, 1, 2, 3, 7.
fn ranges(bits: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &bit in bits {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == bit => *last = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let show = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(show).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("stamp[*]", "stamp[12]"));
        assert!(matches("*.count_*", "idle.count_0"));
        assert!(!matches("stamp", "stamp[12]"));
        assert!(!matches("*.count", "idle.count_0"));
    }

    #[test]
    fn runs_of_bits_print_short() {
        assert_eq!(ranges(&[0, 1, 2, 3, 7, 9, 10]), "0-3, 7, 9-10");
    }
}
