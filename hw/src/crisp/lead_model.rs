//! Counts the cycles that a leading load is outstanding: the memory time of the LEAD model.
//!
//! CRISP, section 2.1, leading load. With no leader, the next miss that starts leads; until it ends no
//! other can. A miss that starts in the leader's last cycle overlaps it and does not lead. Misses of
//! every L1 count, instruction misses included. Only the leader's slot is remembered, so the block has
//! to believe that a start names a free slot.

use crate::prelude::*;

/// The leader among `SLOTS` misses, named by `SLOT_BITS` bits, `PORTS` of which may start or end in a
/// cycle; its time in `WIDTH` bits.
#[derive(LogicBlock)]
pub struct LeadModel<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) start_valid: [Signal<In, Bit>; PORTS],
    pub(crate) start_slot: [Signal<In, Bits<SLOT_BITS>>; PORTS],
    pub(crate) end_valid: [Signal<In, Bit>; PORTS],
    pub(crate) end_slot: [Signal<In, Bits<SLOT_BITS>>; PORTS],
    pub(crate) t_mem: Signal<Out, Bits<WIDTH>>,
    pub(crate) leading: Signal<Out, Bit>,
    pub(crate) overflow: Signal<Out, Bit>,
    slots: Constant<Bits<SLOT_BITS>>,
    led: Reg<Bit>,
    leader: DataReg<Bits<SLOT_BITS>>,
    time: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
    candidate_valid: Signal<Local, Bit>,
    candidate: Signal<Local, Bits<SLOT_BITS>>,
    returns: Signal<Local, Bit>,
}

rtl_block! {
    LeadModel<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>,
    "lead_model" in "crisp", clocked,
    Crisp "2.1 leading load (LEAD)",
    "Counts the cycles that a leading load is outstanding: the memory time of the LEAD model. \
     When the leader has returned, the next miss that starts leads. \
     Reset it at the start of each kernel.",
    input start_valid: "a miss starts on port p";
    input start_slot: "its slot; ignored if there is no such slot";
    input end_valid: "a miss ends on port p; this is its last cycle";
    input end_slot: "its slot; only the leader's matters";
    output t_mem: "cycles with a leading load outstanding";
    output leading: "a leading load is outstanding in this cycle, its first and last included";
    output overflow: "t_mem has wrapped since reset";
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Default
    for LeadModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start_valid: std::array::from_fn(|_| Default::default()),
            start_slot: std::array::from_fn(|_| Default::default()),
            end_valid: std::array::from_fn(|_| Default::default()),
            end_slot: std::array::from_fn(|_| Default::default()),
            t_mem: Default::default(),
            leading: Default::default(),
            overflow: Default::default(),
            slots: Constant::new(SLOTS.to_bits()),
            led: Default::default(),
            leader: DataReg::valid_by("led"),
            time: Default::default(),
            wrapped: Default::default(),
            candidate_valid: Default::default(),
            candidate: Default::default(),
            returns: Default::default(),
        }
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Logic
    for LeadModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, led, leader, time, wrapped);

        comment!("The miss that would lead: the first port's, if several start.");
        self.candidate_valid.next = false;
        self.candidate.next = 0.into();
        for p in 0..PORTS {
            if self.start_valid[p].val()
                & (self.start_slot[p].val() < self.slots.val())
                & !self.candidate_valid.val()
            {
                self.candidate_valid.next = true;
                self.candidate.next = self.start_slot[p].val();
            }
        }
        self.returns.next = false;
        for p in 0..PORTS {
            if self.end_valid[p].val() & (self.end_slot[p].val() == self.leader.q.val()) {
                self.returns.next = true;
            }
        }

        self.leading.next = self.led.q.val() | self.candidate_valid.val();
        if self.led.q.val() {
            self.led.d.next = !self.returns.val();
        } else {
            self.led.d.next = self.candidate_valid.val();
            self.leader.d.next = self.candidate.val();
        }

        self.time.d.next = self.time.q.val() + self.leading.val();
        self.wrapped.d.next = self.wrapped.q.val() | (self.leading.val() & self.time.q.val().all());
        self.t_mem.next = self.time.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
