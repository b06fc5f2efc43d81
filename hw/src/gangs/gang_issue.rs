//! Picks the gangs that issue together in a cycle, on disjoint slices, and leaves the free slices.
//!
//! A Variable Warp Size Architecture, sections 4.2 and 6.3. The paper issues up to two gangs a cycle and
//! studies one and four. Each pick narrows the candidates down by one rule after the other; a rule that
//! no candidate meets does nothing. The default order is the largest gang, then the one that issued
//! last (greedy), then the oldest. Planes as in `gang_directory`: bit i of element w is way w of set i.

use crate::prelude::*;

/// `SETS` original gangs numbered by `SET` bits, at most `PICKS` gangs a cycle.
///
/// Program counters are 32 bits wide here; narrower ones leave the upper planes at zero.
#[derive(LogicBlock)]
pub struct GangIssue<const SETS: usize, const SET: usize, const PICKS: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) launch_valid: Signal<In, Bit>,
    pub(crate) launch_set: Signal<In, Bits<SET>>,
    pub(crate) issuable: [Signal<In, Bits<SETS>>; 4],
    pub(crate) gang_mask: [Signal<In, Bits<SETS>>; 32],
    pub(crate) gang_pc: [Signal<In, Bits<SETS>>; 128],
    pub(crate) cfg_order: Signal<In, Bits<3>>,
    pub(crate) issue: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) pick_set: [Signal<Out, Bits<SET>>; PICKS],
    pub(crate) pick_way: [Signal<Out, Bits<2>>; PICKS],
    pub(crate) pick_mask: [Signal<Out, Bits<8>>; PICKS],
    pub(crate) free_slices: Signal<Out, Bits<8>>,
    age: RegArray<SETS, 5>,
    last_valid: Reg<Bits<PICKS>>,
    last_set: RegArray<SET, PICKS>,
    last_way: RegArray<2, PICKS>,
    one: Signal<Local, Bits<SETS>>,
    launched: Signal<Local, Bits<SETS>>,
    level: [Signal<Local, Bits<SETS>>; 5],
    younger: Signal<Local, Bits<SETS>>,
    carry: Signal<Local, Bits<SETS>>,
    size: [Signal<Local, Bits<SETS>>; 16],
    overflow: Signal<Local, Bits<SETS>>,
    shift: Signal<Local, Bits<SETS>>,
    fit: [Signal<Local, Bits<SETS>>; 4],
    greedy: [Signal<Local, Bits<SETS>>; 4],
    last_at: Signal<Local, Bits<SETS>>,
    later: [Signal<Local, Bits<SETS>>; 4],
    by_pc: Signal<Local, Bit>,
    by_size: Signal<Local, Bit>,
    small_first: Signal<Local, Bit>,
    in_turn: Signal<Local, Bit>,
    left: [Signal<Local, Bits<SETS>>; 4],
    best: [Signal<Local, Bits<SETS>>; 4],
    sets: Signal<Local, Bits<SETS>>,
    any: Signal<Local, Bit>,
    picked: Signal<Local, Bits<PICKS>>,
    mask: Signal<Local, Bits<8>>,
}

rtl_block! {
    GangIssue<const SETS: usize, const SET: usize, const PICKS: usize>,
    "gang_issue" in "gangs", clocked,
    VariableWarpSize "sections 4.2 and 6.3: gang issue",
    "Picks the gangs that issue together in a cycle, on disjoint slices, and leaves the free slices. \
     Element w of a flag is way w, element 8*w + s of a mask slice s of way w, element 4*k + w of the \
     program counters bit k of way w; bit i of an element is set i. Each pick narrows the candidates \
     by one rule after the other; the last is the lowest set, then the lowest way.",
    input launch_valid: "an original gang is launched: it becomes the youngest";
    input launch_set: "its set";
    input issuable: "gangs that may issue";
    input gang_mask: "their slices";
    input gang_pc: "their program counters";
    input cfg_order: "0 largest, greedy, oldest; 1 greedy, oldest; 2 round robin; 3 lowest PC, oldest; 4 smallest, greedy, oldest; else as 0";
    output issue: "gangs that issue";
    output pick_set: "set of the n-th gang, 0 if there is none";
    output pick_way: "its way, 0 if there is none";
    output pick_mask: "its slices, none if there is none";
    output free_slices: "slices left for warps on their own";
}

