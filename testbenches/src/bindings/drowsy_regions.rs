//! `drowsy_regions`: accesses that stay near one another, stride through the cache or jump about.

use lanewise_sim::units::drowsy_regions::{index_bits, DrowsyRegions, In, Out};

use crate::contract::{Binding, Machine, Registers, StateOf};
use crate::stimulus::{Gen, Source, Sticky};

const ASLEEP: usize = 0;
const SETTLING: usize = 1;
const SETTLED: usize = 2;

/// The block and how to try it, for a cache of `BLOCKS` blocks.
pub fn binding<const BLOCKS: usize>(entry: &'static str) -> Binding<In<BLOCKS>, Out<BLOCKS>> {
    Binding::of::<DrowsyRegions<BLOCKS>>(entry, stimulus).machine(Machine {
        states: &["Asleep", "Settling", "Settled"],
        of: StateOf::Registers(state::<BLOCKS>),
        transitions: vec![
            (ASLEEP, SETTLING),
            (ASLEEP, SETTLED),
            (SETTLING, SETTLED),
            (SETTLED, SETTLING),
            // All regions sleep when their size changes and no access is there.
            (SETTLING, ASLEEP),
            (SETTLED, ASLEEP),
        ],
    })
}

/// What the cache as a whole does. The region bits stand in rows of eight.
fn state<const BLOCKS: usize>(registers: &Registers) -> Vec<usize> {
    let awake = (0..BLOCKS / 8).any(|row| registers.get(&format!("awake[{row}]")) != 0);
    vec![match (awake, registers.get("timer")) {
        (false, _) => ASLEEP,
        (true, 0) => SETTLED,
        (true, _) => SETTLING,
    }]
}

/// Where accesses go: each pattern lasts for some dozens of them.
#[derive(Clone, Copy)]
enum Pattern {
    Near,
    Stride,
    Jump,
    /// Also blocks that are not there, where the cache's size is no power of two.
    Any,
}

fn stimulus<const BLOCKS: usize>() -> Source<In<BLOCKS>> {
    let mut pattern = Sticky::new(100);
    let mut block = 0;
    let mut next_block = move |g: &mut Gen| {
        let pattern = pattern
            .next(g, |g| g.pick(&[Pattern::Near, Pattern::Stride, Pattern::Jump, Pattern::Any]));
        block = match pattern {
            Pattern::Near => (block + g.below(5) + BLOCKS - 2) % BLOCKS,
            Pattern::Stride => (block + 1) % BLOCKS,
            Pattern::Jump => g.below(BLOCKS),
            Pattern::Any => g.bits(index_bits(BLOCKS)) as usize,
        };
        block as u16
    };
    let mut access = Sticky::new(3);
    let mut early = Sticky::new(3);
    let mut shift = Sticky::new(60);
    let mut wake_up = Sticky::new(60);
    Box::new(move |g| {
        // Real requesters hold an access until it is ready; the block must not rely on it.
        let (access_valid, access_block) = access.next(g, |g| (!g.once_in(3), next_block(g)));
        let (early_valid, early_block) = early.next(g, |g| (g.once_in(3), next_block(g)));
        In {
            access_valid,
            access_block,
            early_valid,
            early_block,
            cfg_region_shift: shift.next(g, |g| if g.once_in(2) { 0 } else { g.bits(3) as u8 }),
            cfg_wake_up: wake_up.next(g, |g| g.bits(2) as u8),
        }
    })
}
