//! Cuts the supply of each idle lane and gives it back a wake-up delay after it is wanted.
//!
//! Origami, sections 2.2 (power gating) and 3.3 (eager gating); blackout is that of Warped-Gates, which
//! the paper compares with. A lane is On, Uncompensated (gated, and the switching energy not yet
//! earned back), Compensated (gated for longer than the break-even time) or Waking. The four states are
//! outputs, so that energy is counted outside: counters here would outweigh the gates.
//!
//! As in `idle_counters`, plane k of a per-lane number is one 32-bit register, so that one bitwise
//! operation serves all lanes. The state takes two planes:
//!
//! | `gated` | `late` | state |
//! | --- | --- | --- |
//! | 0 | 0 | On |
//! | 1 | 0 | Uncompensated |
//! | 1 | 1 | Compensated |
//! | 0 | 1 | Waking |
//!
//! One timer a lane serves both Uncompensated and Waking, since a lane is never in both. It counts down
//! from the configured length less one, so that leaving a state needs a test for zero and no comparison,
//! and so that a new configuration never cuts short a wait that has begun.

use super::idle_counters::IdleCounters;
use crate::prelude::*;

/// 32 power gates with one configuration.
#[derive(LogicBlock, Default)]
pub struct LanePowerGate {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) busy: Signal<In, Bits<32>>,
    pub(crate) request: Signal<In, Bits<32>>,
    pub(crate) eager: Signal<In, Bit>,
    pub(crate) cfg_idle_detect: Signal<In, Bits<3>>,
    pub(crate) cfg_break_even: Signal<In, Bits<5>>,
    pub(crate) cfg_wake_up: Signal<In, Bits<4>>,
    pub(crate) cfg_blackout: Signal<In, Bit>,
    pub(crate) ready: Signal<Out, Bits<32>>,
    pub(crate) uncompensated: Signal<Out, Bits<32>>,
    pub(crate) compensated: Signal<Out, Bits<32>>,
    pub(crate) waking: Signal<Out, Bits<32>>,
    counters: IdleCounters,
    gated: Reg<Bits<32>>,
    late: Reg<Bits<32>>,
    timer: RegArray<32, 5>,
    borrow: [Signal<Local, Bits<32>>; 6],
    expired: Signal<Local, Bits<32>>,
    unused: Signal<Local, Bits<32>>,
    eager_lanes: Signal<Local, Bits<32>>,
    held: Signal<Local, Bits<32>>,
    gate: Signal<Local, Bits<32>>,
    wake: Signal<Local, Bits<32>>,
    slow_wake: Signal<Local, Bits<32>>,
    gate_length: Signal<Local, Bits<5>>,
    wake_length: Signal<Local, Bits<5>>,
    start: [Signal<Local, Bits<32>>; 5],
}

rtl_block! {
    LanePowerGate,
    "lane_power_gate" in "gating", clocked,
    Origami "sections 2.2 and 3.3: power gating, eager power gating",
    "Cuts the supply of each idle lane and gives it back a wake-up delay after it is wanted. \
     A lane is On, Uncompensated (gated, switching energy not yet earned back), Compensated or \
     Waking; gated_q and late_q hold 00, 10, 11 and 01. A request to a gated lane in cycle t makes \
     it ready in cycle t + 1 + cfg_wake_up. With cfg_blackout a lane stays gated for at least \
     cfg_break_even cycles.",
    input busy: "an instruction is in the pipe of lane i; ignored unless the lane is ready";
    input request: "lane i is wanted";
    input eager: "folding is on: lanes 2 and 3 of a cluster gate without the idle-detect wait";
    input cfg_idle_detect: "idle cycles to wait before gating";
    input cfg_break_even: "cycles a lane stays Uncompensated; 0 acts as 1";
    input cfg_wake_up: "cycles a lane stays Waking; 0 skips the state";
    input cfg_blackout: "a request does not end Uncompensated early";
    output ready: "lane i is On";
    output uncompensated: "lane i is gated and the switching energy is not yet earned back";
    output compensated: "lane i is gated and saves energy";
    output waking: "the supply of lane i is coming back";
}

impl Logic for LanePowerGate {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, gated, late);
        clock!(self, clock, timer);
        self.counters.clock.next = self.clock.val();
        self.counters.reset.next = self.reset.val();
        self.ready.next = !self.gated.q.val() & !self.late.q.val();
        self.uncompensated.next = self.gated.q.val() & !self.late.q.val();
        self.compensated.next = self.gated.q.val() & self.late.q.val();
        self.waking.next = !self.gated.q.val() & self.late.q.val();

        comment!(
            "A lane that is not On counts as active, so that it wakes with a clear idle counter."
        );
        self.unused.next = self.ready.val() & !self.busy.val() & !self.request.val();
        self.counters.active.next = !self.unused.val();
        self.counters.cfg_threshold.next = self.cfg_idle_detect.val();

        comment!("Folding leaves lanes 2 and 3 of each cluster unused for long: no need to observe first.");
        self.eager_lanes.next = 0.into();
        if self.eager.val() {
            self.eager_lanes.next = 0xcccc_cccc_u64.into();
        }
        self.gate.next = self.unused.val() & (self.counters.idle.val() | self.eager_lanes.val());

        comment!("Borrow out of the planes below plane k, were one taken away; out of all: the timer is zero.");
        self.borrow[0].next = 0xffff_ffff_u64.into();
        for k in 0..5 {
            self.borrow[k + 1].next = self.borrow[k].val() & !self.timer.q[k].val();
        }
        self.expired.next = self.borrow[5].val();

        comment!("Blackout holds a lane until its break-even time is over.");
        self.held.next = 0.into();
        if self.cfg_blackout.val() {
            self.held.next = self.uncompensated.val() & !self.expired.val();
        }
        self.wake.next = self.request.val() & self.gated.q.val() & !self.held.val();

        comment!("A wake-up of no cycles goes straight to On.");
        self.slow_wake.next = 0.into();
        if self.cfg_wake_up.val().any() {
            self.slow_wake.next = self.wake.val();
        }
        self.gated.d.next = self.gate.val() | (self.gated.q.val() & !self.wake.val());
        self.late.d.next = self.slow_wake.val()
            | (self.compensated.val() & !self.wake.val())
            | (self.uncompensated.val() & self.expired.val() & !self.wake.val())
            | (self.waking.val() & !self.expired.val());

        comment!("The timer counts a state's last cycle as zero.");
        self.gate_length.next = 0.into();
        if self.cfg_break_even.val().any() {
            self.gate_length.next = self.cfg_break_even.val() - 1;
        }
        self.wake_length.next = 0.into();
        if self.cfg_wake_up.val().any() {
            self.wake_length.next = bit_cast::<5, 4>(self.cfg_wake_up.val()) - 1;
        }
        for k in 0..5 {
            self.start[k].next = 0.into();
            if self.gate_length.val().get_bit(k) {
                self.start[k].next = self.gate.val();
            }
            if self.wake_length.val().get_bit(k) {
                self.start[k].next = self.start[k].val() | self.wake.val();
            }
        }
        comment!("Lanes that enter a timed state load its length, the others count down and stop at zero.");
        for k in 0..5 {
            self.timer.d[k].next = self.start[k].val()
                | ((self.timer.q[k].val() ^ (self.borrow[k].val() & !self.expired.val()))
                    & !(self.gate.val() | self.wake.val()));
        }
    }
}
