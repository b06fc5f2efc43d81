//! Points of a study: run side by side, kept as they finish, given back in their own order.

use crate::lab::{Lab, Units};
use crate::StudyError;
use indicatif::{ProgressBar, ProgressStyle};
use lanewise_files::{digest, whole};
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

/// One measurement. Its serialised form must say everything that decides the outcome: equal points are
/// measured once.
pub trait Point: Serialize + Sync {
    /// What is measured.
    type Outcome: Serialize + DeserializeOwned + Send;

    /// For the progress bar.
    fn label(&self) -> String;

    /// Measures.
    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Self::Outcome, StudyError>;
}

/// A digest of this very program: what another build has measured does not count.
fn program() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| {
        let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        digest([bytes])
    })
}

/// The kept outcome of a point, if it can be read.
fn kept<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

impl<U: Units> Lab<'_, U> {
    /// Where finished points are kept.
    fn points(&self) -> PathBuf {
        self.options.out.join(self.study).join("points")
    }

    /// Measures all points, or finds them again, and gives their outcomes in the order of the points.
    pub fn measure<P: Point>(&self, points: &[P]) -> Result<Vec<P::Outcome>, StudyError> {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} points, {eta} left, {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(points.len() as u64).with_style(style);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.options.threads)
            .build()
            .map_err(|e| StudyError::Input(format!("cannot start threads: {e}")))?;
        let done = AtomicUsize::new(0);
        let outcomes: Result<Vec<P::Outcome>, StudyError> = pool.install(|| {
            let one = |point: &P| {
                let outcome = self.one(point, &bar)?;
                done.fetch_add(1, Ordering::Relaxed);
                bar.inc(1);
                Ok(outcome)
            };
            points.par_iter().with_max_len(1).map(one).collect()
        });
        bar.finish_and_clear();
        if self.options.interrupt.load(Ordering::Relaxed) {
            if let Some(mismatch) = self.units.mismatch() {
                return Err(StudyError::Mismatch(mismatch));
            }
            let done = done.load(Ordering::Relaxed);
            return Err(StudyError::Stopped { done, all: points.len() });
        }
        outcomes
    }

    fn one<P: Point>(&self, point: &P, bar: &ProgressBar) -> Result<P::Outcome, StudyError> {
        let text = serde_json::to_string(point)
            .map_err(|e| StudyError::Input(format!("{}: {e}", point.label())))?;
        let key = digest([self.study, program(), &self.units.name(), &text]);
        let file = self.points().join(format!("{key}.json"));
        if let Some(outcome) = kept(&file) {
            return Ok(outcome);
        }
        let stopped = || self.options.interrupt.load(Ordering::Relaxed);
        if stopped() {
            return Err(StudyError::Stopped { done: 0, all: 0 });
        }
        bar.set_message(point.label());
        let outcome = point.measure(self)?;
        if stopped() {
            // The point may have been cut short.
            return Err(StudyError::Stopped { done: 0, all: 0 });
        }
        if let Some(mismatch) = self.units.mismatch() {
            self.options.interrupt.store(true, Ordering::Relaxed);
            return Err(StudyError::Mismatch(mismatch));
        }
        whole(&file, |out| Ok(serde_json::to_writer(out, &outcome)?)).map_err(StudyError::Input)?;
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Options;
    use lanewise_sim::attach::Models;

    static MEASURED: AtomicUsize = AtomicUsize::new(0);

    #[derive(Serialize)]
    struct Square(u64);

    impl Point for Square {
        type Outcome = u64;
        fn label(&self) -> String {
            self.0.to_string()
        }
        fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<u64, StudyError> {
            MEASURED.fetch_add(1, Ordering::Relaxed);
            if self.0 == 99 {
                lab.options.interrupt.store(true, Ordering::Relaxed);
            }
            Ok(self.0 * self.0)
        }
    }

    #[test]
    fn points_keep_their_order_and_are_measured_once() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            kernels: vec![],
            quick: false,
            config: None,
            set: vec![],
            out: folder.path().into(),
            threads: 3,
            interrupt: Default::default(),
        };
        let lab = Lab { options: &options, units: &Models, study: "squares" };
        let points: Vec<Square> = (0..20).map(Square).collect();
        let want: Vec<u64> = (0..20).map(|n| n * n).collect();
        assert_eq!(lab.measure(&points).unwrap(), want);
        assert_eq!(lab.measure(&points).unwrap(), want);
        assert_eq!(MEASURED.load(Ordering::Relaxed), 20);
        let error = lab.measure(&[Square(3), Square(99)]).unwrap_err();
        assert!(matches!(error, StudyError::Stopped { all: 2, .. }), "{error}");
        // What was cut short is not kept.
        options.interrupt.store(false, Ordering::Relaxed);
        assert!(lab.measure(&[Square(99)]).is_err());
        assert_eq!(MEASURED.load(Ordering::Relaxed), 22);
    }
}
