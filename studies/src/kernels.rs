//! The kernels a study runs: those shipped, by name, or any job file.

use crate::StudyError;
use lanewise_files::digest;
use lanewise_sim::job::{Job, LoadOptions};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A kernel: a job file that has been read once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// Its name: that of the job file.
    pub name: String,
    /// A digest of everything the job is made of, so that a changed kernel is measured again.
    content: String,
    /// Whether the job has the sizes of the shipped kernels.
    sized: bool,
    #[serde(skip)]
    path: PathBuf,
}

impl Kernel {
    /// Reads a job file.
    pub fn read(path: &Path) -> Result<Kernel, StudyError> {
        let fail = |e: &dyn std::fmt::Display| StudyError::Input(e.to_string());
        let job = Job::load(path, &LoadOptions::default()).map_err(|e| fail(&e))?;
        let text = std::fs::read(path)
            .map_err(|e| StudyError::Input(format!("{}: {e}", path.display())))?;
        let module = std::fs::read(path.with_file_name(job.ptx()))
            .map_err(|e| StudyError::Input(format!("{}: {e}", job.ptx())))?;
        let buffers = job.buffers().iter().map(|buffer| buffer.bytes.as_slice());
        let content = digest([text.as_slice(), &module].into_iter().chain(buffers));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Kernel { name, content, sized: job.size().is_some(), path: path.into() })
    }

    /// Every shipped kernel, by name.
    pub fn shipped() -> Result<Vec<Kernel>, StudyError> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
        let entries = std::fs::read_dir(&root)
            .map_err(|e| StudyError::Input(format!("{}: {e}", root.display())))?;
        let mut jobs: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter_map(|folder| Some(folder.join(folder.file_name()?).with_extension("toml")))
            .filter(|job| job.is_file())
            .collect();
        jobs.sort();
        jobs.iter().map(|job| Kernel::read(job)).collect()
    }

    /// The kernels of a list of names and job files; all that are shipped if the list is empty.
    pub fn named(list: &[String]) -> Result<Vec<Kernel>, StudyError> {
        if list.is_empty() {
            return Kernel::shipped();
        }
        let mut shipped = None;
        list.iter()
            .map(|name| {
                if name.ends_with(".toml") {
                    return Kernel::read(Path::new(name));
                }
                let known: &Vec<Kernel> = match &mut shipped {
                    Some(known) => known,
                    none => none.insert(Kernel::shipped()?),
                };
                known.iter().find(|kernel| kernel.name == *name).cloned().ok_or_else(|| {
                    let names: Vec<_> = known.iter().map(|kernel| kernel.name.as_str()).collect();
                    StudyError::Input(format!(
                        "there is no kernel `{name}`; give a job file (.toml) or one of {}",
                        names.join(", ")
                    ))
                })
            })
            .collect()
    }

    /// Its job at one of the sizes of the shipped kernels; a job without sizes has only one.
    pub fn job(&self, size: &str) -> Result<Job, StudyError> {
        let size = self.sized.then(|| size.to_string());
        let options = LoadOptions { size, seed: None };
        Job::load(&self.path, &options).map_err(|e| StudyError::Input(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_kernels_are_found_and_a_wrong_name_says_so() {
        let all = Kernel::named(&[]).unwrap();
        assert!(all.len() >= 24);
        assert!(all.windows(2).all(|two| two[0].name < two[1].name));
        assert_eq!(Kernel::named(&["bfs".into()]).unwrap()[0].name, "bfs");
        let error = Kernel::named(&["bsf".into()]).unwrap_err().to_string();
        assert!(error.contains("no kernel `bsf`") && error.contains("bfs"), "{error}");
    }
}
