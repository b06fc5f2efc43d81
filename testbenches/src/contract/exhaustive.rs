//! Every input there is, where there are fewer than 2^20.

use lanewise_sim::units::{Io, Unit};

use super::{Failure, Subject};
use crate::image::Layout;
use crate::lockstep::{Alarm, Lockstep};

const CHECK: &str = "exhaustive";

/// Input bits from which on there are too many inputs to try them all.
pub const TOO_MANY_BITS: usize = 20;

/// Tries all inputs if they are few. A clocked block gets them one a cycle in scattered order, each in
/// whatever state the ones before have led to.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    let layout = Layout::of::<I>();
    let bits: usize = layout.fields().iter().map(|field| field.bits()).sum();
    if bits >= TOO_MANY_BITS {
        return Ok(());
    }
    let alarm = Alarm::default();
    let mut lockstep = Lockstep::new(subject.binding.entry, "exhaustive", &alarm);
    for (name, unit) in subject.back_ends(CHECK)? {
        lockstep = lockstep.with(name, unit);
    }
    for number in 0..1usize << bits {
        // Odd, so that every number below 2^bits comes once.
        let scattered = number.wrapping_mul(0x9e37_79b9) & ((1 << bits) - 1);
        lockstep.eval(&inputs(&layout, scattered));
        alarm.check().map_err(|mismatch| subject.failure(CHECK, mismatch))?;
        lockstep.tick();
    }
    Ok(())
}

/// The bits of `number` dealt out to the fields.
fn inputs<I: Io>(layout: &Layout, mut number: usize) -> I {
    let mut image = vec![0; I::WORDS];
    for (index, field) in layout.fields().iter().enumerate() {
        layout.field_mut(index, &mut image)[0] = (number & ((1 << field.bits()) - 1)) as u32;
        number >>= field.bits();
    }
    I::unpack(&image)
}
