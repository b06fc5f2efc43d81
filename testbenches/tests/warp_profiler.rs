//! `warp_profiler` keeps its contract, and its integer test is the definition `C < mean - r sigma`.

use lanewise_sim::units::warp_profiler::{In, Out};
use lanewise_sim::units::Io;
use lanewise_testbenches::bindings::warp_profiler;
use lanewise_testbenches::contract::{self, Binding, Subject};
use lanewise_testbenches::verilated::Start;
use lanewise_testbenches::BoxedUnit;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::Rng;

#[test]
fn contract_warps_16() {
    contract::run(&warp_profiler::warps_16());
}

#[test]
fn contract_warps_48() {
    contract::run(&warp_profiler::warps_48());
}

#[test]
fn contract_warps_4() {
    contract::run(&warp_profiler::warps_4());
}

/// The exported Verilog of a bound block.
fn verilated<I: Io, O: Io>(binding: &Binding<I, O>) -> BoxedUnit<I, O> {
    with_bug(binding, "", "")
}

/// The exported Verilog with the first `find` replaced.
fn with_bug<I: Io, O: Io>(binding: &Binding<I, O>, find: &str, replace: &str) -> BoxedUnit<I, O> {
    let built = Subject::of(binding).and_then(|mut subject| {
        let text = &mut subject.modules[0].text;
        assert!(text.contains(find), "`{find}` is not in {}", binding.entry);
        *text = text.replacen(find, replace, 1);
        subject.verilated("particular")
    });
    Box::new(built.unwrap_or_else(|failure| panic!("{failure}")).unit(Start::Reset))
}

/// One whole interval of the warps in `member`, in which warp i completes `counts[i]` loads.
fn critical<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize>(
    unit: &mut BoxedUnit<In<WARPS, COUNT_BITS, RATIO_BITS>, Out<WARPS, COUNT_BITS>>,
    member: [bool; WARPS],
    counts: &[u16; WARPS],
    r_squared: u16,
) -> [bool; WARPS] {
    let window = (1u16 << COUNT_BITS) - 1;
    let mut inputs = In { start: true, member, window, cfg_r_squared: r_squared, ..In::default() };
    unit.eval(&inputs);
    unit.tick();
    inputs.start = false;
    for cycle in 0..window {
        inputs.load_done = std::array::from_fn(|i| cycle < counts[i]);
        unit.eval(&inputs);
        unit.tick();
    }
    for _ in 0..2 * WARPS + 8 {
        assert!(!unit.eval(&inputs).valid);
        unit.tick();
    }
    let out = unit.eval(&inputs);
    assert!(out.valid);
    assert_eq!(out.count, std::array::from_fn(|i| if member[i] { counts[i] } else { 0 }));
    out.critical
}

/// The definition in exact numbers of any size; only two non-negative numbers are squared.
fn by_definition<const WARPS: usize>(
    member: [bool; WARPS],
    counts: &[u16; WARPS],
    r_squared: u16,
) -> [bool; WARPS] {
    let number = |c: u16| BigRational::from_integer(BigInt::from(c));
    let scope = || (0..WARPS).filter(|&i| member[i]).map(|i| number(counts[i]));
    let n = BigRational::from_integer(BigInt::from(scope().count()));
    let mean = scope().sum::<BigRational>() / &n;
    let variance = scope().map(|c| (c - &mean).pow(2)).sum::<BigRational>() / n;
    let threshold = BigRational::new(r_squared.into(), 16.into()) * variance;
    std::array::from_fn(|i| {
        let behind = &mean - number(counts[i]);
        member[i] && behind > number(0) && behind.pow(2) > threshold
    })
}

/// The first interval on which four warps with 3-bit counts are judged wrongly, of all there are: every
/// scope, every count of its warps, every r^2. Warps outside the scope complete all the loads they can.
fn first_error(mut unit: BoxedUnit<In<4, 3, 6>, Out<4, 3>>) -> Option<String> {
    for scope in 1..16u16 {
        let member = std::array::from_fn(|i| scope >> i & 1 != 0);
        for code in 0..4096u16 {
            let counts: [u16; 4] = std::array::from_fn(|i| code >> (3 * i) & 7);
            if (0..4).any(|i| !member[i] && counts[i] != 7) {
                continue;
            }
            for r_squared in 0..64 {
                let expected = by_definition(member, &counts, r_squared);
                let found = critical(&mut unit, member, &counts, r_squared);
                if found != expected {
                    return Some(format!("{member:?} {counts:?} {r_squared}: {found:?}"));
                }
            }
        }
    }
    None
}

/// 419,840 intervals: 6560 scopes with counts, 64 values of r^2.
#[test]
fn every_interval_of_four_warps() {
    assert_eq!(first_error(verilated(&warp_profiler::warps_4())), None);
}

