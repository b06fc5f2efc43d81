//! Charges a fixed latency for each miss that no earlier one hides: the memory time of the MISS model.
//!
//! CRISP, section 2.1. A miss is initial unless it falls within the latency of the initial miss before
//! it, whose own cycle is the first of them. Reset state: no initial miss yet, counters 0.

use super::counter::Counter;
use super::{one_by_one, Unit};

crate::io! {
    /// Inputs of [`MissModel`].
    pub struct In {
        /// One or more misses start in this cycle.
        miss: bool, 1;
        /// Latency charged, taken at each initial miss; 0 hides nothing and charges nothing.
        cfg_latency: u16, 10;
    }
}

crate::io! {
    /// Outputs of [`MissModel`].
    pub struct Out<const WIDTH: usize> {
        /// Initial misses times latency.
        t_mem: u32, WIDTH;
        /// Initial misses.
        misses: u32, WIDTH;
        /// `t_mem` or `misses` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// An initial miss: how long ago it was, and the latency it was charged.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Initial {
    age: u16,
    latency: u16,
}

/// The last initial miss and the counters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissModel<const WIDTH: usize> {
    last: Option<Initial>,
    t_mem: Counter<WIDTH>,
    misses: Counter<WIDTH>,
    inputs: In,
}

impl<const WIDTH: usize> Unit for MissModel<WIDTH> {
    type In = In;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &In) -> Self::Out {
        self.inputs = inputs.clone();
        Out {
            t_mem: self.t_mem.value(),
            misses: self.misses.value(),
            overflow: self.t_mem.wrapped() || self.misses.wrapped(),
        }
    }

    fn repeat(&mut self, inputs: &In, cycles: u64) {
        if inputs.miss {
            return one_by_one(self, inputs, cycles);
        }
        if let Some(initial) = &mut self.last {
            initial.age = initial.age.saturating_add(cycles.min(u16::MAX.into()) as u16);
        }
    }

    fn tick(&mut self) {
        let In { miss, cfg_latency: latency } = self.inputs;
        let hidden = self.last.is_some_and(|initial| initial.age < initial.latency);
        if miss && !hidden {
            self.last = Some(Initial { age: 0, latency });
            self.t_mem.add(latency.into());
            self.misses.add(1);
        }
        if let Some(initial) = &mut self.last {
            initial.age = initial.age.saturating_add(1);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t_mem(latency: u16, misses: &[usize]) -> u32 {
        let mut model = MissModel::<32>::default();
        for cycle in 0..40 {
            model.eval(&In { miss: misses.contains(&cycle), cfg_latency: latency });
            model.tick();
        }
        model.eval(&In::default()).t_mem
    }

    #[test]
    fn the_window_starts_with_the_initial_miss_and_lasts_the_latency() {
        assert_eq!(t_mem(8, &[0, 7]), 8);
        assert_eq!(t_mem(8, &[0, 8]), 16);
        // A hidden miss does not open a window of its own.
        assert_eq!(t_mem(8, &[0, 5, 9]), 16);
        assert_eq!(t_mem(1, &[0, 1, 2]), 3);
        assert_eq!(t_mem(0, &[0, 1]), 0);
    }

    #[test]
    fn cycles_at_once_are_cycles_one_by_one() {
        let [mut single, mut bulk] = [MissModel::<32>::default(), Default::default()];
        for n in 0..60u64 {
            let inputs = In { miss: n % 3 == 0, cfg_latency: 8 };
            for _ in 0..n % 5 {
                single.eval(&inputs);
                single.tick();
            }
            bulk.repeat(&inputs, n % 5);
            assert_eq!(single.eval(&In::default()), bulk.eval(&In::default()), "step {n}");
        }
    }
}
