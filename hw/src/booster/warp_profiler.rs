//! Tells which warps of a scope lag more than r standard deviations behind the mean, exactly and without
//! a root or a divider.
//!
//! Warp latency booster, section 3.3 and algorithm 1. A count of completed loads a warp is its progress
//! within the window. With n warps, S = sum C and Q = sum C^2, `C < mean - r sigma` is the same as
//! `n C < S` and `(S - n C)^2 > r^2 (n Q - S^2)`: integers only. One warp a cycle goes through a 16 x 16
//! multiplier with operand registers, first to add up, then to be tested; between the passes the same
//! multiplier scales the sums. A result that is late by a hundred cycles costs nothing in an interval of
//! thousands; forty-eight multipliers would.

use crate::prelude::*;

/// `WARPS` warps at most in the scope, `COUNT` bits a count and `RATIO` bits of r^2 in sixteenths; `INDEX`
/// bits hold 0 to `WARPS`. `SUM`, `SQUARES` and `LIMIT` are the widths of S, n Q and r^2 (n Q - S^2).
///
/// The paper's thread block has 16 warps; an SM has up to 48. A window of 1023 cycles is eight times its
/// 300 ns memory at 400 MHz, and 10-bit counts are the widest for which 48 warps fit the multiplier.
#[derive(LogicBlock)]
pub struct WarpProfiler<
    const WARPS: usize,
    const INDEX: usize,
    const COUNT: usize,
    const RATIO: usize,
    const SUM: usize,
    const SQUARES: usize,
    const LIMIT: usize,
> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) start: Signal<In, Bit>,
    pub(crate) member: Signal<In, Bits<WARPS>>,
    pub(crate) window: Signal<In, Bits<COUNT>>,
    pub(crate) finish: Signal<In, Bit>,
    pub(crate) issued: Signal<In, Bits<WARPS>>,
    pub(crate) load_done: Signal<In, Bits<WARPS>>,
    pub(crate) exited: Signal<In, Bits<WARPS>>,
    pub(crate) cfg_r_squared: Signal<In, Bits<RATIO>>,
    pub(crate) profiling: Signal<Out, Bit>,
    pub(crate) hold: Signal<Out, Bits<WARPS>>,
    pub(crate) valid: Signal<Out, Bit>,
    pub(crate) critical: Signal<Out, Bits<WARPS>>,
    pub(crate) count: [Signal<Out, Bits<COUNT>>; WARPS],
    pub(crate) error: Signal<Out, Bit>,
    state: Reg<Bits<4>>,
    scope: DataReg<Bits<WARPS>>,
    held: DataReg<Bits<WARPS>>,
    cycles_left: DataReg<Bits<COUNT>>,
    ratio: DataReg<Bits<RATIO>>,
    loads: DataRegArray<COUNT, WARPS>,
    warp: DataReg<Bits<INDEX>>,
    members: DataReg<Bits<INDEX>>,
    sum: DataReg<Bits<SUM>>,
    squares: DataReg<Bits<SQUARES>>,
    limit: DataReg<Bits<LIMIT>>,
    left: DataReg<Bits<SUM>>,
    right: DataReg<Bits<16>>,
    lagging: DataReg<Bits<WARPS>>,
    accepted: Signal<Local, Bit>,
    in_scope: Signal<Local, Bit>,
    progress: Signal<Local, Bits<COUNT>>,
    share: Signal<Local, Bits<32>>,
    gap: Signal<Local, Bits<SUM>>,
    spread: Signal<Local, Bits<32>>,
    product: Signal<Local, Bits<32>>,
    high_part: Signal<Local, Bits<LIMIT>>,
    gap_squared: Signal<Local, Bits<LIMIT>>,
    verdict: Signal<Local, Bits<WARPS>>,
    idle: Constant<Bits<4>>,
    open: Constant<Bits<4>>,
    add: Constant<Bits<4>>,
    members_low: Constant<Bits<4>>,
    members_high: Constant<Bits<4>>,
    square: Constant<Bits<4>>,
    settle: Constant<Bits<4>>,
    ratio_low: Constant<Bits<4>>,
    ratio_high: Constant<Bits<4>>,
    test: Constant<Bits<4>>,
    report: Constant<Bits<4>>,
    no_warp: Constant<Bits<INDEX>>,
}