impl<const SETS: usize, const SET: usize, const PICKS: usize> Default
    for GangIssue<SETS, SET, PICKS>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            launch_valid: Default::default(),
            launch_set: Default::default(),
            issuable: Default::default(),
            gang_mask: Default::default(),
            gang_pc: std::array::from_fn(|_| Default::default()),
            cfg_order: Default::default(),
            issue: Default::default(),
            pick_set: std::array::from_fn(|_| Default::default()),
            pick_way: std::array::from_fn(|_| Default::default()),
            pick_mask: std::array::from_fn(|_| Default::default()),
            free_slices: Default::default(),
            age: Default::default(),
            last_valid: Default::default(),
            last_set: Default::default(),
            last_way: Default::default(),
            one: Default::default(),
            launched: Default::default(),
            level: Default::default(),
            younger: Default::default(),
            carry: Default::default(),
            size: Default::default(),
            overflow: Default::default(),
            shift: Default::default(),
            fit: Default::default(),
            greedy: Default::default(),
            last_at: Default::default(),
            later: Default::default(),
            by_pc: Default::default(),
            by_size: Default::default(),
            small_first: Default::default(),
            in_turn: Default::default(),
            left: Default::default(),
            best: Default::default(),
            sets: Default::default(),
            any: Default::default(),
            picked: Default::default(),
            mask: Default::default(),
        }
    }
}

