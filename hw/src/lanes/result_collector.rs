//! Joins the two halves of a folded warp and puts all its results on the bus together.
//!
//! Origami, result collection buffer (figure 9). Halves carry a tag and the buffer holds several first
//! halves at once, because the halves of long and short operations interleave: a divide's second half
//! may leave the pipe after both halves of an add. A warp that was not folded passes straight through.
//!
//! A half that cannot be right changes nothing and raises `error` for the cycle: a first half when the
//! buffer is full, a first half whose tag is already held, a second half without its first.

use crate::prelude::*;

/// A buffer of `ENTRIES` first halves; `WORDS` is 32 words an entry.
#[derive(LogicBlock)]
pub struct ResultCollector<const ENTRIES: usize, const WORDS: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) half_valid: Signal<In, Bit>,
    pub(crate) half_tag: Signal<In, Bits<8>>,
    pub(crate) half_folded: Signal<In, Bit>,
    pub(crate) half_last: Signal<In, Bit>,
    pub(crate) half_mask: Signal<In, Bits<32>>,
    pub(crate) half_result: [Signal<In, Bits<32>>; 32],
    pub(crate) half_flag: Signal<In, Bits<32>>,
    pub(crate) valid: Signal<Out, Bit>,
    pub(crate) tag: Signal<Out, Bits<8>>,
    pub(crate) mask: Signal<Out, Bits<32>>,
    pub(crate) result: [Signal<Out, Bits<32>>; 32],
    pub(crate) flag: Signal<Out, Bits<32>>,
    pub(crate) busy: Signal<Out, Bits<ENTRIES>>,
    pub(crate) error: Signal<Out, Bit>,
    held: Reg<Bits<ENTRIES>>,
    held_tag: DataRegArray<8, ENTRIES>,
    held_mask: DataRegArray<32, ENTRIES>,
    held_flag: DataRegArray<32, ENTRIES>,
    held_result: DataRegArray<32, WORDS>,
    hit: Signal<Local, Bits<ENTRIES>>,
    free: Signal<Local, Bits<ENTRIES>>,
    first: Signal<Local, Bit>,
    second: Signal<Local, Bit>,
    store: Signal<Local, Bit>,
    merge: Signal<Local, Bit>,
    met_mask: Signal<Local, Bits<32>>,
    met_flag: Signal<Local, Bits<32>>,
    met_result: [Signal<Local, Bits<32>>; 32],
    from_held: Signal<Local, Bits<32>>,
}

rtl_block! {
    ResultCollector<const ENTRIES: usize, const WORDS: usize>,
    "result_collector" in "lanes", clocked,
    Origami "result collection buffer",
    "Joins the two halves of a folded warp by tag and puts all its results on the bus together. \
     A warp that is not folded passes within the cycle. A first half waits in the lowest free entry. \
     A first half that finds no entry free or its tag already held, and a second half without its \
     first, change nothing and raise error_o.",
    input half_valid: "a warp or half-warp arrives";
    input half_tag: "tag of its operation";
    input half_folded: "it is one half of a folded warp";
    input half_last: "it is the second half";
    input half_mask: "lanes that have a result";
    input half_result: "result of each lane";
    input half_flag: "flag result of each lane";
    output valid: "a whole warp's results are on the bus";
    output tag: "tag of its operation";
    output mask: "lanes that have a result";
    output result: "result of each lane; one outside mask means nothing";
    output flag: "flag result of each lane; one outside mask means nothing";
    output busy: "entries that hold a first half";
    output error: "the half that arrives cannot be right and is ignored";
}

