//! The paper's figures, and why ours are others.

use super::results::Row;
use crate::Claim;

/// Why our pipelines save so much more than the paper's, whatever gates them.
const IDLE: &str = "our kernels leave the lanes idle for longer. Averaged over all SMs and the whole run, empty SMs at \
    the end of small launches included, an SM issues less than half an instruction a cycle; and an instruction goes to the \
    first SP unless that keeps it waiting, so that the second SP sleeps. The paper gives neither its load nor how it \
    shares instructions between SPs";

/// Why our short bubbles are fewer.
const BUBBLES: &str = "our pipelines wait longer between instructions: most of their idle time lies in bubbles of ten \
    cycles and more, which is also why conventional gating does so well here. A second SP that only takes what the \
    first cannot has long bubbles, not short ones";

/// Why folding costs us time.
const STAGES: &str = "two stages lengthen a dependent pair of our operations from 6 to 8 cycles, a third, which few-warp \
    kernels feel at once, and a fold adds one more; and folding never switches itself off, since our SMs do not issue \
    90 % of two instructions a cycle (`adaptive off` below). `tempered` holds both back";

/// What look-ahead leaves of the time.
const AHEAD: &str = "lanes are on before they are wanted, but for answers of the L2 and DRAM, which nobody announces; what \
    changes beyond that is the order in which memory is asked";

/// What folding costs even where it is held back.
const TEMPERED: &str = "a phase is judged by the one before it, and the first phases of a launch, all misses and few \
    issues, look like a load that may fold just when the work begins; in kernels of 15,000 cycles that shows. \
    `look-ahead` is the same without folding";

/// Why gating whole pipelines costs us little.
const BLACKOUT: &str =
    "blackout holds up a pipeline that is wanted, and ours are wanted less often; an instruction \
    also goes to the other SP where it starts earlier, and wake-up runs beside operand collection";

/// Why the overhead does not shrink as the paper's does.
const OVERHEAD: &str = "the figure is a small difference of two small numbers (see the table of averages): switching costs a \
    few percent of the leakage with every machine here, because most gated stretches are long";

fn claim(what: &str, paper: f64, ours: f64, because: &str) -> Claim {
    Claim { what: what.into(), paper, ours, because: because.into() }
}

/// A change against conventional gating, percent.
fn change(row: &Row, conventional: &Row, pipe: usize) -> f64 {
    let base = conventional.overhead(pipe);
    if base == 0.0 {
        0.0
    } else {
        (row.overhead(pipe) / base - 1.0) * 100.0
    }
}

/// Rows that the claims need.
pub struct Rows<'a> {
    /// Two-level, nothing gated.
    pub baseline: &'a Row<'a>,
    /// GATES, nothing gated.
    pub gates: &'a Row<'a>,
    /// Conventional gating.
    pub conventional: &'a Row<'a>,
    /// Warped-Gates.
    pub warped_gates: &'a Row<'a>,
    /// Folding.
    pub folding: &'a Row<'a>,
    /// Origami.
    pub origami: &'a Row<'a>,
    /// Ours without folding.
    pub look_ahead: &'a Row<'a>,
    /// Ours with folding.
    pub tempered: &'a Row<'a>,
}

/// The comparison's figures beside the paper's.
pub fn claims(rows: &Rows) -> Vec<Claim> {
    let Rows { conventional, warped_gates, folding, origami, look_ahead, tempered, .. } = rows;
    let folded = (origami.folded(0) + origami.folded(1)) / 2.0;
    vec![
        claim("INT leakage saved, conventional, %", 29.0, conventional.saved(0), IDLE),
        claim("FP leakage saved, conventional, %", 34.0, conventional.saved(1), IDLE),
        claim("INT leakage saved, folding, %", 41.0, folding.saved(0), IDLE),
        claim("FP leakage saved, folding, %", 43.0, folding.saved(1), IDLE),
        claim("INT leakage saved, origami, %", 49.0, origami.saved(0), IDLE),
        claim("FP leakage saved, origami, %", 46.0, origami.saved(1), IDLE),
        claim("INT leakage saved, look-ahead (target 49), %", 49.0, look_ahead.saved(0), IDLE),
        claim("FP leakage saved, look-ahead (target 46), %", 46.0, look_ahead.saved(1), IDLE),
        claim("INT leakage saved, tempered (target 49), %", 49.0, tempered.saved(0), IDLE),
        claim("FP leakage saved, tempered (target 46), %", 46.0, tempered.saved(1), IDLE),
        claim("time over baseline, warped-gates, %", 6.8, warped_gates.slower(0), BLACKOUT),
        claim("time over baseline, folding, %", 5.8, folding.slower(0), STAGES),
        claim("time over baseline, origami, %", 0.5, origami.slower(0), STAGES),
        claim("time over baseline, look-ahead (target 0.5), %", 0.5, look_ahead.slower(0), AHEAD),
        claim("time over baseline, tempered (target 0.5), %", 0.5, tempered.slower(0), TEMPERED),
        claim("INT overhead, warped-gates, % over conventional", -6.0, change(warped_gates, conventional, 0), OVERHEAD),
        claim("FP overhead, warped-gates, % over conventional", -9.0, change(warped_gates, conventional, 1), OVERHEAD),
        claim("INT overhead, folding, % over conventional", -7.0, change(folding, conventional, 0), OVERHEAD),
        claim("FP overhead, folding, % over conventional", -9.0, change(folding, conventional, 1), OVERHEAD),
        claim("INT overhead, origami, % over conventional", -9.0, change(origami, conventional, 0), OVERHEAD),
        claim("FP overhead, origami, % over conventional", -14.0, change(origami, conventional, 1), OVERHEAD),
        claim("INT short bubbles, two-level, % of time", 25.0, rows.baseline.short_bubbles(0), BUBBLES),
        claim("FP short bubbles, two-level, % of time", 25.0, rows.baseline.short_bubbles(1), BUBBLES),
        claim("INT short bubbles, GATES, % of time", 23.0, rows.gates.short_bubbles(0), BUBBLES),
        claim("FP short bubbles, GATES, % of time", 19.0, rows.gates.short_bubbles(1), BUBBLES),
        claim(
            "warps folded, origami, %",
            35.0,
            folded,
            "the windows are 40 and 70 % of the time, and folding is never switched off by load on our machine",
        ),
    ]
}

/// A figure of one kernel beside the paper's.
pub fn kernel_claim(what: &str, paper: f64, ours: f64) -> Claim {
    claim(
        what,
        paper,
        ours,
        "the kernel is ours and only resembles the paper's: other inputs, other mix, and no switching off by load",
    )
}

/// What a longer wake-up costs, beside the paper's figure.
pub fn wake_up_claim(ours: f64) -> Claim {
    claim(
        "time that wake-up 9 adds to 3, %",
        1.4,
        ours,
        "measured on the few kernels of the sweeps, where a cycle of wake-up beyond operand collection and shift \
         is paid whenever a lane returns; the paper does not say how much of it its pipeline hides",
    )
}

/// What a longer break-even costs, beside the paper's bound.
pub fn break_even_claim(ours: f64) -> Claim {
    claim(
        "time that break-even 19 adds to 9, % (paper: less than 0.2)",
        0.2,
        ours,
        "without blackout no instruction waits for the break-even time",
    )
}
