//! Each scheduler does what its name says.

use super::harness::{machine, Bench};
use lanewise_sim::machine::sm::scheduler::{by_name, Scheduler, View, WarpSet};
use std::collections::HashSet;

fn scheduler(set: &[&str]) -> Box<dyn Scheduler> {
    by_name(&machine(set).sm).expect("the name is known")
}

/// Nobody waits.
fn view(ages: &[u64], running: WarpSet) -> View<'_> {
    View { ages, waiting: 0, running }
}

#[test]
fn loose_round_robin_is_fair() {
    let mut lrr = scheduler(&["sm.scheduler=lrr"]);
    let ages = [0; 64];
    let ready = 0b1011_0101;
    let picks: Vec<usize> = (0..10).map(|_| lrr.pick(ready, &view(&ages, ready))).collect();
    assert_eq!(picks, [0, 2, 4, 5, 7, 0, 2, 4, 5, 7]);
    // The last slot is followed by the first.
    assert_eq!(lrr.pick(1 << 63, &view(&ages, ready)), 63);
    assert_eq!(lrr.pick(1 << 63 | 1, &view(&ages, ready)), 0);
}

#[test]
fn greedy_stays_with_its_warp_and_then_takes_the_oldest() {
    let mut gto = scheduler(&["sm.scheduler=gto"]);
    let ages = [9, 3, 7, 1];
    let all = 0b1111;
    let mut pick = |ready| gto.pick(ready, &view(&ages, all));
    assert_eq!(pick(0b0110), 1, "the oldest of two");
    assert_eq!(pick(0b1111), 1, "greedy, though 3 is older");
    assert_eq!(pick(0b1101), 3, "1 cannot; the oldest that can");
    assert_eq!(pick(0b1111), 3);
}

#[test]
fn oldest_first_takes_the_oldest_every_time() {
    let mut oldest = scheduler(&["sm.scheduler=oldest"]);
    let ages = [9, 3, 7, 1];
    assert_eq!(oldest.pick(0b0111, &view(&ages, 0b1111)), 1);
    assert_eq!(oldest.pick(0b1111, &view(&ages, 0b1111)), 3);
}

#[test]
fn two_level_lets_only_its_active_set_issue() {
    let mut two = scheduler(&["sm.scheduler=two-level", "sm.two_level_active=3"]);
    let ages = [0; 64];
    let running = 0b111_1111;
    let eligible = two.eligible(running, &view(&ages, running));
    assert_eq!(eligible, 0b111, "the first three enter");
    assert_eq!(two.eligible(running, &view(&ages, running)), eligible, "and stay");
    // One waits for memory: the next enters in its place.
    let waiting = View { ages: &ages, waiting: 0b010, running };
    assert_eq!(two.eligible(running & !0b010, &waiting), 0b1101);
    // It is back, but the set is full.
    assert_eq!(two.eligible(running, &view(&ages, running)), 0b1101);
    // Two end: those enter that have waited longest since the last entered.
    let running = running & !0b101;
    assert_eq!(two.eligible(running, &view(&ages, running)), 0b11_1000);
}

#[test]
fn a_small_active_set_shows_in_who_issues() {
    // Twelve warps of each scheduler compute and none waits for memory: only the active ones issue.
    let body = ["add.s32 %r1, %r1, 1;"; 12].join("\n");
    for active in [1, 2, 5] {
        let ran = Bench::new(&body)
            .block(768)
            .set(&format!("sm.two_level_active={active}"))
            .set("sm.scheduler=two-level")
            .run(20);
        // Over the whole run every warp gets its turn; look at a stretch of 100 cycles, which bounds the set from
        // above and does not say that it is full.
        let middle = ran.issues_of(0, 0).nth(8).expect("it has issued").cycle;
        let stretch = ran.issues.iter().filter(|i| (middle..middle + 100).contains(&i.cycle));
        let warps: HashSet<usize> = stretch.map(|i| i.candidate.warp).collect();
        assert!(warps.len() <= 2 * active && warps.contains(&0), "{active}: {warps:?}");
    }
}
