//! The registers of a stepped block: found by their hardware description, read through a rust-hdl probe.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lanewise_hw::register::is_register;
use lanewise_sim::units::{Io, Unit};
use rust_hdl::prelude::{Atom, Block, Probe};

use super::coverage::BitsSeen;
use crate::rtl::RtlUnit;

/// The registers of a block and their values when they were last looked at.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    names: Vec<String>,
    values: Vec<Vec<u32>>,
    seen: Vec<BitsSeen>,
    /// From rust-hdl's signal number to ours.
    index: HashMap<usize, usize>,
}

impl Registers {
    /// Finds the registers of a block and of all its children.
    pub fn of(block: &dyn Block) -> Self {
        let mut found = Find::default();
        block.accept("top", &mut found);
        found.registers
    }

    /// The value of a register of at most 64 bits, by its path: `phase`, `idle.count_0`, `stamp[3]`.
    ///
    /// # Panics
    /// If there is no such register.
    pub fn get(&self, name: &str) -> u64 {
        let Some(index) = self.names.iter().position(|known| known == name) else {
            panic!("no register {name}; there are {:?}", self.names);
        };
        let value = &self.values[index];
        value.iter().take(2).rev().fold(0, |sum, word| sum << 32 | u64::from(*word))
    }

    /// Every register with the bits it was seen to hold.
    pub fn seen(&self) -> impl Iterator<Item = (&str, &BitsSeen)> {
        self.names.iter().map(String::as_str).zip(&self.seen)
    }

    /// Bits of all registers.
    pub fn bits(&self) -> usize {
        self.seen.iter().map(BitsSeen::width).sum()
    }

    fn look(&mut self, block: &dyn Block) {
        block.accept("top", &mut Read(self));
        for (seen, value) in self.seen.iter_mut().zip(&self.values) {
            seen.see_all(value);
        }
    }
}

#[derive(Default)]
struct Find {
    path: Vec<(String, bool)>,
    registers: Registers,
}

impl Probe for Find {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.path.push((readable(name), is_register(&node.hdl())));
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let in_register = self.path.last().is_some_and(|(_, register)| *register);
        let Some(element) = name.strip_prefix('q').filter(|_| in_register) else { return };
        let scopes: Vec<&str> = self.path.iter().skip(1).map(|(name, _)| name.as_str()).collect();
        let registers = &mut self.registers;
        registers.index.insert(signal.id(), registers.names.len());
        registers.names.push(format!("{}{}", scopes.join("."), readable(element)));
        registers.values.push(vec![0; signal.bits().div_ceil(32)]);
        registers.seen.push(BitsSeen::new(signal.bits()));
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
}

/// rust-hdl's `stamp$3` as people write it: `stamp[3]`.
fn readable(name: &str) -> String {
    match name.split_once('$') {
        Some((array, index)) => format!("{array}[{}]", index.replace('$', "][")),
        None => name.into(),
    }
}

struct Read<'a>(&'a mut Registers);

impl Probe for Read<'_> {
    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        if let Some(index) = self.0.index.get(&signal.id()) {
            // Printed as `32'hdeadbeef`; rust-hdl gives no other way to any value's bits.
            let text = format!("{:x}", signal.verilog());
            let digits = text.rsplit('h').next().unwrap_or_default().as_bytes();
            let value = &mut self.0.values[*index];
            value.fill(0);
            for (at, digit) in digits.iter().rev().enumerate() {
                let digit = (*digit as char).to_digit(16).unwrap_or_default();
                value[at / 8] |= digit << (at % 8 * 4);
            }
        }
    }
}

/// Stepped RTL whose registers are looked at now and then while it runs.
pub(super) struct Probed<I, O> {
    unit: RtlUnit<I, O>,
    registers: Shared,
    every: usize,
    due: usize,
}

/// Registers seen by a [`Probed`] unit, for whoever counts coverage.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Registers>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Registers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Io, O: Io> Probed<I, O> {
    /// Adds what is seen to `registers`. Looks in each cycle if `always`, else as often as affordable.
    pub(super) fn new(unit: RtlUnit<I, O>, registers: &Shared, always: bool) -> Self {
        let found = Registers::of(unit.block());
        // A look costs about 10 ns a bit, a step of the RTL some microseconds.
        let every = if always { 1 } else { 1 + found.bits() / 256 * 2 };
        let mut shared = registers.lock();
        if shared.names.is_empty() {
            *shared = found;
        } else {
            // A new instance of the same block: its signals have other numbers, in the same order.
            shared.index = found.index;
        }
        drop(shared);
        Self { unit, registers: registers.clone(), every, due: 0 }
    }
}

impl<I: Io, O: Io> Unit for Probed<I, O> {
    type In = I;
    type Out = O;

    fn eval(&mut self, inputs: &I) -> O {
        let outputs = self.unit.eval(inputs);
        if self.due == 0 {
            self.registers.lock().look(self.unit.block());
            self.due = self.every;
        }
        self.due -= 1;
        outputs
    }

    fn tick(&mut self) {
        self.unit.tick();
    }

    fn reset(&mut self) {
        self.unit.reset();
    }
}
