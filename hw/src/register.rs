//! Registers with a synchronous reset, and registers that need none because a valid bit speaks for them.
//!
//! rust-hdl's own `DFF` has no reset, only an initial value that silicon does not have. These five and
//! [`Ram`] are the only state a Lanewise block may hold: they simulate and export alike.

use rust_hdl::prelude::*;

/// What the emitter is told about a register, carried through rust-hdl's `Verilog::Custom`.
pub(crate) mod tag {
    /// Marks a register cleared by reset.
    pub const RESET: &str = "lanewise:register";
    /// Marks a register without reset; the name of its valid bit follows.
    pub const DATA: &str = "lanewise:data valid_by ";
    /// Marks registers without reset that are written one by one; the name of their valid bits follows.
    pub const SLOTS: &str = "lanewise:slots valid_by ";
    /// Marks a memory; the name of what says which words mean something follows.
    pub const RAM: &str = "lanewise:ram valid_by ";
}

/// Whether a block's hardware description is that of one of the five registers.
pub fn is_register(hdl: &Verilog) -> bool {
    let Verilog::Custom(text) = hdl else { return false };
    text == tag::RESET || text.starts_with(tag::DATA) || text.starts_with(tag::SLOTS)
}

/// A register of type `T`, zero after reset.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Reg<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Present value.
    pub q: Signal<Out, T>,
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// The block's synchronous reset, active high.
    pub reset: Signal<In, Bit>,
}

impl<T: Synth> Logic for Reg<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { T::default() } else { self.d.val() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
        // `dff_setup!` and `clock!` wire it, but rust-hdl's connection checker knows only clock and d.
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(tag::RESET.into())
    }
}

/// `N` registers of `W` bits behind one clock, zero after reset. Faster to step than `N` separate ones.
#[derive(Clone, Debug, LogicBlock)]
pub struct RegArray<const W: usize, const N: usize> {
    /// Next values.
    pub d: [Signal<In, Bits<W>>; N],
    /// Present values.
    pub q: [Signal<Out, Bits<W>>; N],
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// The block's synchronous reset, active high.
    pub reset: Signal<In, Bit>,
}

impl<const W: usize, const N: usize> Default for RegArray<W, N> {
    fn default() -> Self {
        Self {
            d: std::array::from_fn(|_| Signal::default()),
            q: std::array::from_fn(|_| Signal::default()),
            clock: Signal::default(),
            reset: Signal::default(),
        }
    }
}

impl<const W: usize, const N: usize> Logic for RegArray<W, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            for i in 0..N {
                self.q[i].next = if self.reset.val() { Bits::default() } else { self.d[i].val() };
            }
        }
    }
    fn connect(&mut self) {
        self.q.iter_mut().for_each(Logic::connect);
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(tag::RESET.into())
    }
}

/// A register without reset, for data that means nothing until its valid bit is set.
#[derive(Clone, Debug, LogicBlock)]
pub struct DataReg<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Present value.
    pub q: Signal<Out, T>,
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// Unused; present so that every register is wired by the same macro.
    pub reset: Signal<In, Bit>,
    _valid_by: &'static str,
}

impl<T: Synth> DataReg<T> {
    /// `valid_by` names the register of the same block that says when this one means something.
    pub fn valid_by(valid_by: &'static str) -> Self {
        Self {
            d: Signal::default(),
            q: Signal::default(),
            clock: Signal::default(),
            reset: Signal::default(),
            _valid_by: valid_by,
        }
    }
}

impl<T: Synth> Logic for DataReg<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }
    fn connect(&mut self) {
        self.q.connect();
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("{}{}", tag::DATA, self._valid_by))
    }
}

/// `N` registers of `W` bits without reset, for data that means nothing until a valid bit is set.
#[derive(Clone, Debug, LogicBlock)]
pub struct DataRegArray<const W: usize, const N: usize> {
    /// Next values.
    pub d: [Signal<In, Bits<W>>; N],
    /// Present values.
    pub q: [Signal<Out, Bits<W>>; N],
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// Unused; present so that every register is wired by the same macro.
    pub reset: Signal<In, Bit>,
    _valid_by: &'static str,
}

impl<const W: usize, const N: usize> DataRegArray<W, N> {
    /// `valid_by` names the register of the same block that says when these mean something.
    pub fn valid_by(valid_by: &'static str) -> Self {
        Self {
            d: std::array::from_fn(|_| Signal::default()),
            q: std::array::from_fn(|_| Signal::default()),
            clock: Signal::default(),
            reset: Signal::default(),
            _valid_by: valid_by,
        }
    }
}

