//! `simt_lane` keeps its contract, and its exported Verilog computes what the host's floating-point unit
//! computes, on ten million operations; a bug in any stage does not get past them.

use lanewise_sim::units::simt_lane::{compute, In, Op, Out, Subnormals, LATENCY};
use lanewise_sim::units::Unit;
use lanewise_testbenches::bindings::simt_lane::{flush, full};
use lanewise_testbenches::contract::{self, Binding, Subject};
use lanewise_testbenches::operands::{corners, operands};
use lanewise_testbenches::stimulus::Gen;
use lanewise_testbenches::verilated::{Start, Verilated};
use rayon::prelude::*;

/// Operations of the long run on each variant.
const OPERATIONS: usize = 10_000_000;

/// Operations after which a seeded bug must have shown.
const ENOUGH: usize = 200_000;

const MATHS: [Op; 4] = [Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatFma];

#[test]
fn contract_full() {
    contract::run(&full());
}

#[test]
fn contract_flush() {
    contract::run(&flush());
}

/// An operation and its operands.
type Vector = (Op, [u32; 3]);

/// Sends the vectors through the lane, one a cycle; the first wrong result and how many were right
/// before it, or how many there were.
fn first_error(
    lane: &mut dyn Unit<In = In, Out = Out>,
    subnormals: Subnormals,
    vectors: impl Iterator<Item = Vector>,
) -> Result<usize, String> {
    let mut under_way: [Option<Vector>; LATENCY] = [None; LATENCY];
    let mut vectors = vectors.fuse();
    let mut right = 0;
    loop {
        let next = vectors.next();
        let inputs = next.map_or(In::default(), |(op, [operand_a, operand_b, operand_c])| In {
            issue_valid: true,
            issue_tag: 0,
            op: op.code(),
            operand_a,
            operand_b,
            operand_c,
        });
        let out = lane.eval(&inputs);
        lane.tick();
        under_way.rotate_right(1);
        let leaving = std::mem::replace(&mut under_way[0], next);
        match leaving {
            None if out.valid => return Err(format!("a result of nothing after {right}")),
            None => {}
            Some((op, operands)) => {
                let expected = compute(op, subnormals, operands);
                if !out.valid || out.result != expected {
                    return Err(format!(
                        "{op:?} of {operands:08x?} gives {:08x} instead of {expected:08x}, after \
                         {right} right results",
                        out.result
                    ));
                }
                right += 1;
            }
        }
        if under_way.iter().all(Option::is_none) {
            return Ok(right);
        }
    }
}

/// Every corner with every other, and a third for the multiply-add.
fn corner_crosses() -> impl Iterator<Item = Vector> {
    let pairs = corners().flat_map(|a| corners().map(move |b| (a, b)));
    let two = pairs.clone().flat_map(|(a, b)| {
        [Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatMin, Op::FloatMax]
            .map(|op| (op, [a, b, 0]))
    });
    let three = pairs.flat_map(|(a, b)| corners().map(move |c| (Op::FloatFma, [a, b, c])));
    two.chain(three)
}

/// The addend at every distance from the product that the adder can tell apart and beyond, with both
/// signs and fractions that carry, borrow, tie or stay below the last bit.
fn alignment_crosses() -> impl Iterator<Item = Vector> {
    const FRACTIONS: [u32; 6] = [0, 1, 2, 0x40_0000, 0x7f_fffe, 0x7f_ffff];
    (-60..60).flat_map(|distance: i32| {
        FRACTIONS.into_iter().flat_map(move |x| {
            FRACTIONS.into_iter().flat_map(move |y| {
                FRACTIONS.into_iter().flat_map(move |z| {
                    [0, 0x8000_0000].into_iter().map(move |sign| {
                        let addend = sign | ((127 + distance) as u32) << 23 | z;
                        (Op::FloatFma, [127 << 23 | x, 127 << 23 | y, addend])
                    })
                })
            })
        })
    })
}

/// Random operations: mostly multiply-adds of floats.
fn random(g: &mut Gen) -> Vector {
    let op = match g.below(8) {
        0 => Op::decode(g.bits(6) as u8).unwrap_or(Op::Mad),
        _ => g.pick(&MATHS),
    };
    (op, operands(g, op))
}

