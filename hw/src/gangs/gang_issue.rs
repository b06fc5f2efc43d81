//! Picks the gangs that issue together in a cycle, on disjoint slices, and leaves the free slices.
//!
//! A Variable Warp Size Architecture, sections 4.2 and 6.3. The paper issues up to two gangs a cycle and
//! studies one and four. The rules of an order, one after the other, make a rank of a few bits that does
//! not change from pick to pick; a pick is a tournament of all gangs that still fit, in which the lower
//! rank wins and of equals the lower set and way. The default order is the largest gang, then the one that
//! issued last (greedy), then the oldest.
//!
//! Planes as in `gang_directory`: bit i of element w is way w of set i. A round of the tournament is the
//! same few operations on whole planes: in the k-th round among sets, bit i meets bit i + 2^k, and what
//! matters afterwards are the bits at multiples of 2^(k+1).

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
    pair_low: [Signal<Local, Bits<SETS>>; 16],
    pair_high: [Signal<Local, Bits<SETS>>; 16],
    quad_low: [Signal<Local, Bits<SETS>>; 8],
    quad_middle: [Signal<Local, Bits<SETS>>; 8],
    quad_high: [Signal<Local, Bits<SETS>>; 8],
    carry_low: [Signal<Local, Bits<SETS>>; 4],
    carry_middle: [Signal<Local, Bits<SETS>>; 4],
    size: [Signal<Local, Bits<SETS>>; 16],
    fit: [Signal<Local, Bits<SETS>>; 4],
    greedy: [Signal<Local, Bits<SETS>>; 4],
    last_at: Signal<Local, Bits<SETS>>,
    later: [Signal<Local, Bits<SETS>>; 4],
    by_pc: Signal<Local, Bit>,
    by_size: Signal<Local, Bit>,
    small_first: Signal<Local, Bit>,
    in_turn: Signal<Local, Bit>,
    stride: Signal<Local, Bits<5>>,
    rank: [Signal<Local, Bits<SETS>>; 20],
    behind: [Signal<Local, Bits<SETS>>; 2],
    pc_less: [Signal<Local, Bits<SETS>>; 63],
    pc_same: [Signal<Local, Bits<SETS>>; 63],
    left: [Signal<Local, Bits<SETS>>; 4],
    upper: [Signal<Local, Bits<SETS>>; 2],
    ready: Signal<Local, Bits<SETS>>,
    key: [Signal<Local, Bits<SETS>>; 10],
    pc: [Signal<Local, Bits<SETS>>; 32],
    slices: [Signal<Local, Bits<SETS>>; 8],
    at: [Signal<Local, Bits<SETS>>; 7],
    rival_ready: Signal<Local, Bits<SETS>>,
    rival_key: [Signal<Local, Bits<SETS>>; 10],
    rival_pc: [Signal<Local, Bits<SETS>>; 32],
    rival_slices: [Signal<Local, Bits<SETS>>; 8],
    rival_at: [Signal<Local, Bits<SETS>>; 7],
    less: [Signal<Local, Bits<SETS>>; 19],
    same: [Signal<Local, Bits<SETS>>; 19],
    takes: Signal<Local, Bits<SETS>>,
    picked: Signal<Local, Bits<PICKS>>,
    mask: Signal<Local, Bits<8>>,
    set_at: Signal<Local, Bits<SETS>>,
}

