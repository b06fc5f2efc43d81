//! Constructs that rust-hdl's own export translates wrongly mean the same in our Verilog as in Rust.
//!
//! One block holds them all; its stepped form and its verilated form are compared for every input.

use lanewise_hw::emit::{self, Heading, Known};
use lanewise_hw::prelude::*;
use lanewise_hw::rtl::RtlBlock;
use lanewise_sim::io;
use lanewise_sim::units::Unit;
use lanewise_testbenches::rtl::RtlUnit;
use lanewise_testbenches::verilated::{Source, Start, Verilated};

#[derive(LogicBlock, Default)]
struct Constructs {
    a: Signal<In, Bits<4>>,
    b: Signal<In, Bits<4>>,
    t: Signal<In, Bits<4>>,
    k: Signal<In, Bits<2>>,
    and_before_compare: Signal<Out, Bit>,
    or_before_compare: Signal<Out, Bit>,
    not_compared: Signal<Out, Bit>,
    sum_compared: Signal<Out, Bit>,
    difference_compared: Signal<Out, Bit>,
    sum_widened: Signal<Out, Bits<8>>,
    not_widened: Signal<Out, Bits<8>>,
    sum_shifted: Signal<Out, Bits<8>>,
    carry_added: Signal<Out, Bits<4>>,
    shifted_left: Signal<Out, Bits<4>>,
    shifted_right: Signal<Out, Bits<4>>,
    bit_chosen: Signal<Out, Bit>,
    bit_replaced: Signal<Out, Bits<4>>,
    reductions: Signal<Out, Bits<3>>,
    matched: Signal<Out, Bits<4>>,
    decoded: Signal<Out, Bits<16>>,
    cascaded: Signal<Out, Bits<4>>,
    overwritten: Signal<Out, Bits<4>>,
    low_bits: Signal<Out, Bits<2>>,
    square: Signal<Out, Bits<32>>,
    wide: Signal<Local, Bits<16>>,
    scratch: Signal<Local, Bits<4>>,
}

rtl_block! {
    Constructs,
    "constructs" in "test", combinational,
    Origami "none",
    "Every construct whose translation is easy to get wrong.",
    input a: "operand";
    input b: "operand";
    input t: "operand";
    input k: "index";
    output and_before_compare: "a & b == t";
    output or_before_compare: "a | b != t";
    output not_compared: "!a == 15";
    output sum_compared: "a + b > 12";
    output difference_compared: "a - b < 4";
    output sum_widened: "8 bits of a + b";
    output not_widened: "8 bits of !a";
    output sum_shifted: "8 bits of (a + b) >> 1";
    output carry_added: "a + (b > t)";
    output shifted_left: "a << k";
    output shifted_right: "a >> 3";
    output bit_chosen: "bit k of a";
    output bit_replaced: "a with bit k set";
    output reductions: "any, all and parity of a";
    output matched: "match on k";
    output decoded: "one-hot of a";
    output cascaded: "if, else if, else";
    output overwritten: "a value read between two writes";
    output low_bits: "low bits of a";
    output square: "product of a with b, 16 x 16 bits";
}

