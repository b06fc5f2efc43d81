//! What rides beside a 32-bit word through folded lanes: carries, predicates in pairs, 64-bit words in two beats,
//! divisions among additions, masks with holes. No shipped kernel has carries, so the job is written for it.

use super::command::{folded_percent, planted, run_job};
use std::path::{Path, PathBuf};

/// Threads of fixtures/carries.toml, and its rounds.
const THREADS: u32 = 300;
const ROUNDS: u32 = 12;

/// The state of a thread of fixtures/carries.ptx.
struct Thread {
    a: u128,
    b: u128,
    x: u64,
    y: u64,
    acc: u32,
    f: f32,
    q: u32,
    r: u32,
}

/// A word of a wide number.
fn word(wide: u128, n: u32) -> u32 {
    (wide >> (32 * n)) as u32
}

/// Words as a wide number, the low one first.
fn wide(words: [u32; 4]) -> u128 {
    words.iter().rev().fold(0, |sum, word| (sum << 32) | u128::from(*word))
}

/// The low 96 bits of a number under the top word of another.
fn under(low: u128, top: u128) -> u128 {
    (low % (1 << 96)) | (top >> 96 << 96)
}

impl Thread {
    /// What thread `n` starts with: words that make long carries common.
    fn new(n: u32) -> Thread {
        let word = |k: u32| match n.wrapping_mul(0x9e37_79b9).rotate_left(5 * k) % 5 {
            0 => 0,
            1 => u32::MAX,
            _ => {
                (n * 8 + k + 1).wrapping_mul(0x85eb_ca6b).rotate_left(13).wrapping_mul(0xc2b2_ae35)
            }
        };
        let (a, b) = (wide([0, 1, 2, 3].map(word)), wide([4, 5, 6, 7].map(word)));
        Thread { a, b, x: 1, y: 3, acc: 0, f: 1.0, q: 0, r: 0 }
    }

    fn round(&mut self) {
        let (s, d) = (self.a.wrapping_add(self.b), self.a.wrapping_sub(self.b));
        let product = u128::from(word(s, 0)) * u128::from(word(d, 0));
        let m = product + self.b % (1 << 96);
        self.x = self.x.wrapping_mul(self.y).wrapping_add(m as u64);
        let (low, carry) = self.x.overflowing_add(self.y);
        let high = self.y.wrapping_add(self.x).wrapping_add(carry.into());
        self.y = low.wrapping_add(high);
        self.q = word(s, 1) / (word(d, 2) | 1);
        self.r = word(d, 1) % (word(s, 3) | 1);
        let sum = word(s, 2).wrapping_add(word(m, 2));
        self.acc = [word(m, 0), word(m, 1), sum].into_iter().fold(self.acc, u32::wrapping_add);
        let quotient = self.x / (self.y | 1);
        let g = word(m, 2) as f32;
        self.f = g / self.f + (g + 1.0);
        let odd = self.acc % 2 == 1;
        let (p, n) = (self.q < self.r && odd, self.q >= self.r && odd);
        let e = word(if p { s } else { d }, 3);
        self.x = self.x.wrapping_add(if n { low.wrapping_add(self.x) } else { quotient });
        let (q, r) = (self.q, self.r);
        self.a = if p {
            under(d.wrapping_add(wide([r, q, e, 0])), d)
        } else if n {
            let low = u64::from(q) * u64::from(r);
            let low = low.wrapping_add(s as u64);
            wide([low as u32, (low >> 32) as u32, word(m, 1), word(m, 0)])
        } else {
            under(s.wrapping_sub(wide([q, r, e, 0])), s)
        };
        for _ in 0..self.acc % 4 {
            let step = wide([word(m, 2), word(m, 1), word(m, 0), 0]);
            self.b = under(self.b.wrapping_add(step), self.b);
        }
        self.b ^= u128::from(e) << 96;
    }

    /// What it stores.
    fn stored(&self) -> Vec<u8> {
        let mut bytes = self.a.to_le_bytes().to_vec();
        bytes.extend(self.b.to_le_bytes());
        bytes.extend([self.x, self.y].iter().flat_map(|long| long.to_le_bytes()));
        let words = [self.acc, self.f.to_bits(), self.q, self.r];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }
}

/// The job in a directory of its own, with its inputs and what Rust makes of them.
fn job(directory: &Path) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for file in ["carries.toml", "carries.ptx"] {
        std::fs::copy(fixtures.join(file), directory.join(file)).expect("a fixture");
    }
    let (mut given, mut want) = (vec![], vec![]);
    for n in 0..THREADS {
        let mut thread = Thread::new(n);
        given.extend(thread.a.to_le_bytes());
        given.extend(thread.b.to_le_bytes());
        (0..ROUNDS).for_each(|_| thread.round());
        want.extend(thread.stored());
    }
    std::fs::write(directory.join("in.bin"), given).expect("it can be written");
    std::fs::write(directory.join("want.bin"), want).expect("it can be written");
    directory.join("carries.toml")
}

#[test]
fn carries_predicates_and_long_words_fold_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let job = job(directory.path());
    let functional = run_job(&job, &["--functional"]);
    assert_eq!(functional.code, Some(0), "{}{}", functional.out, functional.err);
    for variant in ["compact", "fold"] {
        for elision in ["none", "half"] {
            let variant = format!("mechanisms.lanes.variant={variant}");
            let elision = format!("mechanisms.lanes.elision={elision}");
            let done = run_job(
                &job,
                &[
                    "--sms",
                    "1",
                    "--attach",
                    "lanes,gating,folding",
                    "--units",
                    "lockstep",
                    "--set",
                    &variant,
                    "--set",
                    &elision,
                ],
            );
            let said = format!("{variant} {elision}: {}{}", done.out, done.err);
            assert_eq!(done.code, Some(0), "{said}");
            assert!(folded_percent(&done) > 10.0, "{said}");
        }
    }
}

#[test]
fn a_flag_that_only_folded_halves_get_wrong_makes_the_job_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let job = job(directory.path());
    for (file, variant) in
        [("reshift_stage.v", "compact"), ("reshift_stage__variant_fold.v", "fold")]
    {
        // Every carry is set, and so is every predicate: the job's loops end all the same.
        let verilog =
            planted(file, "(result_flag_i),", "(result_flag_i | {32{execute_folded_i}}),");
        let verilog = verilog.path().display().to_string();
        let variant = format!("mechanisms.lanes.variant={variant}");
        let options = ["--sms", "1", "--units", "verilated", "--set", &variant];
        let more = ["--verilog", &verilog, "--max-cycles", "1000000", "--attach"];
        let options = [&options[..], &more].concat();
        let whole = run_job(&job, &[&options[..], &["lanes"]].concat());
        assert_eq!(whole.code, Some(0), "{variant}: {}{}", whole.out, whole.err);
        let folded = run_job(&job, &[&options[..], &["lanes,folding"]].concat());
        assert_eq!(folded.code, Some(1), "{variant}: {}{}", folded.out, folded.err);
        assert!(folded.err.contains("elements differ"), "{}", folded.err);
        assert!(folded_percent(&folded) > 10.0, "{}", folded.out);
    }
}
