//! Keeps the most recently accessed region of a cache awake and every other one drowsy.
//!
//! Power-Aware Caches for GPGPUs, section 3.3.1 (coarse-grained drowsy mode). A region is 1 to 32
//! consecutive blocks. A drowsy block keeps its data but cannot be read, so `ready` gates the word
//! line: it rises only when the region's supply has been up for the wake-up delay. A look-ahead port
//! wakes the region of an access that is still on its way.
//!
//! The delay counts the access's own cycle, as the thesis does: an access served at once when the
//! region is awake is served `cfg_wake_up` cycles later when it is not. The region bit changes at the
//! end of the first of these cycles, so a supply that needs k whole cycles asks for k + 1.
//!
//! Region bits are held in rows of eight: one row is selected and then one bit of it, as a two-level
//! row decoder does, which also keeps every signal narrow.

use crate::prelude::*;

/// `8 * ROWS` blocks, numbered by `INDEX` bits.
#[derive(LogicBlock)]
pub struct DrowsyRegions<const ROWS: usize, const INDEX: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) access_valid: Signal<In, Bit>,
    pub(crate) access_block: Signal<In, Bits<INDEX>>,
    pub(crate) early_valid: Signal<In, Bit>,
    pub(crate) early_block: Signal<In, Bits<INDEX>>,
    pub(crate) cfg_region_shift: Signal<In, Bits<3>>,
    pub(crate) cfg_wake_up: Signal<In, Bits<2>>,
    pub(crate) ready: Signal<Out, Bit>,
    pub(crate) drowsy: [Signal<Out, Bits<8>>; ROWS],
    awake: RegArray<8, ROWS>,
    timer: Reg<Bits<2>>,
    shift: Reg<Bits<3>>,
    new_shift: Signal<Local, Bits<3>>,
    resized: Signal<Local, Bit>,
    access_region: Signal<Local, Bits<INDEX>>,
    early_region: Signal<Local, Bits<INDEX>>,
    target: Signal<Local, Bits<INDEX>>,
    access_row: Signal<Local, Bits<INDEX>>,
    early_row: Signal<Local, Bits<INDEX>>,
    target_row: Signal<Local, Bits<INDEX>>,
    access_bit: Signal<Local, Bits<8>>,
    early_bit: Signal<Local, Bits<8>>,
    target_bit: Signal<Local, Bits<8>>,
    access_exists: Signal<Local, Bit>,
    early_exists: Signal<Local, Bit>,
    access_awake: Signal<Local, Bit>,
    early_awake: Signal<Local, Bit>,
    access: Signal<Local, Bit>,
    wake_access: Signal<Local, Bit>,
    wake_early: Signal<Local, Bit>,
    wake: Signal<Local, Bit>,
}

rtl_block! {
    DrowsyRegions<const ROWS: usize, const INDEX: usize>,
    "drowsy_regions" in "cache", clocked,
    PowerAwareCaches "section 3.3.1: coarse-grained drowsy mode",
    "Keeps the most recently accessed region of a cache awake and every other one drowsy. \
     An access to a drowsy region wakes it, is held until it is ready, cfg_wake_up cycles after it \
     began, and sends the region that was awake to sleep. A look-ahead does the same for an access to \
     come, unless an access is waiting.",
    input access_valid: "an access wants its block; held until ready";
    input access_block: "its block; an access to a block that is not there is ignored";
    input early_valid: "an access is to come";
    input early_block: "its block; ignored if it is not there";
    input cfg_region_shift: "log2 of the blocks of a region, 0 to 5; 6 and 7 act as 5";
    input cfg_wake_up: "cycles from access to ready of a drowsy region; 0 acts as 1";
    output ready: "the word line of the access may open in this cycle";
    output drowsy: "region i is drowsy; regions that are not there always are";
}

