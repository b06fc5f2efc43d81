//! `fold_controller`: phases from one cycle to the longest, busy and quiet ones, counts that linger.

use lanewise_sim::units::fold_controller::{FoldController, In, Out};

use crate::contract::Binding;
use crate::stimulus::{Gen, Source, Sticky};

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<FoldController>("fold_controller", stimulus)
}

/// A machine's settings: windows and limit fit the phase more often than not.
#[derive(Clone)]
struct Config {
    length: u16,
    aggressive: u16,
    conservative: u16,
    off: u16,
    max_phases: u8,
}

fn config(g: &mut Gen) -> Config {
    let length = match g.below(4) {
        0 => g.number(10) as u16,
        1 => g.below(8) as u16,
        2 => g.below(64) as u16,
        _ => g.pick(&[150, 300, 500, 1023]),
    };
    let window = |percent: u32, g: &mut Gen| match g.below(4) {
        0 => g.number(10) as u16,
        _ => (u32::from(length) * percent / 100) as u16,
    };
    let (aggressive, conservative) = (window(70, g), window(40, g));
    let off = match g.below(4) {
        0 => g.number(11) as u16,
        _ => (u32::from(length) * 2 * 90 / 100) as u16,
    };
    Config { length, aggressive, conservative, off, max_phases: g.number(3) as u8 }
}

/// Issues are 2 for long stretches, so that some phases reach the adaptive limit; 3 is illegal.
fn stimulus() -> Source<In> {
    let mut settings = Sticky::new(1500);
    let mut saturated = Sticky::new(500);
    let mut types = Sticky::new(50);
    let mut full = [Sticky::new(100), Sticky::new(100)];
    let mut partial = [Sticky::new(100), Sticky::new(100)];
    Box::new(move |g| {
        let settings = settings.next(g, config);
        let saturated = saturated.next(g, |g| g.once_in(2));
        let (int_count, fp_count) = types.next(g, |g| match g.number(6) as u8 {
            same if g.once_in(4) => (same, same),
            int_count => (int_count, g.number(6) as u8),
        });
        In {
            issued: if saturated { 2 } else { g.bits(2) as u8 },
            int_count,
            fp_count,
            full_count: full.each_mut().map(|count| count.next(g, |g| g.number(5) as u8)),
            partial_count: partial.each_mut().map(|count| count.next(g, |g| g.number(5) as u8)),
            cfg_phase_length: settings.length,
            cfg_fold_aggressive: settings.aggressive,
            cfg_fold_conservative: settings.conservative,
            cfg_adaptive_off: settings.off,
            cfg_max_phases: settings.max_phases,
        }
    })
}
