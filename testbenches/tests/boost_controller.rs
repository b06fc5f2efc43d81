//! `boost_controller` keeps its contract, ranks every profile rightly, and follows the profiler.

use lanewise_sim::units::{boost_controller as controller, warp_profiler as profiler, Io};
use lanewise_testbenches::bindings::{boost_controller, warp_profiler};
use lanewise_testbenches::contract::{self, Binding, Subject};
use lanewise_testbenches::verilated::Start;
use lanewise_testbenches::BoxedUnit;
use proptest::prelude::Rng;

#[test]
fn contract_warps_16() {
    contract::run(&boost_controller::warps_16());
}

#[test]
fn contract_warps_48() {
    contract::run(&boost_controller::warps_48());
}

#[test]
fn contract_warps_4() {
    contract::run(&boost_controller::warps_4());
}

fn verilated<I: Io, O: Io>(binding: &Binding<I, O>) -> BoxedUnit<I, O> {
    let built = Subject::of(binding).and_then(|subject| subject.verilated("particular"));
    Box::new(built.unwrap_or_else(|failure| panic!("{failure}")).unit(Start::Reset))
}

/// The level of each warp: critical warps sorted, the first half 3, the rest 2, all others 1.
fn by_sorting<const WARPS: usize>(critical: &[bool; WARPS], count: &[u16; WARPS]) -> [u8; WARPS] {
    let mut order: Vec<usize> = (0..WARPS).filter(|&i| critical[i]).collect();
    order.sort_by_key(|&i| (count[i], i));
    let mut levels = [1; WARPS];
    for (rank, &warp) in order.iter().enumerate() {
        levels[warp] = if rank < order.len().div_ceil(2) { 3 } else { 2 };
    }
    levels
}

fn levels<const WARPS: usize, const SWITCH_BITS: usize>(
    out: &controller::Out<WARPS, SWITCH_BITS>,
) -> [u8; WARPS] {
    std::array::from_fn(|i| match (out.boost_2x[i], out.boost_3x[i]) {
        (false, false) => 1,
        (true, false) => 2,
        (false, true) => 3,
        (true, true) => panic!("warp {i} has two levels"),
    })
}

/// Every critical mask with every count of four warps: 65,536 profiles.
#[test]
fn all_profiles_of_four_warps() {
    let mut unit = verilated(&boost_controller::warps_4());
    for code in 0..1u32 << 16 {
        let critical: [bool; 4] = std::array::from_fn(|i| code >> i & 1 != 0);
        let inputs = controller::In {
            profile_valid: true,
            critical,
            count: std::array::from_fn(|i| (code >> (4 + 3 * i) & 7) as u16),
            progress: [true; 4],
            ..controller::In::default()
        };
        let k = critical.iter().filter(|c| **c).count();
        for _ in 0..1 + 5 * k.div_ceil(2).max(1) {
            unit.eval(&inputs);
            unit.tick();
        }
        let out = unit.eval(&inputs);
        assert!(!out.ranking);
        assert_eq!(levels(&out), by_sorting(&critical, &inputs.count), "{inputs:?}");
        unit.eval(&controller::In { finish: true, ..inputs });
        unit.tick();
        assert_eq!(levels(&unit.eval(&controller::In::default())), [1; 4]);
        unit.tick();
    }
}

/// Profiler and controller of a thread block, wired as in an SM, both as exported.
#[test]
fn the_profilers_critical_warps_are_boosted_until_the_barrier() {
    const WARPS: usize = 16;
    let mut profiler = verilated(&warp_profiler::warps_16());
    let mut controller = verilated(&boost_controller::warps_16());
    let mut runner = Subject::of(&warp_profiler::warps_16()).expect("known").runner(7, 1);
    let mut random = |limit: u32| (runner.rng().next_u32() % limit) as u16;
    let (mut boosted, mut switches) = (0, 0);
    for interval in 0..100 {
        let counts: [u16; WARPS] = std::array::from_fn(|_| match random(5) {
            0 => random(60),
            _ => 50 + random(8),
        });
        let expected_critical = counts.map(|c| profiler::lags(c, &counts, 16));
        let expected = by_sorting(&expected_critical, &counts);
        let mut step = |inputs: profiler::In<WARPS, 10, 8>| {
            let profile = profiler.eval(&inputs);
            let out = controller.eval(&controller::In {
                profile_valid: profile.valid,
                critical: profile.critical,
                count: profile.count,
                finish: inputs.finish,
                progress: [true; WARPS],
                cfg_time_limit: 100,
            });
            assert!(!out.error && !profile.error);
            profiler.tick();
            controller.tick();
            out
        };
        let member = [true; WARPS];
        let start = profiler::In {
            start: true,
            member,
            window: 60,
            cfg_r_squared: 16,
            ..Default::default()
        };
        assert_eq!(levels(&step(start)), [1; WARPS]);
        for cycle in 0..60 {
            let load_done = counts.map(|c| cycle < c);
            assert_eq!(levels(&step(profiler::In { load_done, ..Default::default() })), [1; WARPS]);
        }
        for _ in 0..300 {
            step(profiler::In::default());
        }
        let out = step(profiler::In { finish: true, ..Default::default() });
        assert_eq!(levels(&out), expected, "interval {interval}: {counts:?}");
        let now = expected.iter().filter(|level| **level > 1).count() as u32;
        assert_eq!(out.switches - switches, now, "up once each");
        switches = out.switches + now;
        let out = step(profiler::In::default());
        assert_eq!(levels(&out), [1; WARPS]);
        assert_eq!(out.switches, switches, "and down once each");
        boosted += now;
    }
    assert!(boosted > 100, "only {boosted} boosts in 100 intervals");
}
