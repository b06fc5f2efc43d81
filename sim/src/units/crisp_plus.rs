//! Keeps the counters from which `crisp-plus` predicts run time at another frequency.
//!
//! Ours, beside section 3.6 of CRISP. A cycle in which the SM has no warp counts nothing. A stall with a miss
//! outstanding is a load's, one without is a store's; the other combination is illegal and counts nothing. Reset
//! state: every counter 0.

use super::counter::Counter;
use super::Unit;

crate::io! {
    /// Inputs of [`CrispPlus`].
    pub struct In<const WARPS: usize> {
        /// A warp is resident.
        active: bool, 1;
        /// Instructions issued in this cycle: 0, 1 or 2; 3 counts as 2.
        issued: u8, 2;
        /// An L1 miss is outstanding, its first and last cycle included.
        load_outstanding: bool, 1;
        /// The cycle is lost to a load.
        load_stall: bool, 1;
        /// The cycle is lost to stores.
        store_stall: bool, 1;
        /// The head of the load-store queue waits for the memory side.
        memory_blocked: bool, 1;
        /// Bit i: warp i has something to run and is not at a barrier.
        live: u64, WARPS;
        /// Bit i: its next instruction waits for the pipeline. Ignored if it is not live.
        computing: u64, WARPS;
    }
}

crate::io! {
    /// Outputs of [`CrispPlus`].
    pub struct Out<const WIDTH: usize> {
        /// Cycles with a warp.
        active_cycles: u32, WIDTH;
        /// Of these, lost to loads or stores.
        stalls: u32, WIDTH;
        /// Of these, computation with a miss outstanding that issued nothing.
        idle_under_loads: u32, WIDTH;
        /// The same, that issued one instruction.
        single_under_loads: u32, WIDTH;
        /// Of these, with the load-store queue waiting for the memory side.
        blocked_cycles: u32, WIDTH;
        /// Live warps, summed over cycles.
        live_warps: u32, WIDTH;
        /// Those that wait for the pipeline, summed over cycles.
        computing_warps: u32, WIDTH;
        /// A counter has wrapped since reset.
        overflow: bool, 1;
    }
}

/// The counters of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrispPlus<const WARPS: usize, const WIDTH: usize> {
    active_cycles: Counter<WIDTH>,
    stalls: Counter<WIDTH>,
    idle_under_loads: Counter<WIDTH>,
    single_under_loads: Counter<WIDTH>,
    blocked_cycles: Counter<WIDTH>,
    live_warps: Counter<WIDTH>,
    computing_warps: Counter<WIDTH>,
    inputs: In<WARPS>,
}

impl<const WARPS: usize, const WIDTH: usize> Unit for CrispPlus<WARPS, WIDTH> {
    type In = In<WARPS>;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        self.inputs = inputs.clone();
        Out {
            active_cycles: self.active_cycles.value(),
            stalls: self.stalls.value(),
            idle_under_loads: self.idle_under_loads.value(),
            single_under_loads: self.single_under_loads.value(),
            blocked_cycles: self.blocked_cycles.value(),
            live_warps: self.live_warps.value(),
            computing_warps: self.computing_warps.value(),
            // None of the others is larger than one of these.
            overflow: self.active_cycles.wrapped() || self.live_warps.wrapped(),
        }
    }

    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        if !inputs.active {
            return;
        }
        let loads = inputs.load_outstanding;
        let stalls = if loads { inputs.load_stall } else { inputs.store_stall };
        let computes_under_load = loads && !inputs.load_stall;
        let warps = |mask: u64| u64::from((mask & (u64::MAX >> (64 - WARPS))).count_ones());
        self.active_cycles.add(cycles);
        self.stalls.add(u64::from(stalls) * cycles);
        self.idle_under_loads.add(u64::from(computes_under_load && inputs.issued == 0) * cycles);
        self.single_under_loads.add(u64::from(computes_under_load && inputs.issued == 1) * cycles);
        self.blocked_cycles.add(u64::from(inputs.memory_blocked) * cycles);
        self.live_warps.add(warps(inputs.live) * cycles);
        self.computing_warps.add(warps(inputs.live & inputs.computing) * cycles);
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

    fn after(cycles: &[In<4>]) -> Out<8> {
        let mut plus = CrispPlus::<4, 8>::default();
        for inputs in cycles {
            plus.eval(inputs);
            plus.tick();
        }
        plus.eval(&In::default())
    }

    #[test]
    fn every_counter_counts_its_cycles() {
        let idle = In { active: true, live: 0b0111, computing: 0b1010, ..In::default() };
        let under = In { load_outstanding: true, ..idle.clone() };
        let out = after(&[
            In { issued: 2, memory_blocked: true, ..idle.clone() },
            In { store_stall: true, load_stall: true, ..idle },
            In { load_stall: true, store_stall: true, ..under.clone() },
            under.clone(),
            In { issued: 1, ..under.clone() },
            In { issued: 3, memory_blocked: true, ..under },
        ]);
        let expected = Out {
            active_cycles: 6,
            stalls: 2,
            idle_under_loads: 1,
            single_under_loads: 1,
            blocked_cycles: 2,
            live_warps: 18,
            computing_warps: 6,
            overflow: false,
        };
        assert_eq!(out, expected);
    }

    #[test]
    fn an_sm_without_warps_counts_nothing() {
        let all = In {
            active: false,
            issued: 0,
            load_outstanding: true,
            load_stall: true,
            store_stall: true,
            memory_blocked: true,
            live: 0xf,
            computing: 0xf,
        };
        assert_eq!(after(&[all.clone(), all]), Out::default());
    }

    #[test]
    fn the_sum_of_warps_may_be_the_first_to_wrap() {
        let busy = In { active: true, live: 0xf, ..In::default() };
        let out = after(&vec![busy.clone(); 63]);
        assert_eq!((out.live_warps, out.overflow), (252, false));
        let out = after(&vec![busy; 64]);
        assert_eq!((out.live_warps, out.active_cycles, out.overflow), (0, 64, true));
    }
    #[test]
    fn cycles_without_live_warps_wrap_too() {
        let waiting = In { active: true, ..In::default() };
        let out = after(&vec![waiting.clone(); 255]);
        assert_eq!((out.active_cycles, out.overflow), (255, false));
        let out = after(&vec![waiting; 256]);
        assert_eq!((out.active_cycles, out.overflow), (0, true));
    }

    #[test]
    fn cycles_at_once_are_cycles_one_by_one() {
        let [mut single, mut bulk] = [CrispPlus::<4, 8>::default(), Default::default()];
        for n in 0..200u64 {
            let inputs = In {
                active: n % 7 != 0,
                issued: (n % 4) as u8,
                load_outstanding: n % 3 != 0,
                load_stall: n % 5 == 0,
                store_stall: n % 2 == 0,
                memory_blocked: n % 11 < 4,
                live: n % 16,
                computing: n / 3 % 16,
            };
            for _ in 0..n % 23 {
                single.eval(&inputs);
                single.tick();
            }
            bulk.repeat(&inputs, n % 23);
            let (single, bulk) = (single.eval(&In::default()), bulk.eval(&In::default()));
            assert_eq!(single, bulk, "step {n}");
            if n == 12 {
                let out = bulk;
                let counts = [
                    out.stalls,
                    out.idle_under_loads,
                    out.single_under_loads,
                    out.blocked_cycles,
                    out.computing_warps,
                ];
                assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
            }
        }
        assert!(bulk.eval(&In::default()).overflow, "the counters have wrapped on the way");
    }
}
