//! Turns the addresses of a warp into transactions: one a line, with the words it touches.

use crate::exec::{Access, LaneMask};

/// One line that a memory instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Line address: byte address divided by the line's size.
    pub line: u64,
    /// Which 4-byte words of the line are touched.
    pub words: u32,
    /// Lanes whose first byte lies in this line.
    pub lanes: LaneMask,
}

/// Splits an access into transactions of `line_bytes`, in the order of the lowest lane of each.
pub fn coalesce(access: &Access, line_bytes: u64, out: &mut Vec<Transaction>) {
    out.clear();
    for lane in access.lanes.lanes() {
        let start = access.addresses[lane];
        let end = start + u64::from(access.bytes.max(1)) - 1;
        let (first, last) = (start / line_bytes, end / line_bytes);
        for line in first..=last {
            let low = start.max(line * line_bytes) % line_bytes / 4;
            let high = end.min(line * line_bytes + line_bytes - 1) % line_bytes / 4;
            let words = (u32::MAX >> (31 - (high - low))) << low;
            // Neighbouring lanes mostly share a line: look at the latest first.
            let at = out.iter().rposition(|t| t.line == line).unwrap_or_else(|| {
                out.push(Transaction { line, words: 0, lanes: LaneMask::NONE });
                out.len() - 1
            });
            out[at].words |= words;
            if line == first {
                out[at].lanes.0 |= 1 << lane;
            }
        }
    }
}

/// Cycles that a shared-memory access takes: the most distinct words that any bank must give.
///
/// Lanes that read the same word are served together.
pub fn bank_cycles(access: &Access, banks: usize) -> u64 {
    let mut words: Vec<u64> = Vec::with_capacity(64);
    for lane in access.lanes.lanes() {
        let first = access.addresses[lane] / 4;
        let last = (access.addresses[lane] + u64::from(access.bytes.max(1)) - 1) / 4;
        words.extend(first..=last);
    }
    words.sort_unstable();
    words.dedup();
    let mut load = vec![0u64; banks];
    words.iter().for_each(|w| load[*w as usize % banks] += 1);
    load.into_iter().max().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::AccessKind;
    use crate::ptx::Space;

    fn access(bytes: u32, address: impl Fn(u64) -> u64) -> Access {
        Access {
            kind: AccessKind::Load,
            space: Space::Global,
            bytes,
            lanes: LaneMask::ALL,
            addresses: std::array::from_fn(|lane| address(lane as u64)),
        }
    }

    fn lines(access: &Access) -> Vec<Transaction> {
        let mut out = vec![];
        coalesce(access, 128, &mut out);
        out
    }

    #[test]
    fn neighbours_share_a_line_and_strides_do_not() {
        let unit = lines(&access(4, |lane| 1024 + lane * 4));
        assert_eq!(unit, [Transaction { line: 8, words: u32::MAX, lanes: LaneMask::ALL }]);
        assert_eq!(lines(&access(4, |lane| lane * 128)).len(), 32);
        assert_eq!(lines(&access(4, |lane| 64 + lane * 4)).len(), 2);
        assert_eq!(lines(&access(16, |lane| lane * 16)).len(), 4);
        assert_eq!(lines(&access(4, |_| 4))[0].words, 2);
        assert_eq!(
            lines(&access(8, |_| 124)).len(),
            2,
            "an element over the edge takes both lines"
        );
    }

    #[test]
    fn a_stride_meets_its_banks() {
        for (stride, cycles) in [(1, 1), (2, 2), (3, 1), (4, 4), (16, 16), (32, 32), (33, 1)] {
            let strided = access(4, |lane| lane * 4 * stride);
            assert_eq!(bank_cycles(&strided, 32), cycles, "stride {stride}");
        }
        assert_eq!(bank_cycles(&access(4, |_| 64), 32), 1, "the same word is broadcast");
    }
}
