//! What the thesis reports (*Power-Aware Caches for GPGPUs*).

use lanewise_sim::machine::config::ArrayKind;

/// The arrays that its results are about: all but the instruction cache.
pub const REPORTED: [ArrayKind; 5] = [
    ArrayKind::L1Data,
    ArrayKind::L2,
    ArrayKind::L1Constant,
    ArrayKind::L1Texture,
    ArrayKind::Shared,
];

/// Static and dynamic power saved on average in percent, each "more than" (section 4.1).
pub fn saved(kind: ArrayKind) -> Option<(f64, f64)> {
    match kind {
        ArrayKind::L1Data => Some((92.0, 3.0)),
        ArrayKind::L2 => Some((92.0, 5.0)),
        ArrayKind::L1Constant => Some((94.0, 15.0)),
        ArrayKind::L1Texture => Some((98.0, 2.0)),
        ArrayKind::Shared => Some((94.0, 13.0)),
        ArrayKind::L1Instruction => None,
    }
}

/// Mean cycles between accesses to a block (section 3.2).
pub fn interval(kind: ArrayKind) -> f64 {
    match kind {
        ArrayKind::L1Data => 3578.0,
        ArrayKind::L2 => 3702.0,
        ArrayKind::L1Constant => 161.0,
        ArrayKind::L1Texture => 3249.0,
        ArrayKind::Shared => 1054.0,
        ArrayKind::L1Instruction => 23.0,
    }
}

/// Slow-down in percent with regions of so many blocks, at most (section 4.1).
pub fn slow_down(region: u8) -> Option<f64> {
    match region {
        1 => Some(0.5),
        32 => Some(0.26),
        _ => None,
    }
}

/// Share of the static power of all arrays in percent (figure 3-1).
pub fn static_share(kind: ArrayKind) -> f64 {
    match kind {
        ArrayKind::L1Data => 11.0,
        ArrayKind::L2 => 21.0,
        ArrayKind::L1Constant => 4.0,
        ArrayKind::L1Texture => 34.3,
        ArrayKind::Shared => 23.0,
        ArrayKind::L1Instruction => 5.0,
    }
}

/// Utilisation in percent of one of its benchmarks that a kernel of ours is like: L1, L2, constant, texture,
/// shared; 0 where the benchmark does not use the array (table 3-1).
pub fn utilisation(kernel: &str) -> Option<[f64; 5]> {
    Some(match kernel {
        "histogram" => [99.9, 98.2, 99.9, 0.0, 68.6],
        "lbm" => [100.0, 90.9, 93.8, 0.0, 0.0],
        "mriq" => [100.0, 100.0, 100.0, 0.0, 0.0],
        "stencil3d" => [100.0, 91.3, 84.3, 0.0, 99.3],
        "tpacf" => [97.2, 78.5, 100.0, 0.0, 96.6],
        "backprop" => [96.8, 89.8, 71.3, 0.0, 62.9],
        "bfs" => [81.1, 67.7, 48.0, 0.0, 0.0],
        "gaussian" => [41.8, 36.3, 14.0, 0.0, 0.0],
        "hotspot" => [100.0, 96.2, 96.6, 0.0, 78.1],
        "kmeans" => [100.0, 100.0, 100.0, 100.0, 0.0],
        "lavamd" => [98.6, 96.6, 80.6, 0.0, 78.5],
        "nw" => [95.6, 97.2, 28.7, 0.0, 30.0],
        "pathfinder" => [99.8, 97.8, 92.8, 0.0, 91.9],
        "srad" => [99.4, 99.2, 99.1, 0.0, 21.1],
        "streamcluster" => [98.3, 95.8, 30.8, 0.0, 94.3],
        _ => return None,
    })
}