/// The crosses and then random operations, `count` in all.
fn vectors<'a, 'b>(g: &'a mut Gen<'b>, count: usize) -> impl Iterator<Item = Vector> + use<'a, 'b> {
    corner_crosses()
        .chain(alignment_crosses())
        .chain(std::iter::repeat_with(|| random(g)))
        .take(count)
}

fn compare_with_the_host(binding: &Binding<In, Out>, subnormals: Subnormals, salt: u8) {
    let subject = Subject::of(binding).expect("the catalogue has the lane");
    let mut lane = subject.verilated("host").expect("it builds").unit(Start::Reset);
    let mut runner = subject.runner(salt, 1);
    let right = first_error(&mut lane, subnormals, vectors(&mut Gen::new(&mut runner), OPERATIONS));
    assert_eq!(right, Ok(OPERATIONS));
}

#[test]
fn ten_million_operations_agree_with_the_host() {
    compare_with_the_host(&full(), Subnormals::Full, 10);
}

#[test]
fn ten_million_flushed_operations_agree_with_the_host() {
    compare_with_the_host(&flush(), Subnormals::Flush, 11);
}

/// The lane with one change to the Verilog of a module, and what the vectors find.
fn with_bug(module: &str, from: &str, to: &str) -> Result<usize, String> {
    let binding = full();
    let mut subject = Subject::of(&binding).expect("the catalogue has the lane");
    let source = subject.modules.iter_mut().find(|source| source.name == module);
    let text = &mut source.unwrap_or_else(|| panic!("{module} is part of the lane")).text;
    assert!(text.contains(from), "nothing to replace: no {from:?} in\n{text}");
    *text = text.replacen(from, to, 1);
    let verilated: Verilated<In, Out> = subject.verilated("bug").expect("it builds");
    let mut runner = subject.runner(12, 1);
    let mut lane = verilated.unit(Start::Reset);
    let mut g = Gen::new(&mut runner);
    let vectors = std::iter::repeat_with(|| random(&mut g));
    first_error(&mut lane, Subnormals::Full, vectors.take(ENOUGH))
}

/// What is wrong, in which module, and how it gets there.
const BUGS: [(&str, &str, &str, &str); 12] = [
    (
        "what a long shift loses is no sticky bit",
        "addend_align",
        "(lost_by_32 | lost_by_64)",
        "lost_by_32",
    ),
    (
        "what lies below the window is no sticky bit",
        "normalise_coarse",
        "sticky_i | (|rest)",
        "sticky_i",
    ),
    (
        "a subnormal result is shifted past the smallest exponent",
        "normalise_fine",
        "window_i[41:27] | bound",
        "window_i[41:27]",
    ),
    ("a subnormal operand has a hidden bit", "float_unpack", "[23] = hidden", "[23] = 1'b1"),
    ("ties round away from zero", "round_pack", "half & (odd |", "half & (1'b1 |"),
    ("a tie of an inverted sum stays", "round_pack", "| (odd & carried)", "| (odd & 1'b0)"),
    (
        "a difference has its one although the addend goes on below",
        "fma_add",
        "subtract_i & !sticky_i",
        "subtract_i",
    ),
    ("an inverted sum has zeros shifted in", "normalise_fine", "ones = 42'hff", "ones = 42'h0"),
    (
        "a product of zero moves the addend",
        "fma_prepare",
        "product_zero | distance[9]",
        "distance[9]",
    ),
    (
        "a difference of zero is negative",
        "simt_lane",
        "& !(subtract_4_q & coarse_zero)",
        "& !(1'b0 & coarse_zero)",
    ),
    (
        "a number too large by one exponent stays",
        "round_pack",
        "(room_i[8] | (&room_i[7:1]))",
        "room_i[8]",
    ),
    ("no carry from column 31 of the product", "product_tree", "= low_carry[k*32 + 31]", "= 1'b0"),
];

#[test]
fn every_seeded_bug_shows() {
    let missed: Vec<&str> = BUGS
        .par_iter()
        .filter(|(_, module, from, to)| with_bug(module, from, to).is_ok())
        .map(|(what, ..)| *what)
        .collect();
    assert!(missed.is_empty(), "{missed:?} got past {ENOUGH} operations");
}

#[test]
fn without_a_bug_the_same_operations_are_right() {
    assert_eq!(with_bug("simt_lane", "module simt_lane", "module simt_lane"), Ok(ENOUGH));
}