#[test]
fn an_error_in_the_arithmetic_shows() {
    for (find, replace) in [
        // Exactly r standard deviations behind is not more than that.
        ("gap_squared > limit_q", "gap_squared >= limit_q"),
        // The sum of squares loses a bit.
        ("squares_q + product[9:0]", "squares_q + {5'd0, product[4:0]}"),
        ("limit_q[9:0] - product[9:0]", "limit_q[9:0]"),
        // Warps outside the scope are added up.
        ("(warp_q == i[2:0]) & scope_q[i]", "warp_q == i[2:0]"),
        ("share < {26'd0, sum_q}", "share <= {26'd0, sum_q} + 32'd1"),
    ] {
        let unit = with_bug(&warp_profiler::warps_4(), find, replace);
        assert!(first_error(unit).is_some(), "{replace}");
    }
}

/// Random counts of full width, and those that bring each intermediate to its bound.
fn full_width<const WARPS: usize, const RATIO_BITS: usize>(
    binding: Binding<In<WARPS, 10, RATIO_BITS>, Out<WARPS, 10>>,
) {
    const MOST: u16 = 1023;
    let mut unit = verilated(&binding);
    let top = (1 << RATIO_BITS) - 1;
    let mut check = |counts: [u16; WARPS], r_squared: u16| {
        let found = critical(&mut unit, [true; WARPS], &counts, r_squared);
        assert_eq!(
            found,
            by_definition([true; WARPS], &counts, r_squared),
            "{counts:?} {r_squared}"
        );
        found.into_iter().filter(|c| *c).count()
    };
    for r_squared in [0, 1, 16, top] {
        // The largest sum of squares, and the largest variance.
        assert_eq!(check([MOST; WARPS], r_squared), 0);
        check(std::array::from_fn(|i| if i % 2 == 0 { MOST } else { 0 }), r_squared);
    }
    // The largest gap lies exactly sqrt(n - 1) standard deviations below the mean: not more than that.
    let one_behind = std::array::from_fn(|i| if i == WARPS / 2 { 0 } else { MOST });
    let edge = 16 * (WARPS as u16 - 1);
    assert_eq!(check(one_behind, edge - 1), 1);
    assert_eq!(check(one_behind, edge), 0);

    let mut runner = Subject::of(&binding).expect("in the catalogue").runner(9, 1);
    let mut random = |limit: u32| (runner.rng().next_u32() % limit) as u16;
    let mut found = 0;
    for _ in 0..300 {
        // Most programs: alike but for a few. The rest: anything.
        let (base, spread) = (random(1024), [1024, 256, 16, 4][usize::from(random(4))]);
        let counts = std::array::from_fn(|_| match random(8) {
            0 => random(1024),
            _ => base.saturating_sub(random(spread)),
        });
        let quarters = random(8);
        let anything = random(u32::from(top) + 1);
        found += check(counts, if random(2) == 0 { quarters * quarters } else { anything });
    }
    assert!(found > 300, "only {found} critical warps in 300 intervals");
}

#[test]
fn full_width_of_16_warps() {
    full_width(warp_profiler::warps_16());
}

#[test]
fn full_width_of_48_warps() {
    full_width(warp_profiler::warps_48());
}

/// What is illegal, or concerns warps outside the scope, leaves no trace but `error`.
#[test]
fn illegal_inputs_are_ignored() {
    let binding = warp_profiler::warps_4();
    let (mut clean, mut disturbed) = (verilated(&binding), verilated(&binding));
    let member = [true, true, true, false];
    let start = In { start: true, member, window: 6, cfg_r_squared: 4, ..In::default() };
    for cycle in 0..40 {
        let loads = [cycle % 2 == 0, cycle % 3 == 0, cycle == 3, false];
        let legal = match cycle {
            0 => start.clone(),
            _ => In { load_done: loads, issued: [cycle == 1; 4], ..In::default() },
        };
        let outsider = [false, false, false, true];
        let illegal = In {
            start: true,
            member: if cycle == 0 { member } else { [false; 4] },
            window: if cycle == 0 { 6 } else { 1 },
            cfg_r_squared: if cycle == 0 { 4 } else { 60 },
            load_done: std::array::from_fn(|i| legal.load_done[i] || outsider[i]),
            exited: outsider,
            ..legal.clone()
        };
        let (expected, found) = (clean.eval(&legal), disturbed.eval(&illegal));
        assert_eq!(found.error, cycle != 0);
        let mut found = Out { error: false, ..found };
        if !expected.valid {
            (found.critical, found.count) = (expected.critical, expected.count);
        }
        assert_eq!(found.hold[3], expected.hold[3] && cycle != 0);
        assert_eq!(found, expected, "cycle {cycle}");
        clean.tick();
        disturbed.tick();
    }
    assert!(clean.eval(&In::default()).valid);
}