rtl_block! {
    WarpProfiler<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const RATIO: usize,
        const SUM: usize,
        const SQUARES: usize,
        const LIMIT: usize
    >,
    "warp_profiler" in "booster", clocked,
    WarpLatencyBooster "3.3 profiling phase, algorithm 1",
    "Tells which warps of a scope lag more than r standard deviations behind the mean, exactly and \
     without a root or a divider. Completed loads are counted for a window of cycles; then, with n \
     members, counts C, S = sum C and Q = sum C^2, a warp is critical if n C < S and \
     (S - n C)^2 > r^2 (n Q - S^2). One warp a cycle passes the multiplier.",
    input start: "a barrier interval starts; what is under way is dropped";
    input member: "with start: warps of the scope; ignored with error if there is none";
    input window: "with start: cycles of the window; 0 acts as 1";
    input finish: "the barrier interval ends";
    input issued: "warp i is issued in this cycle";
    input load_done: "warp i completes a load in this cycle";
    input exited: "warp i ends; within the window it leaves the scope";
    input cfg_r_squared: "with start: r^2 in sixteenths";
    output profiling: "the window is open: members have equal priority";
    output hold: "warp i was issued in this window: do not schedule it again";
    output valid: "the result stands";
    output critical: "warp i lags";
    output count: "loads that warp i completed within the window";
    output error: "start without a member";
}

impl<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const RATIO: usize,
        const SUM: usize,
        const SQUARES: usize,
        const LIMIT: usize,
    > WarpProfiler<WARPS, INDEX, COUNT, RATIO, SUM, SQUARES, LIMIT>
{
    /// Every intermediate fits its register; a variant for which this is false does not compile.
    const FITS: () = {
        let most = (1u128 << COUNT) - 1;
        let sum = WARPS as u128 * most;
        let gap = (WARPS as u128 - 1) * most;
        // The variance of numbers between 0 and `most` is at most a quarter of most^2.
        let variance = sum * sum / 4;
        assert!(WARPS < 1 << INDEX, "INDEX holds 0 to WARPS");
        assert!(sum < 1 << SUM && SUM <= 16, "S and n C fit SUM bits and the multiplier");
        assert!(INDEX <= SUM && RATIO <= SUM, "n and r^2 fit the left operand");
        assert!(sum * sum < 1 << SQUARES && SQUARES <= 32, "n Q fits SQUARES bits");
        assert!(((1 << RATIO) - 1) * variance < 1 << LIMIT, "r^2 V fits LIMIT bits");
        assert!(16 * gap * gap < 1 << LIMIT, "a squared gap in sixteenths fits LIMIT bits");
        assert!(
            SQUARES <= LIMIT && LIMIT >= 32,
            "the limit register takes n Q and a whole product"
        );
    };
}

impl<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const RATIO: usize,
        const SUM: usize,
        const SQUARES: usize,
        const LIMIT: usize,
    > Default for WarpProfiler<WARPS, INDEX, COUNT, RATIO, SUM, SQUARES, LIMIT>
{
    fn default() -> Self {
        let () = Self::FITS;
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start: Default::default(),
            member: Default::default(),
            window: Default::default(),
            finish: Default::default(),
            issued: Default::default(),
            load_done: Default::default(),
            exited: Default::default(),
            cfg_r_squared: Default::default(),
            profiling: Default::default(),
            hold: Default::default(),
            valid: Default::default(),
            critical: Default::default(),
            count: std::array::from_fn(|_| Default::default()),
            error: Default::default(),
            state: Default::default(),
            scope: DataReg::valid_by("state"),
            held: DataReg::valid_by("state"),
            cycles_left: DataReg::valid_by("state"),
            ratio: DataReg::valid_by("state"),
            loads: DataRegArray::valid_by("state"),
            warp: DataReg::valid_by("state"),
            members: DataReg::valid_by("state"),
            sum: DataReg::valid_by("state"),
            squares: DataReg::valid_by("state"),
            limit: DataReg::valid_by("state"),
            left: DataReg::valid_by("state"),
            right: DataReg::valid_by("state"),
            lagging: DataReg::valid_by("state"),
            accepted: Default::default(),
            in_scope: Default::default(),
            progress: Default::default(),
            share: Default::default(),
            gap: Default::default(),
            spread: Default::default(),
            product: Default::default(),
            high_part: Default::default(),
            gap_squared: Default::default(),
            verdict: Default::default(),
            idle: Constant::new(0.into()),
            open: Constant::new(1.into()),
            add: Constant::new(2.into()),
            members_low: Constant::new(3.into()),
            members_high: Constant::new(4.into()),
            square: Constant::new(5.into()),
            settle: Constant::new(6.into()),
            ratio_low: Constant::new(7.into()),
            ratio_high: Constant::new(8.into()),
            test: Constant::new(9.into()),
            report: Constant::new(10.into()),
            no_warp: Constant::new(WARPS.to_bits()),
        }
    }
}