impl Logic for Constructs {
    #[hdl_gen]
    fn update(&mut self) {
        self.and_before_compare.next = self.a.val() & self.b.val() == self.t.val();
        self.or_before_compare.next = self.a.val() | self.b.val() != self.t.val();
        self.not_compared.next = !self.a.val() == 0xf;
        self.sum_compared.next = self.a.val() + self.b.val() > 12;
        self.difference_compared.next = self.a.val() - self.b.val() < 4;
        self.sum_widened.next = bit_cast::<8, 4>(self.a.val() + self.b.val());
        self.not_widened.next = bit_cast::<8, 4>(!self.a.val());
        self.sum_shifted.next = bit_cast::<8, 4>((self.a.val() + self.b.val()) >> 1);
        self.carry_added.next = self.a.val() + (self.b.val() > self.t.val());
        self.shifted_left.next = self.a.val() << self.k.val();
        self.shifted_right.next = self.a.val() >> 3;
        self.bit_chosen.next = self.a.val().get_bit(self.k.val().index());
        self.bit_replaced.next = self.a.val();
        self.bit_replaced.next = self.bit_replaced.val().replace_bit(self.k.val().index(), true);
        self.reductions.next = 0.into();
        self.reductions.next = self.reductions.val().replace_bit(0, self.a.val().any());
        self.reductions.next = self.reductions.val().replace_bit(1, self.a.val().all());
        self.reductions.next = self.reductions.val().replace_bit(2, self.a.val().xor());
        match self.k.val().index() {
            0 => self.matched.next = self.a.val(),
            2 => {
                self.matched.next = self.b.val();
            }
            _ => self.matched.next = self.t.val(),
        }
        self.decoded.next = 0.into();
        for i in 0..16 {
            self.decoded.next = self.decoded.val().replace_bit(i, self.a.val() == i.to_bits());
        }
        if self.a.val() == 3 {
            self.cascaded.next = self.b.val();
        } else if (self.b.val() != self.t.val()) && !self.a.val().all() {
            self.cascaded.next = self.t.val();
        } else {
            self.cascaded.next = 9.into();
        }
        self.scratch.next = self.a.val();
        self.overwritten.next = self.scratch.val() ^ self.b.val();
        self.scratch.next = self.t.val();
        if self.k.val() == 3 {
            self.overwritten.next = self.scratch.val();
        }
        self.low_bits.next = bit_cast::<2, 4>(self.a.val());
        self.wide.next = bit_cast::<16, 4>(self.b.val());
        self.square.next = bit_cast::<16, 4>(self.a.val()) * self.wide.val();
    }
}

io! {
    /// Operands.
    pub struct Operands {
        /// operand
        a: u8, 4;
        /// operand
        b: u8, 4;
        /// operand
        t: u8, 4;
        /// index
        k: u8, 2;
    }
}

io! {
    /// Results.
    pub struct Results {
        /// see the port list
        and_before_compare: bool, 1;
        /// see the port list
        or_before_compare: bool, 1;
        /// see the port list
        not_compared: bool, 1;
        /// see the port list
        sum_compared: bool, 1;
        /// see the port list
        difference_compared: bool, 1;
        /// see the port list
        sum_widened: u8, 8;
        /// see the port list
        not_widened: u8, 8;
        /// see the port list
        sum_shifted: u8, 8;
        /// see the port list
        carry_added: u8, 4;
        /// see the port list
        shifted_left: u8, 4;
        /// see the port list
        shifted_right: u8, 4;
        /// see the port list
        bit_chosen: bool, 1;
        /// see the port list
        bit_replaced: u8, 4;
        /// see the port list
        reductions: u8, 3;
        /// see the port list
        matched: u8, 4;
        /// see the port list
        decoded: u16, 16;
        /// see the port list
        cascaded: u8, 4;
        /// see the port list
        overwritten: u8, 4;
        /// see the port list
        low_bits: u8, 2;
        /// see the port list
        square: u32, 32;
    }
}

fn text() -> String {
    let heading = Heading { name: "constructs", params: &[] };
    emit::module(&Constructs::default(), &heading, &Known::default()).unwrap().text
}

/// The first input on which the stepped block and this Verilog differ.
fn first_difference(text: &str) -> Option<String> {
    let source = Source { name: "constructs".into(), text: text.into() };
    let mut verilog = Verilated::<Operands, Results>::build(&[source]).unwrap().unit(Start::Reset);
    let block: Box<dyn RtlBlock> = Box::new(Constructs::default());
    let mut rust = RtlUnit::<Operands, Results>::new(block).unwrap();
    for bits in 0..1 << 14 {
        let inputs = Operands {
            a: (bits & 15) as u8,
            b: (bits >> 4 & 15) as u8,
            t: (bits >> 8 & 15) as u8,
            k: (bits >> 12) as u8,
        };
        let (ours, theirs) = (rust.eval(&inputs), verilog.eval(&inputs));
        if ours != theirs {
            return Some(format!("{inputs:?}\nRust    {ours:?}\nVerilog {theirs:?}"));
        }
    }
    None
}

#[test]
fn every_construct_means_the_same_in_verilog() {
    let text = text();
    if let Some(difference) = first_difference(&text) {
        panic!("{difference}\n{text}");
    }
}

#[test]
fn a_lost_parenthesis_would_be_noticed() {
    let text = text();
    let wrong = text.replacen("(a_i & b_i) == t_i", "a_i[0] & (b_i == t_i)", 1);
    assert_ne!(text, wrong);
    assert!(first_difference(&wrong).is_some());
}
