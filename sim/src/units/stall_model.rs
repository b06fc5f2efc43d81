//! Counts the cycles that the core waits for loads: the memory time of the STALL model.
//!
//! CRISP, section 2.1. Reset state: 0.

use super::counter::Counter;
use super::Unit;

crate::io! {
    /// Inputs of [`StallModel`].
    pub struct In {
        /// The cycle is lost to a load.
        load_stall: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`StallModel`].
    pub struct Out<const WIDTH: usize> {
        /// Cycles lost to loads.
        t_mem: u32, WIDTH;
        /// `t_mem` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// One counter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StallModel<const WIDTH: usize> {
    t_mem: Counter<WIDTH>,
    load_stall: bool,
}

impl<const WIDTH: usize> Unit for StallModel<WIDTH> {
    type In = In;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &In) -> Self::Out {
        self.load_stall = inputs.load_stall;
        Out { t_mem: self.t_mem.value(), overflow: self.t_mem.wrapped() }
    }

    fn repeat(&mut self, inputs: &In, cycles: u64) {
        self.t_mem.add(u64::from(inputs.load_stall) * cycles);
    }

    fn tick(&mut self) {
        self.t_mem.add(self.load_stall.into());
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_inputs_before_the_edge_count() {
        let mut model = StallModel::<32>::default();
        model.eval(&In { load_stall: false });
        model.eval(&In { load_stall: true });
        model.tick();
        model.eval(&In { load_stall: true });
        assert_eq!(model.eval(&In { load_stall: false }).t_mem, 1);
        model.tick();
        assert_eq!(model.eval(&In::default()).t_mem, 1);
    }
}
