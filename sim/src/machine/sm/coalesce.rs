//! Turns the addresses of a warp into transactions: one a line, with the words it touches.

use crate::exec::simd::wide;
use crate::exec::{Access, AccessKind, LaneMask};

/// One line that a memory instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Line address: byte address divided by the line's size.
    pub line: u64,
    /// Which 4-byte words of the line are touched.
    pub words: u32,
    /// Lanes whose first byte lies in this line.
    pub lanes: LaneMask,
    /// Turns that an atomic takes: the most lanes that want one word. 1 for all else.
    pub turns: u32,
}

/// Splits an access into transactions of `line_bytes`, in the order of the lowest lane of each.
pub fn coalesce(access: &Access, line_bytes: u64, out: &mut Vec<Transaction>) {
    out.clear();
    let bytes = u64::from(access.bytes.max(1));
    let powers = bytes.is_power_of_two() && line_bytes.is_power_of_two() && bytes <= line_bytes;
    let many = access.lanes.count() >= 8;
    if many && powers && line_bytes <= 128 && is_aligned(&access.addresses, access.lanes.0, bytes) {
        return by_line(&access.addresses, access.lanes.0, bytes, line_bytes, out);
    }
    by_element(access, bytes, line_bytes, out);
}

wide! {
    /// Whether the first byte of every lane's element is a multiple of its size.
    fn is_aligned(addresses: &[u64; 32], lanes: u32, bytes: u64) -> bool {
        let mut low = 0;
        for i in 0..32 {
            low |= if lanes >> i & 1 == 1 { addresses[i] } else { 0 };
        }
        low & (bytes - 1) == 0
    }
}

wide! {
    /// Elements that each lie in one line: a look at all lanes for every line that is touched.
    fn by_line(
        addresses: &[u64; 32],
        lanes: u32,
        bytes: u64,
        line_bytes: u64,
        out: &mut Vec<Transaction>,
    ) {
        let shift = line_bytes.trailing_zeros();
        let element = words(0, bytes - 1);
        let (mut lines, mut touched) = ([0; 32], [0; 32]);
        for i in 0..32 {
            lines[i] = addresses[i] >> shift;
            touched[i] = element << ((addresses[i] & (line_bytes - 1)) as u32 / 4);
        }
        let mut left = lanes;
        while left != 0 {
            let line = lines[left.trailing_zeros() as usize];
            let (mut here, mut words) = (0, 0);
            for i in 0..32 {
                here |= u32::from(lines[i] == line) << i;
            }
            here &= left;
            for i in 0..32 {
                words |= if here >> i & 1 == 1 { touched[i] } else { 0 };
            }
            out.push(Transaction { line, words, lanes: LaneMask(here), turns: 1 });
            left &= !here;
        }
    }
}

/// Few elements, or such that may reach over the edge of a line, or lines of any size.
fn by_element(access: &Access, bytes: u64, line_bytes: u64, out: &mut Vec<Transaction>) {
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
                out.push(Transaction { line, words: 0, lanes: LaneMask::NONE, turns: 1 });
                out.len() - 1
            });
            out[at].words |= words;
            if line == first {
                out[at].lanes.0 |= 1 << lane;
            }
        }
    }
}

/// Adds the lines behind each for elements that lie in several rows.
pub fn further_rows(rows: u64, out: &mut Vec<Transaction>) {
    for at in 0..out.len() {
        let first = out[at];
        for line in first.line + 1..first.line + rows {
            match out.iter_mut().find(|t| t.line == line) {
                Some(there) => there.words |= first.words,
                None => out.push(Transaction { line, lanes: LaneMask::NONE, ..first }),
            }
        }
    }
}

/// Works out how often each line's atomic unit has to go over it: it does one operation on a word at a time.
pub fn turns(access: &Access, line_bytes: u64, out: &mut [Transaction]) {
    for transaction in out {
        let mut wanted = [0; 32];
        for lane in transaction.lanes.lanes() {
            wanted[(access.addresses[lane] % line_bytes / 4) as usize] += 1;
        }
        transaction.turns = wanted.into_iter().fold(1, u32::max);
    }
}