rtl_block! {
    GangIssue<const SETS: usize, const SET: usize, const PICKS: usize>,
    "gang_issue" in "gangs", clocked,
    VariableWarpSize "sections 4.2 and 6.3: gang issue",
    "Picks the gangs that issue together in a cycle, on disjoint slices, and leaves the free slices. \
     Element w of a flag is way w, element 8*w + s of a mask slice s of way w, element 4*k + w of the \
     program counters bit k of way w; bit i of an element is set i. Each pick is a tournament of the \
     gangs on free slices: the better by the rules of the order wins, of equals the lower set, then way.",
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
            pair_low: Default::default(),
            pair_high: Default::default(),
            quad_low: Default::default(),
            quad_middle: Default::default(),
            quad_high: Default::default(),
            carry_low: Default::default(),
            carry_middle: Default::default(),
            size: Default::default(),
            fit: Default::default(),
            greedy: Default::default(),
            last_at: Default::default(),
            later: Default::default(),
            by_pc: Default::default(),
            by_size: Default::default(),
            small_first: Default::default(),
            in_turn: Default::default(),
            stride: Default::default(),
            rank: Default::default(),
            behind: Default::default(),
            pc_less: std::array::from_fn(|_| Default::default()),
            pc_same: std::array::from_fn(|_| Default::default()),
            left: Default::default(),
            upper: Default::default(),
            ready: Default::default(),
            key: Default::default(),
            pc: Default::default(),
            slices: Default::default(),
            at: Default::default(),
            rival_ready: Default::default(),
            rival_key: Default::default(),
            rival_pc: Default::default(),
            rival_slices: Default::default(),
            rival_at: Default::default(),
            less: Default::default(),
            same: Default::default(),
            takes: Default::default(),
            picked: Default::default(),
            mask: Default::default(),
            set_at: Default::default(),
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
        comment!(
            "Warps of each gang, by a tree of adders: bit k of the count of way w is size 4*k + w."
        );
        for j in 0..16 {
            self.pair_low[j].next = self.gang_mask[2 * j].val() ^ self.gang_mask[2 * j + 1].val();
            self.pair_high[j].next = self.gang_mask[2 * j].val() & self.gang_mask[2 * j + 1].val();
        }
        for j in 0..8 {
            self.quad_low[j].next = self.pair_low[2 * j].val() ^ self.pair_low[2 * j + 1].val();
            self.quad_middle[j].next = self.pair_high[2 * j].val()
                ^ self.pair_high[2 * j + 1].val()
                ^ (self.pair_low[2 * j].val() & self.pair_low[2 * j + 1].val());
            self.quad_high[j].next = self.pair_high[2 * j].val() & self.pair_high[2 * j + 1].val();
        }
        for w in 0..4 {
            self.carry_low[w].next = self.quad_low[2 * w].val() & self.quad_low[2 * w + 1].val();
            self.carry_middle[w].next = (self.quad_middle[2 * w].val()
                & self.quad_middle[2 * w + 1].val())
                | (self.carry_low[w].val()
                    & (self.quad_middle[2 * w].val() | self.quad_middle[2 * w + 1].val()));
            self.size[w].next = self.quad_low[2 * w].val() ^ self.quad_low[2 * w + 1].val();
            self.size[4 + w].next = self.quad_middle[2 * w].val()
                ^ self.quad_middle[2 * w + 1].val()
                ^ self.carry_low[w].val();
            self.size[8 + w].next = self.quad_high[2 * w].val()
                ^ self.quad_high[2 * w + 1].val()
                ^ self.carry_middle[w].val();
            self.size[12 + w].next = self.quad_high[2 * w].val() & self.quad_high[2 * w + 1].val();
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
        comment!("The rank, low is better: 4 bits of size, then greedy or in turn. Element 4*k + w is bit k.");
        for w in 0..4 {
            for k in 0..4 {
                self.rank[4 * k + w + 4].next = 0.into();
                if self.by_size.val() {
                    self.rank[4 * k + w + 4].next = !self.size[4 * k + w].val();
                    if self.small_first.val() {
                        self.rank[4 * k + w + 4].next = self.size[4 * k + w].val();
                    }
                }
            }
            self.rank[w].next = 0.into();
            if self.in_turn.val() {
                self.rank[w].next = !self.later[w].val();
            } else if !self.by_pc.val() {
                self.rank[w].next = !self.greedy[w].val();
            }
        }
        comment!(
            "Of ways 2*j and 2*j + 1, which are equally old, whether the first stands behind."
        );
        for j in 0..2 {
            self.behind[j].next = 0.into();
            for k in 0..5 {
                self.behind[j].next = (self.rank[4 * k + 2 * j].val()
                    & !self.rank[4 * k + 2 * j + 1].val())
                    | (!(self.rank[4 * k + 2 * j].val() ^ self.rank[4 * k + 2 * j + 1].val())
                        & self.behind[j].val());
            }
            for k in 0..63 {
                self.pc_less[k].next = 0.into();
                self.pc_same[k].next = 0.into();
            }
            comment!(
                "Node n of a comparison joins node 2*n + 1 with node 2*n + 2, whose bits count less."
            );
            if self.by_pc.val() {
                for k in 0..32 {
                    self.pc_less[62 - k].next =
                        self.gang_pc[4 * k + 2 * j].val() & !self.gang_pc[4 * k + 2 * j + 1].val();
                    self.pc_same[62 - k].next = !(self.gang_pc[4 * k + 2 * j].val()
                        ^ self.gang_pc[4 * k + 2 * j + 1].val());
                }
                for n in 0..31 {
                    self.pc_less[30 - n].next = self.pc_less[61 - 2 * n].val()
                        | (self.pc_same[61 - 2 * n].val() & self.pc_less[62 - 2 * n].val());
                    self.pc_same[30 - n].next =
                        self.pc_same[61 - 2 * n].val() & self.pc_same[62 - 2 * n].val();
                }
            }
            self.behind[j].next = self.behind[j].val() | self.pc_less[0].val();
        }
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
            comment!("Way 1 against way 0, and way 3 against way 2; the winners are rivals.");
            for j in 0..2 {
                self.upper[j].next =
                    self.left[2 * j + 1].val() & (!self.left[2 * j].val() | self.behind[j].val());
            }
            self.ready.next = self.left[0].val() | self.left[1].val();
            self.rival_ready.next = self.left[2].val() | self.left[3].val();
            for k in 0..5 {
                self.key[k + 5].next = (self.rank[4 * k].val() & !self.upper[0].val())
                    | (self.rank[4 * k + 1].val() & self.upper[0].val());
                self.rival_key[k + 5].next = (self.rank[4 * k + 2].val() & !self.upper[1].val())
                    | (self.rank[4 * k + 3].val() & self.upper[1].val());
                comment!("The older first, but not in turn.");
                self.key[k].next = 0.into();
                if !self.in_turn.val() {
                    self.key[k].next = !self.age.q[k].val();
                }
                self.rival_key[k].next = self.key[k].val();
            }
            for k in 0..32 {
                self.pc[k].next = 0.into();
                self.rival_pc[k].next = 0.into();
            }
            if self.by_pc.val() {
                for k in 0..32 {
                    self.pc[k].next = (self.gang_pc[4 * k].val() & !self.upper[0].val())
                        | (self.gang_pc[4 * k + 1].val() & self.upper[0].val());
                    self.rival_pc[k].next = (self.gang_pc[4 * k + 2].val() & !self.upper[1].val())
                        | (self.gang_pc[4 * k + 3].val() & self.upper[1].val());
                }
            }
            for s in 0..8 {
                self.slices[s].next =
                    (self.gang_mask[s].val() & self.left[0].val() & !self.upper[0].val())
                        | (self.gang_mask[s + 8].val() & self.upper[0].val());
                self.rival_slices[s].next =
                    (self.gang_mask[s + 16].val() & self.left[2].val() & !self.upper[1].val())
                        | (self.gang_mask[s + 24].val() & self.upper[1].val());
            }
            comment!("Where the winner comes from: two bits of way, then the set's.");
            for k in 0..7 {
                self.at[k].next = 0.into();
                self.rival_at[k].next = 0.into();
            }
            self.at[0].next = self.upper[0].val();
            self.rival_at[0].next = self.upper[1].val();
            comment!(
                "The first round is among ways, the others are among sets, ever further apart."
            );
            self.stride.next = 1.into();
            for r in 0..6 {
                comment!("Nodes 15 to 18 are the bits of size, 9 is the next rule, 10 to 14 age.");
                for k in 0..4 {
                    self.less[18 - k].next = self.key[k + 6].val() & !self.rival_key[k + 6].val();
                    self.same[18 - k].next = !(self.key[k + 6].val() ^ self.rival_key[k + 6].val());
                }
                for k in 0..6 {
                    self.less[14 - k].next = self.key[k].val() & !self.rival_key[k].val();
                    self.same[14 - k].next = !(self.key[k].val() ^ self.rival_key[k].val());
                }
                for n in 0..9 {
                    self.less[8 - n].next = self.less[17 - 2 * n].val()
                        | (self.same[17 - 2 * n].val() & self.less[18 - 2 * n].val());
                    self.same[8 - n].next =
                        self.same[17 - 2 * n].val() & self.same[18 - 2 * n].val();
                }
                self.takes.next = self.less[0].val();
                if self.by_pc.val() {
                    for k in 0..32 {
                        self.pc_less[62 - k].next = self.pc[k].val() & !self.rival_pc[k].val();
                        self.pc_same[62 - k].next = !(self.pc[k].val() ^ self.rival_pc[k].val());
                    }
                    for n in 0..31 {
                        self.pc_less[30 - n].next = self.pc_less[61 - 2 * n].val()
                            | (self.pc_same[61 - 2 * n].val() & self.pc_less[62 - 2 * n].val());
                        self.pc_same[30 - n].next =
                            self.pc_same[61 - 2 * n].val() & self.pc_same[62 - 2 * n].val();
                    }
                    self.takes.next =
                        self.pc_less[0].val() | (self.pc_same[0].val() & self.less[0].val());
                }
                self.takes.next = self.rival_ready.val() & (!self.ready.val() | self.takes.val());
                self.ready.next = self.ready.val() | self.rival_ready.val();
                self.rival_ready.next = self.ready.val() >> self.stride.val();
                for k in 0..10 {
                    self.key[k].next = (self.key[k].val() & !self.takes.val())
                        | (self.rival_key[k].val() & self.takes.val());
                    self.rival_key[k].next = self.key[k].val() >> self.stride.val();
                }
                if self.by_pc.val() {
                    for k in 0..32 {
                        self.pc[k].next = (self.pc[k].val() & !self.takes.val())
                            | (self.rival_pc[k].val() & self.takes.val());
                        self.rival_pc[k].next = self.pc[k].val() >> self.stride.val();
                    }
                }
                for s in 0..8 {
                    self.slices[s].next = (self.slices[s].val() & !self.takes.val())
                        | (self.rival_slices[s].val() & self.takes.val());
                    self.rival_slices[s].next = self.slices[s].val() >> self.stride.val();
                }
                for k in 0..7 {
                    self.at[k].next = (self.at[k].val() & !self.takes.val())
                        | (self.rival_at[k].val() & self.takes.val());
                }
                self.at[r + 1].next = self.takes.val();
                for k in 0..7 {
                    self.rival_at[k].next = self.at[k].val() >> self.stride.val();
                }
                self.stride.next = self.stride.val() + self.stride.val();
            }
            comment!("The champion stands at bit 0.");
            self.picked.next = self.picked.val().replace_bit(p, self.ready.val().get_bit(0));
            self.pick_way[p].next = 0.into();
            for k in 0..2 {
                self.pick_way[p].next =
                    self.pick_way[p].val().replace_bit(k, self.at[k].val().get_bit(0));
            }
            self.pick_set[p].next = 0.into();
            for k in 0..SET {
                self.pick_set[p].next =
                    self.pick_set[p].val().replace_bit(k, self.at[k + 2].val().get_bit(0));
            }
            self.mask.next = 0.into();
            for s in 0..8 {
                self.mask.next = self.mask.val().replace_bit(s, self.slices[s].val().get_bit(0));
            }
            self.pick_mask[p].next = self.mask.val();
            self.free_slices.next = self.free_slices.val() & !self.mask.val();
            self.set_at.next = self.one.val() << self.pick_set[p].val();
            for w in 0..4 {
                if self.ready.val().get_bit(0) & (self.pick_way[p].val() == w.to_bits()) {
                    self.issue[w].next = self.issue[w].val() | self.set_at.val();
                }
            }
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
