//! `group_counters`: a buffer that fills, then drains, past both limits.

use lanewise_sim::units::group_counters::{GroupCounters, In, Out};

use crate::contract::Binding;
use crate::stimulus::{Gen, Source, Sticky};

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<GroupCounters>("group_counters", stimulus)
}

/// How often warps of each group enter and leave, in eighths.
fn stimulus() -> Source<In> {
    let mut enter = Sticky::new(40);
    let mut leave = Sticky::new(40);
    let mut full = Sticky::new(40);
    Box::new(move |g| {
        let rates = [&mut enter, &mut leave, &mut full].map(|rate| rate.next(g, |g| g.below(9)));
        let pair = |rate: usize, g: &mut Gen| [g.below(8) < rate, g.below(8) < rate];
        In {
            enter_valid: pair(rates[0], g),
            enter_full: pair(rates[2], g),
            leave_valid: pair(rates[1], g),
            leave_full: pair(rates[2], g),
        }
    })
}