impl<const W: usize, const N: usize> Logic for DataRegArray<W, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            for i in 0..N {
                self.q[i].next = self.d[i].val();
            }
        }
    }
    fn connect(&mut self) {
        self.q.iter_mut().for_each(Logic::connect);
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("{}{}", tag::DATA, self._valid_by))
    }
}

/// `N` registers of `W` bits without reset that keep what they hold until they are written.
///
/// All that `write` names take the same value. A [`DataRegArray`] whose next values mostly hold the
/// present ones is the same in silicon, but has every simulator copy all of it in every cycle.
#[derive(Clone, Debug, LogicBlock)]
pub struct DataSlots<const W: usize, const N: usize> {
    /// Those to write in this cycle, one bit each.
    pub write: Signal<In, Bits<N>>,
    /// What they take.
    pub d: Signal<In, Bits<W>>,
    /// Present values.
    pub q: [Signal<Out, Bits<W>>; N],
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// Unused; present so that every register is wired by the same macro.
    pub reset: Signal<In, Bit>,
    _valid_by: &'static str,
}

impl<const W: usize, const N: usize> DataSlots<W, N> {
    /// `valid_by` names the register of the same block that says when these mean something.
    pub fn valid_by(valid_by: &'static str) -> Self {
        Self {
            write: Signal::default(),
            d: Signal::default(),
            q: std::array::from_fn(|_| Signal::default()),
            clock: Signal::default(),
            reset: Signal::default(),
            _valid_by: valid_by,
        }
    }
}

impl<const W: usize, const N: usize> Logic for DataSlots<W, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let write = self.write.val();
            for i in (0..N).filter(|&i| write.get_bit(i)) {
                self.q[i].next = self.d.val();
            }
        }
    }
    fn connect(&mut self) {
        self.q.iter_mut().for_each(Logic::connect);
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("{}{}", tag::SLOTS, self._valid_by))
    }
}

/// A memory of `2^A` words of `W` bits: one write port, `R` read ports that answer within the cycle.
///
/// It has no reset, as no RAM has: what a word holds before it is written must not matter, and
/// `valid_by` names what says when it does. A read sees what was written up to the last clock edge.
#[derive(Clone, Debug, LogicBlock)]
pub struct Ram<const W: usize, const A: usize, const R: usize> {
    /// Write in this cycle.
    pub write: Signal<In, Bit>,
    /// The word to write.
    pub write_addr: Signal<In, Bits<A>>,
    /// What to write.
    pub write_data: Signal<In, Bits<W>>,
    /// The word to read at each read port.
    pub read_addr: [Signal<In, Bits<A>>; R],
    /// What it holds.
    pub read_data: [Signal<Out, Bits<W>>; R],
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// Unused; present so that every piece of state is wired by the same macro.
    pub reset: Signal<In, Bit>,
    _words: Vec<Bits<W>>,
    _valid_by: &'static str,
}

impl<const W: usize, const A: usize, const R: usize> Ram<W, A, R> {
    /// `valid_by` names the signal of the same block that says which words mean something.
    pub fn valid_by(valid_by: &'static str) -> Self {
        Self {
            write: Signal::default(),
            write_addr: Signal::default(),
            write_data: Signal::default(),
            read_addr: std::array::from_fn(|_| Signal::default()),
            read_data: std::array::from_fn(|_| Signal::default()),
            clock: Signal::default(),
            reset: Signal::default(),
            _words: vec![Bits::default(); 1 << A],
            _valid_by: valid_by,
        }
    }
}

impl<const W: usize, const A: usize, const R: usize> Logic for Ram<W, A, R> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write.val() {
            self._words[self.write_addr.val().index()] = self.write_data.val();
        }
        for r in 0..R {
            self.read_data[r].next = self._words[self.read_addr[r].val().index()];
        }
    }
    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(Logic::connect);
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("{}{}", tag::RAM, self._valid_by))
    }
}

/// Wires clock and reset of `Reg`s and `DataReg`s and holds their value: the first line of `update`.
///
/// `#[hdl_gen]` knows this macro by its name; ours differs from rust-hdl's by the reset.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $clock:ident, $($register:ident),+) => {
        $(
            $self.$register.clock.next = $self.$clock.val();
            $self.$register.reset.next = $self.reset.val();
            $self.$register.d.next = $self.$register.q.val();
        )+
    };
}

/// Wires clock and reset of register arrays and memories; their next values are left to the block.
///
/// A clocked child has its `clock` and `reset` assigned like any other input: rust-hdl's connection
/// checker does not see the reset in here.
#[macro_export]
macro_rules! clock {
    ($self:ident, $clock:ident, $($register:ident),+) => {
        $(
            $self.$register.clock.next = $self.$clock.val();
            $self.$register.reset.next = $self.reset.val();
        )+
    };
}

/// A remark that the exported Verilog carries; it does nothing in simulation.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
