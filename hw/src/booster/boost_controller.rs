//! Runs the more critical half of the critical warps at 3x and the rest at 2x until the barrier.
//!
//! Warp latency booster, section 3.4. Critical warps are few, so they are ranked by picking the slowest
//! again and again, one warp looked at a cycle: one comparator, and the slowest warp of all is sped up
//! first. A warp goes straight to its final level, because every level switch costs time and energy.

use crate::prelude::*;

/// `WARPS` warps with progress counts of `COUNT` bits; `INDEX` bits hold 0 to `WARPS`. Execution times
/// have `TIME` bits, the count of level switches `SWITCHES`.
#[derive(LogicBlock)]
pub struct BoostController<
    const WARPS: usize,
    const INDEX: usize,
    const COUNT: usize,
    const TIME: usize,
    const SWITCHES: usize,
> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) profile_valid: Signal<In, Bit>,
    pub(crate) critical: Signal<In, Bits<WARPS>>,
    pub(crate) count: [Signal<In, Bits<COUNT>>; WARPS],
    pub(crate) finish: Signal<In, Bit>,
    pub(crate) progress: Signal<In, Bits<WARPS>>,
    pub(crate) cfg_time_limit: Signal<In, Bits<TIME>>,
    pub(crate) ranking: Signal<Out, Bit>,
    pub(crate) boost_2x: Signal<Out, Bits<WARPS>>,
    pub(crate) boost_3x: Signal<Out, Bits<WARPS>>,
    pub(crate) switches: Signal<Out, Bits<SWITCHES>>,
    pub(crate) error: Signal<Out, Bit>,
    state: Reg<Bits<2>>,
    boosted: Reg<Bits<WARPS>>,
    switched: Reg<Bits<SWITCHES>>,
    triple: DataReg<Bits<WARPS>>,
    time: DataRegArray<TIME, WARPS>,
    waiting: DataReg<Bits<WARPS>>,
    warp: DataReg<Bits<INDEX>>,
    seen: DataReg<Bits<INDEX>>,
    picked: DataReg<Bits<INDEX>>,
    slowest: DataReg<Bits<WARPS>>,
    slowest_count: DataReg<Bits<COUNT>>,
    here: Signal<Local, Bits<WARPS>>,
    here_count: Signal<Local, Bits<COUNT>>,
    candidate: Signal<Local, Bit>,
    pick: Signal<Local, Bit>,
    last_pick: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<WARPS>>,
    stalled: Signal<Local, Bits<WARPS>>,
    boosted_next: Signal<Local, Bits<WARPS>>,
    changed: Signal<Local, Bits<WARPS>>,
    changes: Signal<Local, Bits<INDEX>>,
    idle: Constant<Bits<2>>,
    rank: Constant<Bits<2>>,
    boost: Constant<Bits<2>>,
    spent: Constant<Bits<2>>,
    no_warp: Constant<Bits<INDEX>>,
}

rtl_block! {
    BoostController<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const TIME: usize,
        const SWITCHES: usize
    >,
    "boost_controller" in "booster", clocked,
    WarpLatencyBooster "3.4 boosting phase",
    "Runs the more critical half of the critical warps at 3x and the rest at 2x until the barrier. \
     Lower counts are more critical, then lower warps; of an odd number the middle one gets 3x. A boosted \
     warp that makes no progress for longer than cfg_time_limit cycles is stalled, not slow, and returns \
     to nominal speed for the rest of the interval.",
    input profile_valid: "critical and count stand; each profile is used once";
    input critical: "warps that lag, sampled as ranking starts";
    input count: "progress of warp i, held while it is ranked";
    input finish: "the barrier interval ends";
    input progress: "warp i gets on: its execution time starts again";
    input cfg_time_limit: "longest execution time of a boosted warp, in cycles";
    output ranking: "levels are being given out";
    output boost_2x: "warp i runs at twice its nominal speed";
    output boost_3x: "warp i runs at three times its nominal speed";
    output switches: "level switches of all warps since reset; wraps";
    output error: "the profile was withdrawn before the interval ended";
}

impl<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const TIME: usize,
        const SWITCHES: usize,
    > Default for BoostController<WARPS, INDEX, COUNT, TIME, SWITCHES>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            profile_valid: Default::default(),
            critical: Default::default(),
            count: std::array::from_fn(|_| Default::default()),
            finish: Default::default(),
            progress: Default::default(),
            cfg_time_limit: Default::default(),
            ranking: Default::default(),
            boost_2x: Default::default(),
            boost_3x: Default::default(),
            switches: Default::default(),
            error: Default::default(),
            state: Default::default(),
            boosted: Default::default(),
            switched: Default::default(),
            triple: DataReg::valid_by("boosted"),
            time: DataRegArray::valid_by("boosted"),
            waiting: DataReg::valid_by("state"),
            warp: DataReg::valid_by("state"),
            seen: DataReg::valid_by("state"),
            picked: DataReg::valid_by("state"),
            slowest: DataReg::valid_by("seen"),
            slowest_count: DataReg::valid_by("seen"),
            here: Default::default(),
            here_count: Default::default(),
            candidate: Default::default(),
            pick: Default::default(),
            last_pick: Default::default(),
            chosen: Default::default(),
            stalled: Default::default(),
            boosted_next: Default::default(),
            changed: Default::default(),
            changes: Default::default(),
            idle: Constant::new(0.into()),
            rank: Constant::new(1.into()),
            boost: Constant::new(2.into()),
            spent: Constant::new(3.into()),
            no_warp: Constant::new(WARPS.to_bits()),
        }
    }
}

