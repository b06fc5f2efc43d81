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
    let first = access.addresses[0];
    let bytes = u64::from(access.bytes.max(1));
    if access.lanes == LaneMask::ALL {
        if access.addresses.iter().all(|a| *a == first) && first % bytes == 0 {
            let words = words(first % line_bytes, first % line_bytes + bytes - 1);
            out.push(Transaction { line: first / line_bytes, words, lanes: LaneMask::ALL });
            return;
        }
        let stepped = (0..32).all(|lane| access.addresses[lane] == first + lane as u64 * bytes);
        if stepped && first % bytes == 0 {
            return consecutive(first, bytes, line_bytes, out);
        }
    }
    // Lines are powers of two but for a shared memory with an odd number of banks: a division is dear.
    let shift = line_bytes.is_power_of_two().then(|| line_bytes.trailing_zeros());
    let line_of = |address: u64| match shift {
        Some(shift) => address >> shift,
        None => address / line_bytes,
    };
    for lane in access.lanes.lanes() {
        let start = access.addresses[lane];
        let end = start + bytes - 1;
        let (first, last) = (line_of(start), line_of(end));
        for line in first..=last {
            let base = line * line_bytes;
            let words = words(start.max(base) - base, end.min(base + line_bytes - 1) - base);
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

/// The words of a line that bytes `low` to `high` lie in.
fn words(low: u64, high: u64) -> u32 {
    let (low, high) = (low / 4, high / 4);
    (u32::MAX >> (31 - (high - low))) << low
}

/// A whole warp whose elements lie one behind the other, none over the edge of a line.
fn consecutive(first: u64, bytes: u64, line_bytes: u64, out: &mut Vec<Transaction>) {
    let end = first + 32 * bytes;
    let mut start = first;
    while start < end {
        let line = start / line_bytes;
        let next = ((line + 1) * line_bytes).min(end);
        let (from, to) = ((start - first) / bytes, (next - first) / bytes);
        let lanes = (((1u64 << to) - 1) & !((1u64 << from) - 1)) as u32;
        let words = words(start % line_bytes, (next - 1) % line_bytes);
        out.push(Transaction { line, words, lanes: LaneMask(lanes) });
        start = next;
    }
}

/// Cycles that a shared-memory access takes: the most distinct words that any bank must give.
///
/// Lanes that read the same word are served together.
pub fn bank_cycles(access: &Access, banks: usize) -> u64 {
    if access.bytes <= 4 && banks <= MOST_BANKS && is_conflict_free(access, banks) {
        return 1;
    }
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

/// Banks that the quick look keeps account of.
const MOST_BANKS: usize = 64;

/// Whether no bank is asked for two different words, each lane wanting one.
fn is_conflict_free(access: &Access, banks: usize) -> bool {
    let mut wanted = [u64::MAX; MOST_BANKS];
    access.lanes.lanes().all(|lane| {
        let word = access.addresses[lane] / 4;
        let seen = &mut wanted[word as usize % banks];
        let free = *seen == u64::MAX || *seen == word;
        *seen = word;
        free
    })
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
    fn the_quick_ways_agree_with_the_slow_one() {
        // One lane less takes the slow way; the last lane alone adds what is missing.
        for bytes in [1, 2, 4, 8, 16] {
            for start in [0, 16, 48, 64, 112, 1008] {
                for step in [0, u64::from(bytes)] {
                    let whole = access(bytes, |lane| start + lane * step);
                    let mut most = whole.clone();
                    most.lanes = LaneMask(u32::MAX >> 1);
                    let mut last = whole.clone();
                    last.lanes = LaneMask(1 << 31);
                    let mut merged = lines(&most);
                    for t in lines(&last) {
                        match merged.iter_mut().find(|m| m.line == t.line) {
                            Some(m) => {
                                m.words |= t.words;
                                m.lanes.0 |= t.lanes.0;
                            }
                            None => merged.push(t),
                        }
                    }
                    assert_eq!(lines(&whole), merged, "{bytes} bytes from {start} by {step}");
                }
            }
        }
    }

    #[test]
    fn lines_need_not_be_powers_of_two() {
        let mut out = vec![];
        coalesce(&access(4, |lane| lane * 8), 96, &mut out);
        assert_eq!(out.iter().map(|t| t.line).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(out[0].lanes, LaneMask(0xfff), "twelve lanes in 96 bytes");
        assert_eq!(out[0].words, 0x55_5555);
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
