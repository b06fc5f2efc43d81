//! The folding data path as a whole: what goes through shift, execution, re-shift and collection comes
//! back as if every lane had computed in its own place. On the model, the stepped RTL and the Verilog.

use lanewise_sim::units::split_mask::LANES;
use lanewise_sim::units::{reshift_stage, result_collector, shift_stage, Io};
use lanewise_testbenches::contract::{Binding, Subject};
use lanewise_testbenches::stimulus::Gen;
use lanewise_testbenches::verilated::Start;
use lanewise_testbenches::{bindings, BoxedUnit};
use proptest::test_runner::TestRunner;

/// The three blocks of one back end.
struct Path {
    shift: BoxedUnit<shift_stage::In, shift_stage::Out>,
    reshift: BoxedUnit<reshift_stage::In, reshift_stage::Out>,
    collector: BoxedUnit<result_collector::In, result_collector::Out<4>>,
}

/// A warp offered to the path.
struct Warp {
    tag: u8,
    mask: u32,
    split: bool,
    elision: u8,
    operands: [[u32; LANES]; 3],
    flag: u32,
}

/// What a lane computes.
fn lane(a: u32, b: u32, c: u32, flag: bool) -> (u32, bool) {
    let (sum, carry) = (a ^ b).overflowing_add(c);
    (sum.wrapping_add(flag.into()), carry)
}

/// Every lane of `mask` at work.
fn execute(operands: [&[u32; LANES]; 3], flag: u32, mask: u32) -> ([u32; LANES], u32) {
    // A lane that is not active leaves something recognisable, which must not reach the register file.
    let (mut result, mut flags) = ([0xdead_beef; LANES], 0);
    for at in (0..LANES).filter(|at| mask >> at & 1 != 0) {
        let [a, b, c] = operands.map(|operand| operand[at]);
        let (value, carry) = lane(a, b, c, flag >> at & 1 != 0);
        result[at] = value;
        flags |= u32::from(carry) << at;
    }
    (result, flags)
}

impl Path {
    /// One cycle: each stage takes what the one before held. True in `.1` if the warp needs two passes.
    fn cycle(&mut self, issue: &shift_stage::In) -> (result_collector::Out<4>, bool) {
        let shifted = self.shift.eval(issue);
        let operands = [&shifted.shifted_a, &shifted.shifted_b, &shifted.shifted_c];
        let (result, result_flag) = execute(operands, shifted.shifted_flag, shifted.lane_mask);
        let restored = self.reshift.eval(&reshift_stage::In {
            execute_valid: shifted.valid,
            execute_tag: shifted.tag,
            execute_folded: shifted.folded,
            execute_last: shifted.last,
            temp_mask: shifted.temp_mask,
            result,
            result_flag,
        });
        let out = self.collector.eval(&result_collector::In {
            half_valid: restored.valid,
            half_tag: restored.tag,
            half_folded: restored.folded,
            half_last: restored.last,
            half_mask: restored.mask,
            half_result: restored.restored,
            half_flag: restored.restored_flag,
        });
        self.shift.tick();
        self.reshift.tick();
        self.collector.tick();
        (out, shifted.takes_two)
    }

    /// Sends warps back to back and returns how many were folded.
    fn run(&mut self, warps: &[Warp]) -> usize {
        let (mut pending, mut folded) = (warps.iter(), 0);
        let mut receive = |out: result_collector::Out<4>| {
            assert!(!out.error);
            if !out.valid {
                return;
            }
            let warp = pending.next().expect("one result a warp");
            let [a, b, c] = &warp.operands;
            let (result, flag) = execute([a, b, c], warp.flag, warp.mask);
            assert_eq!((out.tag, out.mask), (warp.tag, warp.mask));
            assert_eq!(out.flag & warp.mask, flag);
            for at in (0..LANES).filter(|at| warp.mask >> at & 1 != 0) {
                assert_eq!(out.result[at], result[at], "lane {at} of {:#010x}", warp.mask);
            }
        };
        for warp in warps {
            let [operand_a, operand_b, operand_c] = warp.operands;
            let mut issue = shift_stage::In {
                issue_valid: true,
                issue_tag: warp.tag,
                active_mask: warp.mask,
                split: warp.split,
                sub_warp: false,
                operand_a,
                operand_b,
                operand_c,
                operand_flag: warp.flag,
                cfg_elision: warp.elision,
            };
            let (out, takes_two) = self.cycle(&issue);
            receive(out);
            if takes_two {
                folded += 1;
                issue.sub_warp = true;
                receive(self.cycle(&issue).0);
            }
        }
        for _ in 0..2 {
            receive(self.cycle(&shift_stage::In::default()).0);
        }
        assert!(pending.next().is_none(), "a warp is lost");
        folded
    }
}

/// Model, stepped RTL and Verilog of a block.
fn back_ends<I: Io, O: Io>(binding: Binding<I, O>) -> [BoxedUnit<I, O>; 3] {
    let subject = Subject::of(&binding).expect("it is in the catalogue");
    [
        (binding.model)(),
        Box::new(subject.rtl("path").expect("it steps")),
        Box::new(subject.verilated("path").expect("it verilates").unit(Start::Reset)),
    ]
}

fn check(
    shift: Binding<shift_stage::In, shift_stage::Out>,
    reshift: Binding<reshift_stage::In, reshift_stage::Out>,
) {
    let mut runner = TestRunner::deterministic();
    let mut g = Gen::new(&mut runner);
    let warps: Vec<Warp> = (0..2_000)
        .map(|number| Warp {
            tag: number as u8,
            mask: g.mask32(),
            split: !g.once_in(4),
            elision: g.bits(2) as u8,
            operands: std::array::from_fn(|_| std::array::from_fn(|_| g.bits(32) as u32)),
            flag: g.bits(32) as u32,
        })
        .collect();
    let collector = back_ends(bindings::result_collector::entries_4());
    for ((shift, reshift), collector) in
        back_ends(shift).into_iter().zip(back_ends(reshift)).zip(collector)
    {
        let folded = Path { shift, reshift, collector }.run(&warps);
        assert!((warps.len() / 5..warps.len()).contains(&folded), "{folded} warps were folded");
    }
}

#[test]
fn results_come_home_compact() {
    check(bindings::shift_stage::compact(), bindings::reshift_stage::compact());
}

#[test]
fn results_come_home_fold() {
    check(bindings::shift_stage::fold(), bindings::reshift_stage::fold());
}
