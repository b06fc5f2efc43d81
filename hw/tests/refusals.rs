//! Every construct that has no faithful translation is refused, with a message that says where.
//!
//! Most of these are exported silently wrong by rust-hdl itself; see docs/emitter.md.

use lanewise_hw::emit::{self, Heading, Known};
use lanewise_hw::prelude::*;
use lanewise_hw::rtl::RtlBlock;

/// A block `U` with fixed ports and the given extra fields and body.
macro_rules! construct {
    ([$($field:ident: $ty:ty = $init:expr),*] $($update:tt)+) => {{
        #[derive(LogicBlock)]
        struct U {
            a: Signal<In, Bits<4>>,
            w: Signal<In, Bits<128>>,
            k: Signal<In, Bits<2>>,
            o: Signal<Out, Bits<4>>,
            y: Signal<Out, Bit>,
            t: Signal<Local, Bits<4>>,
            $($field: $ty),*
        }
        rtl_block! {
            U,
            "u" in "test", combinational,
            Origami "none",
            "A construct.",
            input a: "a";
            input w: "w";
            input k: "k";
            output o: "o";
            output y: "y";
        }
        impl Logic for U {
            $($update)+
        }
        refusal(&U {
            a: Default::default(),
            w: Default::default(),
            k: Default::default(),
            o: Default::default(),
            y: Default::default(),
            t: Default::default(),
            $($field: $init),*
        })
    }};
}

fn refusal(block: &dyn RtlBlock) -> String {
    let heading = Heading { name: "u", params: &[] };
    match emit::module(block, &heading, &Known::default()) {
        Ok(module) => panic!("exported:\n{}", module.text),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_latch() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.y.next = self.w.val().any();
        if self.t.val().any() & self.k.val().any() {
            self.o.next = self.a.val();
        }
    });
    assert!(error.contains("`o_o` is not written on every path"), "{error}");
}

#[test]
fn a_signal_read_before_it_is_written() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.o.next = self.t.val();
        self.t.next = self.a.val();
        self.y.next = self.w.val().any() & self.k.val().any();
    });
    assert!(error.contains("`t` is read before it is written"), "{error}");
}

#[test]
fn a_bit_of_an_expression() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = (self.a.val() + self.t.val()).get_bit(3);
    });
    assert!(error.contains("a bit or slice of an expression (at y)"), "{error}");
}

#[test]
fn the_low_bits_of_a_sum() {
    let error = construct!([s: Signal<Local, Bits<2>> = Default::default()] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = true;
        self.s.next = bit_cast::<2, 4>(self.a.val() + self.t.val());
    });
    assert!(error.contains("the low bits of an expression (at s)"), "{error}");
}

#[test]
fn a_computed_array_index() {
    let error = construct!(
        [arr: [Signal<Local, Bits<4>>; 4] = Default::default()] #[hdl_gen] fn update(&mut self) {
        for i in 0..4 {
            self.arr[i].next = self.a.val();
        }
        self.t.next = self.a.val();
        self.y.next = true;
        self.o.next = self.arr[self.k.val().index()].val();
    });
    assert!(error.contains("index `[k$val()$index()]` of `arr`"), "{error}");
}

#[test]
fn a_computed_slice() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.y.next = true;
        self.o.next = self.w.val().get_bits::<4>(self.k.val().index() * 32);
    });
    assert!(error.contains("a computed slice (at o)"), "{error}");
}

#[test]
fn an_index_that_can_overrun() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = self.t.val().get_bit(self.a.val().index());
    });
    assert!(error.contains("a 4-bit index into 4 bits"), "{error}");
}

#[test]
fn a_loop_past_the_end() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = 0.into();
        self.y.next = true;
        for i in 0..5 {
            self.o.next = self.o.val().replace_bit(i, true);
        }
    });
    assert!(error.contains("index 4 of `o_o` is not below 4"), "{error}");
}

#[test]
fn a_literal_that_does_not_fit() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = self.a.val() == 16;
    });
    assert!(error.contains("16 does not fit 4 bits (at y)"), "{error}");
}

#[test]
fn a_bit_replaced_in_another_signal() {
    let error = construct!([] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.y.next = true;
        self.o.next = self.t.val().replace_bit(1, true);
    });
    assert!(error.contains("replace_bit on another signal (at o)"), "{error}");
}

#[test]
fn a_const_generic_as_a_value() {
    #[derive(LogicBlock, Default)]
    struct G<const N: usize> {
        a: Signal<In, Bits<N>>,
        y: Signal<Out, Bit>,
    }
    rtl_block! {
        G<const N: usize>,
        "g" in "test", combinational,
        Origami "none",
        "A construct.",
        input a: "a";
        output y: "y";
    }
    impl<const N: usize> Logic for G<N> {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.a.val().get_bit(N - 1);
        }
    }
    let error = refusal(&G::<8>::default());
    assert!(error.contains("`N` is not a signal of this block"), "{error}");
}