impl<const ENTRIES: usize, const WORDS: usize> Default for ResultCollector<ENTRIES, WORDS> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            half_valid: Default::default(),
            half_tag: Default::default(),
            half_folded: Default::default(),
            half_last: Default::default(),
            half_mask: Default::default(),
            half_result: std::array::from_fn(|_| Default::default()),
            half_flag: Default::default(),
            valid: Default::default(),
            tag: Default::default(),
            mask: Default::default(),
            result: std::array::from_fn(|_| Default::default()),
            flag: Default::default(),
            busy: Default::default(),
            error: Default::default(),
            held: Default::default(),
            held_tag: DataRegArray::valid_by("held"),
            held_mask: DataRegArray::valid_by("held"),
            held_flag: DataRegArray::valid_by("held"),
            held_result: DataRegArray::valid_by("held"),
            hit: Default::default(),
            free: Default::default(),
            first: Default::default(),
            second: Default::default(),
            store: Default::default(),
            merge: Default::default(),
            met_mask: Default::default(),
            met_flag: Default::default(),
            met_result: std::array::from_fn(|_| Default::default()),
            from_held: Default::default(),
        }
    }
}

impl<const ENTRIES: usize, const WORDS: usize> Logic for ResultCollector<ENTRIES, WORDS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        clock!(self, clock, held_tag, held_mask, held_flag, held_result);

        comment!("The entry that holds this tag, and the lowest free entry, one bit each.");
        self.hit.next = 0.into();
        for e in 0..ENTRIES {
            self.hit.next = self.hit.val().replace_bit(
                e,
                self.held.q.val().get_bit(e) & (self.held_tag.q[e].val() == self.half_tag.val()),
            );
        }
        self.free.next = !self.held.q.val() & (self.held.q.val() + 1);

        self.first.next = self.half_valid.val() & self.half_folded.val() & !self.half_last.val();
        self.second.next = self.half_valid.val() & self.half_folded.val() & self.half_last.val();
        self.store.next = self.first.val() & !self.hit.val().any() & self.free.val().any();
        self.merge.next = self.second.val() & self.hit.val().any();
        self.error.next =
            (self.first.val() & !self.store.val()) | (self.second.val() & !self.merge.val());
        self.valid.next = (self.half_valid.val() & !self.half_folded.val()) | self.merge.val();

        if self.store.val() {
            self.held.d.next = self.held.q.val() | self.free.val();
        } else if self.merge.val() {
            self.held.d.next = self.held.q.val() & !self.hit.val();
        }
        for e in 0..ENTRIES {
            self.held_tag.d[e].next = self.held_tag.q[e].val();
            self.held_mask.d[e].next = self.held_mask.q[e].val();
            self.held_flag.d[e].next = self.held_flag.q[e].val();
            for i in 0..32 {
                self.held_result.d[32 * e + i].next = self.held_result.q[32 * e + i].val();
            }
            if self.store.val() & self.free.val().get_bit(e) {
                self.held_tag.d[e].next = self.half_tag.val();
                self.held_mask.d[e].next = self.half_mask.val();
                self.held_flag.d[e].next = self.half_flag.val();
                for i in 0..32 {
                    self.held_result.d[32 * e + i].next = self.half_result[i].val();
                }
            }
        }

        comment!("The first half that was waiting; without a hit it is entry 0 and not used.");
        self.met_mask.next = self.held_mask.q[0].val();
        self.met_flag.next = self.held_flag.q[0].val();
        for i in 0..32 {
            self.met_result[i].next = self.held_result.q[i].val();
        }
        for e in 1..ENTRIES {
            if self.hit.val().get_bit(e) {
                self.met_mask.next = self.held_mask.q[e].val();
                self.met_flag.next = self.held_flag.q[e].val();
                for i in 0..32 {
                    self.met_result[i].next = self.held_result.q[32 * e + i].val();
                }
            }
        }

        self.from_held.next = 0.into();
        if self.merge.val() {
            self.from_held.next = self.met_mask.val();
        }
        self.tag.next = self.half_tag.val();
        self.mask.next = self.half_mask.val() | self.from_held.val();
        for i in 0..32 {
            self.result[i].next = self.half_result[i].val();
            if self.from_held.val().get_bit(i) {
                self.result[i].next = self.met_result[i].val();
            }
        }
        self.flag.next = (self.half_flag.val() & !self.from_held.val())
            | (self.met_flag.val() & self.from_held.val());
        self.busy.next = self.held.q.val();
    }
}