impl<const SETS: usize, const SET: usize, const PICKS: usize> Logic
    for GangIssue<SETS, SET, PICKS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last_valid);
        clock!(self, clock, age, last_set, last_way);
        self.one.next = 1.into();
        comment!(
            "Ages in launches: those not older than the launched set grow older, it becomes 0."
        );
        self.launched.next = 0.into();
        if self.launch_valid.val() {
            self.launched.next = self.one.val() << self.launch_set.val();
        }
        for k in 0..5 {
            self.level[k].next = 0.into();
            if (self.age.q[k].val() & self.launched.val()).any() {
                self.level[k].next = !self.level[k].val();
            }
        }
        self.younger.next = 0.into();
        self.younger.next = !self.younger.val();
        for k in 0..5 {
            self.younger.next = (self.level[k].val() & !self.age.q[k].val())
                | (!(self.level[k].val() ^ self.age.q[k].val()) & self.younger.val());
        }
        self.carry.next = 0.into();
        if self.launch_valid.val() {
            self.carry.next = self.younger.val();
        }
        for k in 0..5 {
            self.age.d[k].next = (self.age.q[k].val() ^ self.carry.val()) & !self.launched.val();
            self.carry.next = self.age.q[k].val() & self.carry.val();
        }
        comment!("Warps of each gang: element 4*k + w is bit k of the count of way w.");
        for j in 0..16 {
            self.size[j].next = 0.into();
        }
        for w in 0..4 {
            for s in 0..8 {
                self.overflow.next = self.gang_mask[8 * w + s].val();
                for k in 0..4 {
                    self.shift.next = self.size[4 * k + w].val() & self.overflow.val();
                    self.size[4 * k + w].next = self.size[4 * k + w].val() ^ self.overflow.val();
                    self.overflow.next = self.shift.val();
                }
            }
        }
        comment!("A gang of fewer than two warps is none.");
        for w in 0..4 {
            self.fit[w].next = self.issuable[w].val()
                & (self.size[4 + w].val() | self.size[8 + w].val() | self.size[12 + w].val());
        }
        comment!("Greedy: the gangs that issued last. Later: those behind the first of them.");
        for w in 0..4 {
            self.greedy[w].next = 0.into();
            for p in 0..PICKS {
                if self.last_valid.q.val().get_bit(p) & (self.last_way.q[p].val() == w.to_bits()) {
                    self.greedy[w].next =
                        self.greedy[w].val() | (self.one.val() << self.last_set.q[p].val());
                }
            }
        }
        self.last_at.next = self.one.val() << self.last_set.q[0].val();
        for w in 0..4 {
            comment!("Minus twice a bit: all bits above it. Minus the bit: those and itself.");
            self.later[w].next = !(self.last_at.val() + self.last_at.val()) + 1;
            if self.last_way.q[0].val() < w.to_bits() {
                self.later[w].next = !self.last_at.val() + 1;
            }
        }
        self.by_pc.next = self.cfg_order.val() == 3;
        self.in_turn.next = self.cfg_order.val() == 2;
        self.small_first.next = self.cfg_order.val() == 4;
        self.by_size.next = !((self.cfg_order.val() == 1) | self.in_turn.val() | self.by_pc.val());
        comment!("One pick after the other, each among the gangs on slices that are still free.");
        self.free_slices.next = 0xff.into();
        self.picked.next = 0.into();
        for w in 0..4 {
            self.issue[w].next = 0.into();
        }
        for p in 0..PICKS {
            for w in 0..4 {
                self.left[w].next = self.fit[w].val();
                for s in 0..8 {
                    if !self.free_slices.val().get_bit(s) {
                        self.left[w].next = self.left[w].val() & !self.gang_mask[8 * w + s].val();
                    }
                }
            }
            comment!("The lowest program counter, from its top bit down.");
            if self.by_pc.val() {
                for k in 0..32 {
                    for w in 0..4 {
                        self.best[w].next =
                            self.left[w].val() & !self.gang_pc[124 - 4 * k + w].val();
                    }
                    if (self.best[0].val()
                        | self.best[1].val()
                        | self.best[2].val()
                        | self.best[3].val())
                    .any()
                    {
                        for w in 0..4 {
                            self.left[w].next = self.best[w].val();
                        }
                    }
                }
            }
            comment!("The largest gang, or the smallest, from the top bit of the count down.");
            if self.by_size.val() {
                for k in 0..4 {
                    for w in 0..4 {
                        self.best[w].next = self.left[w].val() & self.size[12 - 4 * k + w].val();
                        if self.small_first.val() {
                            self.best[w].next =
                                self.left[w].val() & !self.size[12 - 4 * k + w].val();
                        }
                    }
                    if (self.best[0].val()
                        | self.best[1].val()
                        | self.best[2].val()
                        | self.best[3].val())
                    .any()
                    {
                        for w in 0..4 {
                            self.left[w].next = self.best[w].val();
                        }
                    }
                }
            }
            comment!("Greedy, or in turn; with the lowest program counter neither.");
            for w in 0..4 {
                self.best[w].next = 0.into();
                if self.in_turn.val() {
                    self.best[w].next = self.left[w].val() & self.later[w].val();
                } else if !self.by_pc.val() {
                    self.best[w].next = self.left[w].val() & self.greedy[w].val();
                }
            }
            if (self.best[0].val() | self.best[1].val() | self.best[2].val() | self.best[3].val())
                .any()
            {
                for w in 0..4 {
                    self.left[w].next = self.best[w].val();
                }
            }
            comment!("The oldest set, from the top bit of the age down; of equals the lowest.");
            self.sets.next =
                self.left[0].val() | self.left[1].val() | self.left[2].val() | self.left[3].val();
            if !self.in_turn.val() {
                for k in 0..5 {
                    if (self.sets.val() & self.age.q[4 - k].val()).any() {
                        self.sets.next = self.sets.val() & self.age.q[4 - k].val();
                    }
                }
            }
            self.sets.next = self.sets.val() & (!self.sets.val() + 1);
            comment!("Its lowest way is picked.");
            self.any.next = false;
            self.mask.next = 0.into();
            self.pick_set[p].next = 0.into();
            self.pick_way[p].next = 0.into();
            for w in 0..4 {
                if (self.left[w].val() & self.sets.val()).any() & !self.any.val() {
                    self.any.next = true;
                    self.issue[w].next = self.issue[w].val() | self.sets.val();
                    self.pick_way[p].next = w.to_bits();
                    for s in 0..8 {
                        self.mask.next = self.mask.val().replace_bit(
                            s,
                            (self.gang_mask[8 * w + s].val() & self.sets.val()).any(),
                        );
                    }
                }
            }
            for i in 0..SETS {
                if self.sets.val().get_bit(i) {
                    self.pick_set[p].next = i.to_bits();
                }
            }
            self.picked.next = self.picked.val().replace_bit(p, self.any.val());
            self.pick_mask[p].next = self.mask.val();
            self.free_slices.next = self.free_slices.val() & !self.mask.val();
        }
        comment!("The gangs of the last cycle in which any issued.");
        if self.picked.val().get_bit(0) {
            self.last_valid.d.next = self.picked.val();
        }
        for p in 0..PICKS {
            self.last_set.d[p].next = self.last_set.q[p].val();
            if self.picked.val().get_bit(0) {
                self.last_set.d[p].next = self.pick_set[p].val();
            }
        }
        for p in 0..PICKS {
            self.last_way.d[p].next = self.last_way.q[p].val();
            if self.picked.val().get_bit(0) {
                self.last_way.d[p].next = self.pick_way[p].val();
            }
        }
    }
}