impl<
        const WARPS: usize,
        const INDEX: usize,
        const COUNT: usize,
        const RATIO: usize,
        const SUM: usize,
        const SQUARES: usize,
        const LIMIT: usize,
    > Logic for WarpProfiler<WARPS, INDEX, COUNT, RATIO, SUM, SQUARES, LIMIT>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, scope, held, cycles_left, ratio, warp, members, sum);
        dff_setup!(self, clock, squares, limit, left, right, lagging);
        clock!(self, clock, loads);
        self.accepted.next = self.start.val() & self.member.val().any();
        self.error.next = self.start.val() & !self.member.val().any();

        comment!("The steps in order; a pass ends one cycle after its last warp.");
        if self.state.q.val() == self.open.val() {
            if self.cycles_left.q.val() <= 1 {
                self.state.d.next = self.add.val();
            }
        } else if (self.state.q.val() == self.add.val()) | (self.state.q.val() == self.test.val()) {
            if self.warp.q.val() == self.no_warp.val() {
                self.state.d.next = self.state.q.val() + 1;
            }
        } else if (self.state.q.val() != self.idle.val())
            & (self.state.q.val() != self.report.val())
        {
            self.state.d.next = self.state.q.val() + 1;
        }
        if self.accepted.val() {
            self.state.d.next = self.open.val();
        } else if self.finish.val() {
            self.state.d.next = self.idle.val();
        }

        comment!("The window: no more loads than cycles, so that a count cannot overflow.");
        if self.state.q.val() == self.open.val() {
            self.cycles_left.d.next = self.cycles_left.q.val() - 1;
            self.scope.d.next = self.scope.q.val() & !self.exited.val();
            self.held.d.next = self.held.q.val() | (self.issued.val() & self.scope.q.val());
        }
        if self.accepted.val() {
            self.cycles_left.d.next = self.window.val();
            self.scope.d.next = self.member.val();
            self.held.d.next = 0.into();
            self.ratio.d.next = self.cfg_r_squared.val();
        }
        for i in 0..WARPS {
            self.loads.d[i].next = self.loads.q[i].val();
            if self.accepted.val() {
                self.loads.d[i].next = 0.into();
            } else if (self.state.q.val() == self.open.val())
                & self.scope.q.val().get_bit(i)
                & self.load_done.val().get_bit(i)
            {
                self.loads.d[i].next = self.loads.q[i].val() + 1;
            }
        }

        comment!("The warp whose turn it is; nothing once all have had theirs.");
        self.in_scope.next = false;
        self.progress.next = 0.into();
        for i in 0..WARPS {
            if (self.warp.q.val() == i.to_bits()) & self.scope.q.val().get_bit(i) {
                self.in_scope.next = true;
                self.progress.next = self.progress.val() | self.loads.q[i].val();
            }
        }
        self.warp.d.next = 0.into();
        if ((self.state.q.val() == self.add.val()) | (self.state.q.val() == self.test.val()))
            & (self.warp.q.val() != self.no_warp.val())
        {
            self.warp.d.next = self.warp.q.val() + 1;
        }

        comment!("First stage: the operands. A warp not below the mean has no gap and cannot lag.");
        self.share.next = bit_cast::<16, INDEX>(self.members.q.val())
            * bit_cast::<16, COUNT>(self.progress.val());
        self.gap.next = 0.into();
        if self.in_scope.val() & (self.share.val() < bit_cast::<32, SUM>(self.sum.q.val())) {
            self.gap.next = self.sum.q.val() - bit_cast::<SUM, 32>(self.share.val());
        }
        self.spread.next = bit_cast::<32, SQUARES>(self.squares.q.val());
        if self.state.q.val() == self.open.val() {
            self.left.d.next = 0.into();
            self.members.d.next = 0.into();
            self.sum.d.next = 0.into();
        } else if self.state.q.val() == self.add.val() {
            self.left.d.next = bit_cast::<SUM, COUNT>(self.progress.val());
            self.right.d.next = bit_cast::<16, COUNT>(self.progress.val());
            self.members.d.next = self.members.q.val() + self.in_scope.val();
            self.sum.d.next = self.sum.q.val() + bit_cast::<SUM, COUNT>(self.progress.val());
        } else if self.state.q.val() == self.members_low.val() {
            self.left.d.next = bit_cast::<SUM, INDEX>(self.members.q.val());
            self.right.d.next = self.spread.val().get_bits::<16>(0);
        } else if self.state.q.val() == self.ratio_low.val() {
            self.left.d.next = bit_cast::<SUM, RATIO>(self.ratio.q.val());
            self.right.d.next = self.spread.val().get_bits::<16>(0);
        } else if (self.state.q.val() == self.members_high.val())
            | (self.state.q.val() == self.ratio_high.val())
        {
            self.right.d.next = self.spread.val().get_bits::<16>(16);
        } else if self.state.q.val() == self.square.val() {
            self.left.d.next = self.sum.q.val();
            self.right.d.next = bit_cast::<16, SUM>(self.sum.q.val());
        } else if self.state.q.val() == self.test.val() {
            self.left.d.next = self.gap.val();
            self.right.d.next = bit_cast::<16, SUM>(self.gap.val());
        }

        comment!("Second stage: what became of the operands of the cycle before.");
        self.product.next = bit_cast::<16, SUM>(self.left.q.val()) * self.right.q.val();
        self.high_part.next = bit_cast::<LIMIT, 32>(self.product.val()) << 16;
        self.gap_squared.next = bit_cast::<LIMIT, 32>(self.product.val()) << 4;
        if self.state.q.val() == self.open.val() {
            self.squares.d.next = 0.into();
        } else if self.state.q.val() == self.add.val() {
            self.squares.d.next =
                self.squares.q.val() + bit_cast::<SQUARES, 32>(self.product.val());
        } else if self.state.q.val() == self.settle.val() {
            self.squares.d.next = bit_cast::<SQUARES, LIMIT>(self.limit.q.val())
                - bit_cast::<SQUARES, 32>(self.product.val());
        }
        if (self.state.q.val() == self.members_high.val())
            | (self.state.q.val() == self.ratio_high.val())
        {
            self.limit.d.next = bit_cast::<LIMIT, 32>(self.product.val());
        } else if (self.state.q.val() == self.square.val())
            | ((self.state.q.val() == self.test.val()) & (self.warp.q.val() == 0))
        {
            self.limit.d.next = self.limit.q.val() + self.high_part.val();
        }
        self.verdict.next = self.lagging.q.val();
        for i in 0..WARPS {
            if (self.state.q.val() == self.test.val()) & (self.warp.q.val() == (i + 1).to_bits()) {
                self.verdict.next =
                    self.verdict.val().replace_bit(i, self.gap_squared.val() > self.limit.q.val());
            }
        }
        self.lagging.d.next = self.verdict.val();

        self.profiling.next = self.state.q.val() == self.open.val();
        self.hold.next = 0.into();
        if self.profiling.val() {
            self.hold.next = self.held.q.val();
        }
        self.valid.next = self.state.q.val() == self.report.val();
        self.critical.next = self.lagging.q.val();
        for i in 0..WARPS {
            self.count[i].next = self.loads.q[i].val();
        }
    }
}