/// The words of a line that bytes `low` to `high` lie in.
#[inline(always)]
fn words(low: u64, high: u64) -> u32 {
    let (low, high) = (low / 4, high / 4);
    (u32::MAX >> (31 - (high - low))) << low
}

/// Cycles that a shared-memory access takes: the most distinct words that any bank must give.
///
/// Lanes that read the same word are served together; atomics on it take turns.
pub fn bank_cycles(access: &Access, banks: usize) -> u64 {
    let atomic = matches!(access.kind, AccessKind::Atomic);
    if !atomic && access.bytes <= 4 && banks <= MOST_BANKS && is_conflict_free(access, banks) {
        return 1;
    }
    let mut words: Vec<u64> = Vec::with_capacity(64);
    for lane in access.lanes.lanes() {
        let first = access.addresses[lane] / 4;
        let last = (access.addresses[lane] + u64::from(access.bytes.max(1)) - 1) / 4;
        words.extend(first..=last);
    }
    if !atomic {
        words.sort_unstable();
        words.dedup();
    }
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
        let whole = Transaction { line: 8, words: u32::MAX, lanes: LaneMask::ALL, turns: 1 };
        assert_eq!(unit, [whole]);
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
    fn the_quick_way_agrees_with_the_slow_one() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            random >> 33
        };
        for round in 0..2000 {
            let bytes = 1 << (next() % 5);
            // Near neighbours, far strangers, all in one place, one behind the other.
            let spread = [1, 16, 64, 1 << 20][round % 4];
            let (start, step) = (next() % 4096 * 16, next() % 3);
            let mut some = access(bytes, |lane| start + lane * step * u64::from(bytes));
            if round % 3 == 0 {
                some.addresses = std::array::from_fn(|_| next() % spread * u64::from(bytes));
            }
            some.lanes = LaneMask(if round % 2 == 0 { u32::MAX } else { next() as u32 });
            for line_bytes in [32, 64, 128] {
                let (mut quick, mut slow) = (vec![], vec![]);
                coalesce(&some, line_bytes, &mut quick);
                by_element(&some, u64::from(bytes), line_bytes, &mut slow);
                assert_eq!(quick, slow, "{some:?}");
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

    #[test]
    fn atomics_on_one_word_take_turns() {
        let atomic =
            |address: fn(u64) -> u64| Access { kind: AccessKind::Atomic, ..access(4, address) };
        assert_eq!(bank_cycles(&atomic(|_| 64), 32), 32);
        assert_eq!(bank_cycles(&atomic(|lane| lane * 4), 32), 1);
        assert_eq!(bank_cycles(&atomic(|lane| lane / 4 * 4), 32), 4);
        let most = |address: fn(u64) -> u64| {
            let access = atomic(address);
            let mut out = lines(&access);
            turns(&access, 128, &mut out);
            out.iter().map(|t| t.turns).collect::<Vec<_>>()
        };
        assert_eq!(most(|_| 64), [32]);
        assert_eq!(most(|lane| lane * 4), [1]);
        assert_eq!(most(|lane| if lane < 5 { 0 } else { lane * 128 })[..2], [5, 1]);
    }

    #[test]
    fn an_element_in_several_rows_takes_all_of_them() {
        let rows = |bytes: u64, address: fn(u64) -> u64| {
            let mut out = lines(&access(4, address));
            further_rows(bytes / 4, &mut out);
            out.iter().map(|t| t.line).collect::<Vec<_>>()
        };
        assert_eq!(rows(4, |lane| lane * 4), [0]);
        assert_eq!(rows(16, |lane| lane * 4), [0, 1, 2, 3]);
        // Every second lane is a row further.
        assert_eq!(rows(8, |lane| lane % 2 * 128 + lane * 4), [0, 1, 2]);
    }
}