impl<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const TIME: usize,
        const SWITCHES: usize,
    > Logic for BoostController<WARPS, INDEX, COUNT, TIME, SWITCHES>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, boosted, switched, triple, waiting, warp, seen, picked);
        dff_setup!(self, clock, slowest, slowest_count);
        clock!(self, clock, time);

        comment!("The warp whose turn it is; none in the last cycle of a pass.");
        self.here.next = 0.into();
        self.here_count.next = 0.into();
        for i in 0..WARPS {
            self.here.next = self.here.val().replace_bit(i, self.warp.q.val() == i.to_bits());
        }
        for i in 0..WARPS {
            if self.here.val().get_bit(i) {
                self.here_count.next = self.here_count.val() | self.count[i].val();
            }
        }
        self.candidate.next = (self.here.val() & self.waiting.q.val()).any();

        comment!("The slowest warp that still waits; the first one looked at wins a tie.");
        if self.state.q.val() == self.rank.val() {
            self.warp.d.next = self.warp.q.val() + 1;
            self.seen.d.next = self.seen.q.val() + self.candidate.val();
            if self.candidate.val()
                & (!self.seen.q.val().any() | (self.here_count.val() < self.slowest_count.q.val()))
            {
                self.slowest.d.next = self.here.val();
                self.slowest_count.d.next = self.here_count.val();
            }
        }

        comment!("A pass ends with a pick for 3x; once no more are left than were picked, the rest go to 2x.");
        self.pick.next =
            (self.state.q.val() == self.rank.val()) & (self.warp.q.val() == self.no_warp.val());
        self.last_pick.next = self.pick.val() & (self.seen.q.val() <= (self.picked.q.val() + 2));
        self.chosen.next = 0.into();
        if self.pick.val() & self.seen.q.val().any() {
            self.chosen.next = self.slowest.q.val();
        }
        if self.pick.val() {
            self.warp.d.next = 0.into();
            self.seen.d.next = 0.into();
            self.picked.d.next = self.picked.q.val() + 1;
            self.waiting.d.next = self.waiting.q.val() & !self.chosen.val();
        }

        comment!("A boosted warp without progress runs its time, then its boost is undone.");
        self.stalled.next = 0.into();
        for i in 0..WARPS {
            self.stalled.next = self.stalled.val().replace_bit(
                i,
                self.boosted.q.val().get_bit(i)
                    & !self.progress.val().get_bit(i)
                    & (self.time.q[i].val() >= self.cfg_time_limit.val()),
            );
        }
        for i in 0..WARPS {
            self.time.d[i].next = 0.into();
            if self.boosted.q.val().get_bit(i)
                & !self.progress.val().get_bit(i)
                & !self.stalled.val().get_bit(i)
            {
                self.time.d[i].next = self.time.q[i].val() + 1;
            }
        }

        comment!("A warp is boosted or not, at 3x or not: it cannot have two levels.");
        self.boosted_next.next = (self.boosted.q.val() & !self.stalled.val()) | self.chosen.val();
        if self.last_pick.val() {
            self.boosted_next.next = self.boosted_next.val() | self.waiting.q.val();
        }
        comment!("Without a profile there is nothing to boost, whatever became of the barrier.");
        if self.finish.val() | !self.profile_valid.val() {
            self.boosted_next.next = 0.into();
        }
        self.boosted.d.next = self.boosted_next.val();
        self.triple.d.next = self.triple.q.val() | self.chosen.val();
        if self.state.q.val() == self.idle.val() {
            self.triple.d.next = 0.into();
        }
        comment!("While it is boosted a warp keeps its level, so only going up and down counts.");
        self.changed.next = self.boosted_next.val() ^ self.boosted.q.val();
        self.changes.next = 0.into();
        for i in 0..WARPS {
            self.changes.next = self.changes.val() + self.changed.val().get_bit(i);
        }
        self.switched.d.next =
            self.switched.q.val() + bit_cast::<SWITCHES, INDEX>(self.changes.val());

        self.error.next = false;
        if (self.state.q.val() == self.rank.val()) | (self.state.q.val() == self.boost.val()) {
            self.error.next = !self.profile_valid.val() & !self.finish.val();
        }
        if !self.profile_valid.val() {
            self.state.d.next = self.idle.val();
        } else if self.finish.val() {
            self.state.d.next = self.spent.val();
        } else if self.last_pick.val() {
            self.state.d.next = self.boost.val();
        } else if self.state.q.val() == self.idle.val() {
            self.state.d.next = self.rank.val();
        }
        if self.state.q.val() == self.idle.val() {
            self.waiting.d.next = self.critical.val();
            self.warp.d.next = 0.into();
            self.seen.d.next = 0.into();
            self.picked.d.next = 0.into();
        }

        self.ranking.next = self.state.q.val() == self.rank.val();
        self.boost_2x.next = self.boosted.q.val() & !self.triple.q.val();
        self.boost_3x.next = self.boosted.q.val() & self.triple.q.val();
        self.switches.next = self.switched.q.val();
    }
}
