//! Keeps the counters of CRISP-L, which takes every cycle with a load outstanding for critical.
//!
//! CRISP, section 5.3. A stall with a miss outstanding is a load's, one without is a store's; the other
//! combination is illegal and counts nothing. Reset state: every counter 0.

use super::counter::Counter;
use super::Unit;

crate::io! {
    /// Inputs of [`CrispLight`].
    pub struct In {
        /// An L1 miss is outstanding, its first and last cycle included.
        load_outstanding: bool, 1;
        /// The cycle is lost to a load.
        load_stall: bool, 1;
        /// The cycle is lost to stores.
        store_stall: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`CrispLight`].
    pub struct Out<const WIDTH: usize> {
        /// Cycles with a miss outstanding.
        lcp: u32, WIDTH;
        /// Cycles lost to loads.
        load_stalls: u32, WIDTH;
        /// Cycles lost to stores.
        store_stalls: u32, WIDTH;
        /// A counter has wrapped since reset.
        overflow: bool, 1;
    }
}

/// The counters of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrispLight<const WIDTH: usize> {
    lcp: Counter<WIDTH>,
    load_stalls: Counter<WIDTH>,
    store_stalls: Counter<WIDTH>,
    inputs: In,
}

impl<const WIDTH: usize> Unit for CrispLight<WIDTH> {
    type In = In;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &In) -> Self::Out {
        self.inputs = inputs.clone();
        let counters = [self.lcp, self.load_stalls, self.store_stalls];
        Out {
            lcp: self.lcp.value(),
            load_stalls: self.load_stalls.value(),
            store_stalls: self.store_stalls.value(),
            overflow: counters.into_iter().any(Counter::wrapped),
        }
    }

    fn repeat(&mut self, inputs: &In, cycles: u64) {
        let In { load_outstanding, load_stall, store_stall } = *inputs;
        self.lcp.add(u64::from(load_outstanding) * cycles);
        self.load_stalls.add(u64::from(load_stall && load_outstanding) * cycles);
        self.store_stalls.add(u64::from(store_stall && !load_outstanding) * cycles);
    }

    fn tick(&mut self) {
        let inputs = self.inputs.clone();
        self.repeat(&inputs, 1);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_belongs_to_the_loads_if_one_is_outstanding() {
        let mut light = CrispLight::<32>::default();
        for load_outstanding in [true, true, false] {
            light.eval(&In { load_outstanding, load_stall: true, store_stall: true });
            light.tick();
        }
        let out = light.eval(&In::default());
        assert_eq!((out.lcp, out.load_stalls, out.store_stalls), (2, 2, 1));
    }
}
