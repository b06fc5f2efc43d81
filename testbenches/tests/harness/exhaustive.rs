//! One wrong input among four thousand, which the stimulus never gives.

use lanewise_hw::prelude::*;
use lanewise_sim::units::Unit;
use lanewise_testbenches::contract::{equal, exhaustive, Binding, Subject};
use lanewise_testbenches::stimulus::Source;
use lanewise_testbenches::verilated;

use crate::expect_failure;

lanewise_sim::io! {
    /// Few enough inputs to try them all.
    pub struct FewIn {
        /// a number
        number: u16, 8;
        /// added to it
        offset: u8, 4;
    }
}

lanewise_sim::io! {
    /// One output.
    pub struct FewOut {
        /// the sum, cut to 8 bits
        sum: u16, 8, from [number, offset];
    }
}

/// Adds, except for one pair of inputs if `wrong`.
struct Adder {
    wrong: bool,
}

impl Unit for Adder {
    type In = FewIn;
    type Out = FewOut;

    fn eval(&mut self, inputs: &FewIn) -> FewOut {
        if self.wrong && (inputs.number, inputs.offset) == (0xa5, 0xc) {
            return FewOut { sum: 0 };
        }
        FewOut { sum: (inputs.number + u16::from(inputs.offset)) & 0xff }
    }
    fn tick(&mut self) {}
    fn reset(&mut self) {}
}

/// The same in hardware.
#[derive(LogicBlock, Default)]
struct AdderBlock {
    number: Signal<In, Bits<8>>,
    offset: Signal<In, Bits<4>>,
    sum: Signal<Out, Bits<8>>,
}

rtl_block! {
    AdderBlock,
    "adder" in "toys", combinational,
    Origami "none",
    "Adds.",
    input number: "a number";
    input offset: "added to it";
    output sum: "the sum";
}

impl Logic for AdderBlock {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.number.val() + bit_cast::<8, 4>(self.offset.val());
    }
}

const VERILOG: &str = "module adder (input wire [7:0] number_i, input wire [3:0] offset_i,
              output wire [7:0] sum_o);
  assign sum_o = number_i + {4'd0, offset_i};
endmodule
";

/// Never gives the number at which the wrong model is wrong.
fn stimulus() -> Source<FewIn> {
    Box::new(|g| {
        let number = g.bits(8) as u16;
        FewIn { number: if number == 0xa5 { 0 } else { number }, offset: g.bits(4) as u8 }
    })
}

fn subject(binding: &Binding<FewIn, FewOut>) -> Subject<'_, FewIn, FewOut> {
    let modules = vec![verilated::Source { name: "adder".into(), text: VERILOG.into() }];
    let build = || -> Box<dyn lanewise_hw::rtl::RtlBlock> { Box::new(AdderBlock::default()) };
    Subject { binding, build, modules, cycles: 20_000, seed: 1 }
}

#[test]
fn few_inputs_are_all_tried() {
    let right = Binding::new("adder", || Box::new(Adder { wrong: false }), stimulus);
    lanewise_testbenches::contract::check(&subject(&right)).expect("the right model keeps it all");
    let wrong = Binding::new("adder", || Box::new(Adder { wrong: true }), stimulus);
    equal::check(&subject(&wrong)).expect("the stimulus alone does not find it");
    let says = ["input  number = 0xa5", "input  offset = 0xc"];
    expect_failure(exhaustive::check(&subject(&wrong)), "exhaustive", &says);
}