#[test]
fn a_register_without_reset() {
    let error = construct!([r: DFF<Bits<4>> = Default::default()] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.r.q.val();
        self.y.next = true;
        self.r.d.next = self.a.val();
    });
    assert!(error.contains("child `r` is not in the catalogue"), "{error}");
}

#[test]
fn an_enumeration() {
    #[derive(Clone, Copy, Debug, PartialEq, LogicState)]
    enum State {
        Idle,
        Busy,
    }
    let error = construct!([s: Signal<Local, State> = Default::default()] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = true;
        self.s.next = State::Idle;
        if self.t.val().any() {
            self.s.next = State::Busy;
        }
    });
    assert!(error.contains("`s` is not plain bits"), "{error}");
}

#[test]
fn two_signals_of_one_name() {
    let error = construct!([o_o: Signal<Local, Bits<4>> = Default::default()] #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.o_o.next = self.a.val();
        self.o.next = self.a.val();
        self.y.next = true;
    });
    assert!(error.contains("two signals are called `o_o`"), "{error}");
}

#[test]
fn ports_that_differ_from_their_list() {
    #[derive(LogicBlock, Default)]
    struct P {
        a: Signal<In, Bits<4>>,
        y: Signal<Out, Bit>,
    }
    rtl_block! {
        P,
        "p" in "test", combinational,
        Origami "none",
        "A construct.",
        output y: "y";
        input a: "a";
    }
    impl Logic for P {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.a.val().any();
        }
    }
    let error = refusal(&P::default());
    assert!(error.contains("`a_i` is not the next port of rtl_block!"), "{error}");
}

/// `0..=3` reaches the syntax tree as `0..3`, so no emitter can tell; blocks may not use it.
#[test]
fn no_block_uses_an_inclusive_range() {
    fn scan(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                scan(&path, found);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                if text.contains("#[hdl_gen]") && text.contains("..=") {
                    found.push(path.display().to_string());
                }
            }
        }
    }
    let mut found = vec![];
    scan(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.is_empty(), "write a..b, not a..=b, in {}", found.join(", "));
}

#[test]
fn a_local_that_is_a_word_of_verilog() {
    let error = construct!([join: Signal<Local, Bit> = Default::default()]
    #[hdl_gen] fn update(&mut self) {
        self.t.next = self.a.val();
        self.join.next = self.w.val().any();
        self.y.next = self.join.val();
        self.o.next = self.t.val();
    });
    assert!(error.contains("`join` is a word of Verilog"), "{error}");
}

#[test]
fn reading_back_the_input_of_a_register() {
    #[derive(LogicBlock, Default)]
    struct Clocked {
        clock: Signal<In, Clock>,
        reset: Signal<In, Bit>,
        a: Signal<In, Bit>,
        o: Signal<Out, Bits<4>>,
        held: Reg<Bits<4>>,
    }
    rtl_block! {
        Clocked,
        "clocked" in "test", clocked,
        Origami "none",
        "A register that is set bit by bit.",
        input a: "a";
        output o: "o";
    }
    impl Logic for Clocked {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, held);
            self.held.d.next = self.held.d.val().replace_bit(1, self.a.val());
            self.o.next = self.held.q.val();
        }
    }
    let error = refusal(&Clocked::default());
    assert!(error.contains("reading back the input of a register"), "{error}");
}

#[test]
fn an_array_of_slots() {
    #[derive(LogicBlock)]
    struct Slots {
        clock: Signal<In, Clock>,
        reset: Signal<In, Bit>,
        a: Signal<In, Bits<2>>,
        o: Signal<Out, Bits<4>>,
        held: [DataSlots<4, 2>; 2],
    }
    rtl_block! {
        Slots,
        "slots" in "test", clocked,
        Origami "none",
        "Two sets of slots.",
        input a: "a";
        output o: "o";
    }
    impl Logic for Slots {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                self.held[i].clock.next = self.clock.val();
                self.held[i].reset.next = self.reset.val();
                self.held[i].write.next = self.a.val();
                self.held[i].d.next = 1.into();
            }
            self.o.next = self.held[0].q[0].val();
        }
    }
    let error = refusal(&Slots {
        clock: Default::default(),
        reset: Default::default(),
        a: Default::default(),
        o: Default::default(),
        held: std::array::from_fn(|_| DataSlots::valid_by("a")),
    });
    assert!(error.contains("`held` is an array of slots"), "{error}");
}
