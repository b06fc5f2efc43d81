//! A directory of finished builds keyed by content: never half written, safe for several processes.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::tools::VerilatedError;

/// The directory `cache/name`, made by `make` if it is not there yet.
///
/// Threads of this process that want the same entry wait for the first of them.
pub(super) fn entry(
    cache: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), VerilatedError>,
) -> Result<PathBuf, VerilatedError> {
    static BUILDING: Mutex<Option<HashMap<PathBuf, Arc<Mutex<()>>>>> = Mutex::new(None);
    let path = cache.join(name);
    let mine = {
        let mut building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        building.get_or_insert_default().entry(path.clone()).or_default().clone()
    };
    let _turn = mine.lock().unwrap_or_else(PoisonError::into_inner);
    if path.is_dir() {
        return Ok(path);
    }
    build(cache, path, make)
}

/// Makes an entry whatever other processes do: `make` fills a temporary directory, which is then
/// renamed. If another process was faster, its result is used: the same key means the same content.
fn build(
    cache: &Path,
    path: PathBuf,
    make: impl FnOnce(&Path) -> Result<(), VerilatedError>,
) -> Result<PathBuf, VerilatedError> {
    fs::create_dir_all(cache).map_err(VerilatedError::file("create", cache))?;
    let building = tempfile::Builder::new()
        .prefix(".building-")
        .tempdir_in(cache)
        .map_err(VerilatedError::file("write to", cache))?;
    make(building.path())?;
    let built = building.keep();
    match fs::rename(&built, &path) {
        Ok(()) => Ok(path),
        Err(reason) => {
            // Losing the race leaves a complete directory of ours that nobody needs.
            let _ = fs::remove_dir_all(&built);
            if path.is_dir() {
                Ok(path)
            } else {
                Err(VerilatedError::File { doing: "write", path, source: reason })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn racing_builders_of_one_key_all_get_the_same_finished_entry() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let paths: Vec<PathBuf> = std::thread::scope(|scope| {
            let builders: Vec<_> = (0..8)
                .map(|id| {
                    let cache = cache.path();
                    scope.spawn(move || {
                        build(cache, cache.join("key"), |directory| {
                            fs::write(directory.join("file"), format!("{id}")).expect("a write");
                            std::thread::sleep(std::time::Duration::from_millis(20));
                            fs::write(directory.join("done"), "").expect("a write");
                            Ok(())
                        })
                        .expect("an entry")
                    })
                })
                .collect();
            builders.into_iter().map(|builder| builder.join().expect("no panic")).collect()
        });
        assert!(paths.iter().all(|path| path == &cache.path().join("key")));
        assert!(paths[0].join("done").exists());
        assert_eq!(fs::read_dir(cache.path()).expect("a listing").count(), 1, "nothing left over");
    }

    #[test]
    fn threads_of_one_process_build_an_entry_once() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let builds = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    entry(cache.path(), "key", |_| {
                        builds.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        Ok(())
                    })
                    .expect("an entry")
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }

    #[test]
    fn a_failed_build_leaves_nothing_behind() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let failed = entry(cache.path(), "key", |directory| {
            fs::write(directory.join("file"), "half").expect("a write");
            Err(VerilatedError::Missing { program: "verilator".into(), package: "verilator" })
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(cache.path()).expect("a listing").count(), 0);
    }
}