impl<const ROWS: usize, const INDEX: usize> Default for DrowsyRegions<ROWS, INDEX> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            access_block: Default::default(),
            early_valid: Default::default(),
            early_block: Default::default(),
            cfg_region_shift: Default::default(),
            cfg_wake_up: Default::default(),
            ready: Default::default(),
            drowsy: std::array::from_fn(|_| Default::default()),
            awake: Default::default(),
            timer: Default::default(),
            shift: Default::default(),
            new_shift: Default::default(),
            resized: Default::default(),
            access_region: Default::default(),
            early_region: Default::default(),
            target: Default::default(),
            access_row: Default::default(),
            early_row: Default::default(),
            target_row: Default::default(),
            access_bit: Default::default(),
            early_bit: Default::default(),
            target_bit: Default::default(),
            access_exists: Default::default(),
            early_exists: Default::default(),
            access_awake: Default::default(),
            early_awake: Default::default(),
            access: Default::default(),
            wake_access: Default::default(),
            wake_early: Default::default(),
            wake: Default::default(),
        }
    }
}

impl<const ROWS: usize, const INDEX: usize> Logic for DrowsyRegions<ROWS, INDEX> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, timer, shift);
        clock!(self, clock, awake);
        comment!("A new region size gives the bits a new meaning: until one is set again, all are drowsy.");
        self.new_shift.next = self.cfg_region_shift.val();
        if self.cfg_region_shift.val() > 5 {
            self.new_shift.next = 5.into();
        }
        self.shift.d.next = self.new_shift.val();
        self.resized.next = self.new_shift.val() != self.shift.q.val();

        self.access_region.next = self.access_block.val() >> self.new_shift.val();
        self.early_region.next = self.early_block.val() >> self.new_shift.val();
        self.access_row.next = self.access_region.val() >> 3;
        self.early_row.next = self.early_region.val() >> 3;
        self.access_bit.next = bits::<8>(1) << self.access_region.val().get_bits::<3>(0);
        self.early_bit.next = bits::<8>(1) << self.early_region.val().get_bits::<3>(0);

        comment!("The region bit is read while the tags are: a check costs no time.");
        self.access_exists.next = false;
        self.access_awake.next = false;
        for row in 0..ROWS {
            if (self.access_block.val() >> 3) == row.to_bits() {
                self.access_exists.next = true;
            }
            if (self.access_row.val() == row.to_bits()) & !self.resized.val() {
                self.access_awake.next = (self.awake.q[row].val() & self.access_bit.val()).any();
            }
        }
        self.early_exists.next = false;
        self.early_awake.next = false;
        for row in 0..ROWS {
            if (self.early_block.val() >> 3) == row.to_bits() {
                self.early_exists.next = true;
            }
            if (self.early_row.val() == row.to_bits()) & !self.resized.val() {
                self.early_awake.next = (self.awake.q[row].val() & self.early_bit.val()).any();
            }
        }

        comment!("The word line stays shut until the region is awake and its supply has settled.");
        self.access.next = self.access_valid.val() & self.access_exists.val();
        self.ready.next = self.access.val() & self.access_awake.val() & (self.timer.q.val() == 0);

        comment!("An access that waits is never overtaken by a look-ahead; one that is served has no more need.");
        self.wake_access.next = self.access.val() & !self.access_awake.val();
        self.wake_early.next = self.early_valid.val()
            & self.early_exists.val()
            & !self.early_awake.val()
            & (!self.access.val() | self.ready.val());
        self.wake.next = self.wake_access.val() | self.wake_early.val();
        self.target.next = self.early_region.val();
        if self.wake_access.val() {
            self.target.next = self.access_region.val();
        }
        self.target_row.next = self.target.val() >> 3;
        self.target_bit.next = bits::<8>(1) << self.target.val().get_bits::<3>(0);

        comment!("To wake one region is to send every other to sleep.");
        for row in 0..ROWS {
            self.awake.d[row].next = self.awake.q[row].val();
            if self.wake.val() | self.resized.val() {
                self.awake.d[row].next = 0.into();
            }
            if self.wake.val() & (self.target_row.val() == row.to_bits()) {
                self.awake.d[row].next = self.target_bit.val();
            }
        }
        if self.wake.val() {
            self.timer.d.next = 0.into();
            if self.cfg_wake_up.val() != 0 {
                self.timer.d.next = self.cfg_wake_up.val() - 1;
            }
        } else if self.timer.q.val() != 0 {
            self.timer.d.next = self.timer.q.val() - 1;
        }
        for row in 0..ROWS {
            self.drowsy[row].next = !self.awake.q[row].val();
        }
    }
}
