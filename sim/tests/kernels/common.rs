//! Runs a kernel's job and compares what comes out with what the host computed.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use lanewise_sim::job::{Job, LoadOptions, Outcome, RunOptions};

use crate::counts::Counts;

/// Half the distance between neighbouring floats at 1: the most that rounding a value near 1 to
/// single precision can be wrong.
pub const ULP: f64 = 1.0 / 16_777_216.0;

/// A finished run of a job at one size, with every buffer as it was and as it is.
pub struct Run {
    job: Job,
    outcome: Outcome,
}

impl Run {
    /// Runs kernels/<kernel>/<kernel>.toml; the job's own expectations must hold.
    pub fn of(kernel: &str, size: &str) -> Run {
        let path = folder(kernel).join(format!("{kernel}.toml"));
        let options = LoadOptions { size: Some(size.into()), seed: None };
        let job = Job::load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        let outcome = job.run(&RunOptions::default());
        let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
        if let Some(failure) = outcome.failures.first() {
            panic!("the job's own check at size {size}: {failure}");
        }
        Run { job, outcome }
    }

    /// A variable of the job's size or `[let]`.
    pub fn var(&self, name: &str) -> usize {
        let value = self.job.variable(name);
        value.unwrap_or_else(|| panic!("the job has no variable {name}")) as usize
    }

    /// The buffer as the job filled it.
    pub fn before<T: Element>(&self, name: &str) -> Vec<T> {
        let buffer = self.job.buffer(name);
        elements(&buffer.unwrap_or_else(|| panic!("the job has no buffer {name}")).bytes)
    }

    /// The buffer after the last step.
    pub fn after<T: Element>(&self, name: &str) -> Vec<T> {
        let buffer = self.outcome.buffer(name);
        elements(buffer.unwrap_or_else(|| panic!("the job has no buffer {name}")))
    }

    /// What the workload executed.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.outcome.record)
    }
}

/// The folder of a kernel.
pub fn folder(kernel: &str) -> PathBuf {
    root().join("kernels").join(kernel)
}

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A type a buffer can hold.
pub trait Element: Copy + Debug + PartialEq {
    /// Bytes of one element.
    const BYTES: usize;
    /// From its little-endian bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Its bits: floats are compared by these, so that -0 is not 0.
    fn bits(self) -> u64;
}

macro_rules! element {
    ($type:ty, $bits:expr) => {
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();
            fn read(bytes: &[u8]) -> Self {
                <$type>::from_le_bytes(bytes.try_into().unwrap())
            }
            fn bits(self) -> u64 {
                $bits(self)
            }
        }
    };
}
element!(u8, |x: u8| x.into());
element!(u32, |x: u32| x.into());
element!(i32, |x: i32| u64::from(x as u32));
element!(f32, |x: f32| x.to_bits().into());
element!(f64, f64::to_bits);

fn elements<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::BYTES).map(T::read).collect()
}

/// Single precision as double.
pub fn widen(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

/// Asserts that two results are the same bit for bit.
pub fn exact<T: Element>(what: &str, got: &[T], want: &[T]) {
    assert_eq!(got.len(), want.len(), "{what}: number of elements");
    let differs = |i: &usize| got[*i].bits() != want[*i].bits();
    let wrong: Vec<usize> = (0..got.len()).filter(differs).collect();
    if let Some(&i) = wrong.first() {
        panic!(
            "{what}[{i}] is {:?}, should be {:?}; {} of {} differ",
            got[i],
            want[i],
            wrong.len(),
            got.len()
        );
    }
}

/// Asserts that every element is within `tolerance` of what it should be.
pub fn close(what: &str, got: &[f32], want: &[f64], tolerance: f64) {
    close_by(what, got, want, |_| tolerance);
}

/// Asserts that element i is within `tolerance(i)` of what it should be; NaN is not.
pub fn close_by(what: &str, got: &[f32], want: &[f64], tolerance: impl Fn(usize) -> f64) {
    assert_eq!(got.len(), want.len(), "{what}: number of elements");
    // What is right to the last bit of single precision is right: the reference is rounded too.
    let error = |i: usize| (f64::from(got[i]) - want[i]).abs() - ULP * want[i].abs();
    let differs = |i: &usize| error(*i).is_nan() || error(*i) > tolerance(*i);
    let wrong: Vec<usize> = (0..got.len()).filter(differs).collect();
    if let Some(&i) = wrong.first() {
        panic!(
            "{what}[{i}] is {}, should be {} within {}; {} of {} differ",
            got[i],
            want[i],
            tolerance(i),
            wrong.len(),
            got.len()
        );
    }
}

#[test]
#[should_panic(expected = "c[1] is 2, should be 3; 1 of 2 differ")]
fn exact_finds_a_difference() {
    exact("c", &[1u32, 2], &[1, 3]);
}

#[test]
#[should_panic(expected = "c[0] is NaN")]
fn close_finds_a_nan() {
    close("c", &[f32::NAN], &[1.0], 1e30);
}
