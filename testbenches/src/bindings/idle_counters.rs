//! `idle_counters`: lanes that work in bursts, under thresholds that change now and then.

use lanewise_sim::units::idle_counters::{IdleCounters, In, Out};

use crate::contract::Binding;
use crate::stimulus::{Source, Sticky};

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<IdleCounters>("idle_counters", stimulus)
}

/// A mask that stays for a few cycles, so that some lanes idle long enough to saturate.
fn stimulus() -> Source<In> {
    let mut active = Sticky::new(6);
    let mut threshold = Sticky::new(20);
    Box::new(move |g| In {
        active: active.next(g, |g| g.mask32()),
        cfg_threshold: threshold.next(g, |g| g.bits(3) as u8),
    })
}
