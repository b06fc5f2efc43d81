//! Measures the longest chain of load misses that follow one another, with one timestamp a miss.
//!
//! CRISP, sections 3.5 and 3.6; without `advance` it is the critical path (CRIT) of section 2.1. When a
//! miss starts, its timestamp is the path so far; when it ends after L cycles, the path is at least
//! timestamp + L. A timestamp register holds the path minus the cycle number, so that the length needs
//! no register of its own: at the end, adding the cycle number back adds the cycles that passed.
//!
//! What falls in one cycle is taken in this order: `advance`, ends, starts. A cycle is counted once: a
//! miss that starts in a cycle by which the path has already grown adds to it from the next cycle on.
//! Without that rule a chain could become longer than the time it took.

use crate::prelude::*;

/// `SLOTS` misses at a time, named by `SLOT_BITS` bits; `PORTS` of them may start, and as many end, in a
/// cycle. Lengths are `WIDTH` bits.
///
/// The paper has 164 slots, one for each miss register of all L1 caches of an SM, and 32-bit counters.
#[derive(LogicBlock)]
pub struct LoadCriticalPath<
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
    pub(crate) advance: Signal<In, Bit>,
    pub(crate) t_lcp: Signal<Out, Bits<WIDTH>>,
    pub(crate) cycles: Signal<Out, Bits<WIDTH>>,
    pub(crate) outstanding: Signal<Out, Bit>,
    pub(crate) overflow: Signal<Out, Bit>,
    busy: Reg<Bits<SLOTS>>,
    stamp: DataSlots<WIDTH, SLOTS>,
    path: Reg<Bits<WIDTH>>,
    cycle: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
    one: Signal<Local, Bits<SLOTS>>,
    starts: Signal<Local, Bits<SLOTS>>,
    ends: Signal<Local, Bits<SLOTS>>,
    end_at: Signal<Local, Bits<SLOTS>>,
    found: [Signal<Local, Bit>; PORTS],
    match_stamp: Signal<Local, Bits<WIDTH>>,
    end_stamp: [Signal<Local, Bits<WIDTH>>; PORTS],
    length: [Signal<Local, Bits<WIDTH>>; PORTS],
    longest: Signal<Local, Bits<WIDTH>>,
    first_cycle: Signal<Local, Bits<WIDTH>>,
    new_stamp: Signal<Local, Bits<WIDTH>>,
}

rtl_block! {
    LoadCriticalPath<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>,
    "load_critical_path" in "crisp", clocked,
    Crisp "3.6 hardware mechanism; 2.1 critical path",
    "Measures the longest chain of load misses that follow one another, with one timestamp a miss. \
     A timestamp holds the path at the start of the miss minus the cycle number, so that adding the \
     cycle number at the end adds the length of the miss. In one cycle advance comes first, then \
     ends, then starts, and no cycle is counted twice.",
    input start_valid: "a miss starts on port p";
    input start_slot: "its slot, free or freed in this cycle; anything else is ignored";
    input end_valid: "a miss ends on port p; this is its last cycle";
    input end_slot: "its slot; ignored if no miss is in it";
    input advance: "lengthen the path by this cycle; ignored with no miss outstanding";
    output t_lcp: "length of the path in cycles";
    output cycles: "cycles since reset";
    output outstanding: "a miss is outstanding in this cycle, its first and last included";
    output overflow: "cycles has wrapped since reset: the counters mean nothing any more";
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Default
    for LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start_valid: std::array::from_fn(|_| Default::default()),
            start_slot: std::array::from_fn(|_| Default::default()),
            end_valid: std::array::from_fn(|_| Default::default()),
            end_slot: std::array::from_fn(|_| Default::default()),
            advance: Default::default(),
            t_lcp: Default::default(),
            cycles: Default::default(),
            outstanding: Default::default(),
            overflow: Default::default(),
            busy: Default::default(),
            stamp: DataSlots::valid_by("busy"),
            path: Default::default(),
            cycle: Default::default(),
            wrapped: Default::default(),
            one: Default::default(),
            starts: Default::default(),
            ends: Default::default(),
            end_at: Default::default(),
            found: std::array::from_fn(|_| Default::default()),
            match_stamp: Default::default(),
            end_stamp: std::array::from_fn(|_| Default::default()),
            length: std::array::from_fn(|_| Default::default()),
            longest: Default::default(),
            first_cycle: Default::default(),
            new_stamp: Default::default(),
        }
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Logic
    for LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, path, cycle, wrapped);
        clock!(self, clock, stamp);

        comment!(
            "Slots that a port names in this cycle, a bit each; beyond the last there is none."
        );
        self.one.next = 1.into();
        self.starts.next = 0.into();
        for p in 0..PORTS {
            if self.start_valid[p].val() {
                self.starts.next = self.starts.val() | (self.one.val() << self.start_slot[p].val());
            }
        }
        self.ends.next = 0.into();
        for p in 0..PORTS {
            self.end_at.next = 0.into();
            if self.end_valid[p].val() {
                self.end_at.next = self.one.val() << self.end_slot[p].val();
            }
            self.ends.next = self.ends.val() | self.end_at.val();
            self.found[p].next = (self.end_at.val() & self.busy.q.val()).any();
        }

        comment!("A named slot that is not free has a miss outstanding too, so legality can wait.");
        self.outstanding.next = (self.busy.q.val() | self.starts.val()).any();

        comment!("The timestamp of the miss that ends on each port: AND-OR, not a priority chain.");
        for p in 0..PORTS {
            self.end_stamp[p].next = 0.into();
            self.match_stamp.next = 0.into();
            comment!("The test spares simulators the search in a cycle in which nothing ends.");
            if self.found[p].val() {
                for i in 0..SLOTS {
                    self.match_stamp.next = 0.into();
                    if self.end_slot[p].val() == i.to_bits() {
                        self.match_stamp.next = self.stamp.q[i].val();
                    }
                    self.end_stamp[p].next = self.end_stamp[p].val() | self.match_stamp.val();
                }
            }
        }

        comment!("This cycle is the last of a miss that ends, hence the 1.");
        for p in 0..PORTS {
            self.length[p].next = self.end_stamp[p].val() + self.cycle.q.val() + 1;
        }
        self.longest.next = self.path.q.val() + (self.advance.val() & self.outstanding.val());
        for p in 0..PORTS {
            if self.found[p].val() & (self.length[p].val() > self.longest.val()) {
                self.longest.next = self.length[p].val();
            }
        }
        self.path.d.next = self.longest.val();

        comment!("The first cycle that a new miss adds: this one, unless the path has it already.");
        self.first_cycle.next = self.cycle.q.val() + (self.longest.val() != self.path.q.val());
        self.new_stamp.next = self.longest.val() - self.first_cycle.val();
        self.busy.d.next = (self.busy.q.val() & !self.ends.val()) | self.starts.val();
        self.stamp.write.next = self.starts.val() & (self.ends.val() | !self.busy.q.val());
        self.stamp.d.next = self.new_stamp.val();

        self.cycle.d.next = self.cycle.q.val() + 1;
        self.wrapped.d.next = self.wrapped.q.val() | self.cycle.q.val().all();
        self.t_lcp.next = self.path.q.val();
        self.cycles.next = self.cycle.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
