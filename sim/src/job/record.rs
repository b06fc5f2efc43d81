//! What a run leaves behind: a JSON record and the buffers the job asks for, each whole or not at all.

use std::path::Path;

use serde::Serialize;

use super::compare::Failure;
use super::load::Job;
use super::run::{Ended, Outcome};
use crate::exec::{Counts, Launch};
use crate::machine::TimingRecord;
use lanewise_files::whole;

/// What one kernel executed, over all its launches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelRecord {
    /// Its name.
    pub kernel: String,
    /// How often it was launched.
    pub launches: u64,
    /// Blocks of all launches.
    pub blocks: u64,
    /// Threads of all launches.
    pub threads: u64,
    /// Instructions executed by warps.
    pub warp_instructions: u64,
    /// Instructions executed by threads.
    pub thread_instructions: u64,
}

impl KernelRecord {
    /// A launch that has not run yet.
    pub(super) fn new(launch: &Launch) -> KernelRecord {
        KernelRecord {
            kernel: launch.kernel().name.clone(),
            launches: 1,
            blocks: launch.blocks(),
            threads: launch.blocks() * u64::from(launch.threads()),
            warp_instructions: 0,
            thread_instructions: 0,
        }
    }

    /// It has run.
    pub(super) fn count(&mut self, counts: Counts) {
        self.warp_instructions += counts.warp_instructions;
        self.thread_instructions += counts.thread_instructions;
    }

    /// Adds a launch to the record of its kernel.
    pub(super) fn add(records: &mut Vec<KernelRecord>, launch: KernelRecord) {
        match records.iter_mut().find(|r| r.kernel == launch.kernel) {
            None => records.push(launch),
            Some(record) => {
                record.launches += 1;
                record.blocks += launch.blocks;
                record.threads += launch.threads;
                record.warp_instructions += launch.warp_instructions;
                record.thread_instructions += launch.thread_instructions;
            }
        }
    }
}

/// The record of a run: the same job, size and seed give the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// The job file as it was named.
    pub job: String,
    /// The chosen size.
    pub size: Option<String>,
    /// The seed of random buffers.
    pub seed: u64,
    /// `functional`: executed without timing; `timing`: on a machine.
    pub mode: &'static str,
    /// How the run came to its end.
    pub ended: Ended,
    /// Whether it is complete and every expectation holds.
    pub passed: bool,
    /// What does not hold, in words.
    pub failures: Vec<String>,
    /// Sum over kernels.
    pub warp_instructions: u64,
    /// Sum over kernels.
    pub thread_instructions: u64,
    /// By kernel, in order of first launch.
    pub kernels: Vec<KernelRecord>,
    /// What the machine measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<TimingRecord>,
}

impl Record {
    pub(super) fn new(
        job: &Job,
        kernels: &[KernelRecord],
        failures: &[Failure],
        ended: Ended,
        timing: Option<TimingRecord>,
    ) -> Record {
        Record {
            job: job.file.clone(),
            size: job.size.clone(),
            seed: job.seed,
            mode: if timing.is_some() { "timing" } else { "functional" },
            ended,
            passed: ended == Ended::Complete && failures.is_empty(),
            failures: failures.iter().map(ToString::to_string).collect(),
            warp_instructions: kernels.iter().map(|k| k.warp_instructions).sum(),
            thread_instructions: kernels.iter().map(|k| k.thread_instructions).sum(),
            kernels: kernels.to_vec(),
            timing,
        }
    }
}

impl Job {
    /// Writes `record.json`, for a timed run `record.csv`, and the job's outputs into a directory, which is made if need be.
    ///
    /// The record comes last: where it is new, everything is. The error names the file.
    pub fn write(&self, outcome: &Outcome, directory: &Path) -> Result<(), String> {
        let mut json = serde_json::to_vec_pretty(&outcome.record).map_err(|e| e.to_string())?;
        json.push(b'\n');
        let outputs = self.outputs.iter();
        let outputs = outputs.map(|o| (o.file.as_str(), outcome.buffer(&o.buffer).unwrap_or(&[])));
        let csv = outcome.record.timing.as_ref().map(TimingRecord::csv);
        let csv = csv.iter().map(|csv| ("record.csv", csv.as_bytes()));
        let mut files = outputs.chain(csv).chain([("record.json", json.as_slice())]);
        files.try_for_each(|(name, bytes)| whole(&directory.join(name), |out| out.write_all(bytes)))
    }
}
