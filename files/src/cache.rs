//! A directory of finished results named by what they were made from: never half written, safe for several processes.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A directory of finished results.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// The cache's directory could not be used.
#[derive(Debug)]
pub struct CacheError {
    /// The verb.
    pub doing: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.doing, self.path.display(), self.source)
    }
}

impl std::error::Error for CacheError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Cache {
    /// A cache in `folder`, which is made when the first result is.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// The directory of the result `name`, filled by `make` if it is not there yet.
    ///
    /// Threads of this process that want the same result wait for the first of them.
    pub fn entry<E: From<CacheError>>(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        static MAKING: Mutex<Option<HashMap<PathBuf, Arc<Mutex<()>>>>> = Mutex::new(None);
        let path = self.folder.join(name);
        let mine = {
            let mut making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
            making.get_or_insert_default().entry(path.clone()).or_default().clone()
        };
        let _turn = mine.lock().unwrap_or_else(PoisonError::into_inner);
        if path.is_dir() {
            return Ok(path);
        }
        self.make(path, make)
    }

    /// Makes a result whatever other processes do: `make` fills a temporary directory, which is then
    /// renamed. If another process was faster, its result is used: the same name means the same content.
    fn make<E: From<CacheError>>(
        &self,
        path: PathBuf,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let folder = &self.folder;
        let failed = |doing| move |source| CacheError { doing, path: folder.clone(), source };
        fs::create_dir_all(folder).map_err(failed("create"))?;
        let making = tempfile::Builder::new()
            .prefix(".making-")
            .tempdir_in(folder)
            .map_err(failed("write to"))?;
        make(making.path())?;
        let made = making.keep();
        match fs::rename(&made, &path) {
            Ok(()) => Ok(path),
            Err(source) => {
                // Losing the race leaves a complete directory of ours that nobody needs.
                let _ = fs::remove_dir_all(&made);
                if path.is_dir() {
                    Ok(path)
                } else {
                    Err(CacheError { doing: "write", path, source }.into())
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    fn empty() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        (folder, cache)
    }

    #[test]
    fn racing_makers_of_one_result_all_get_the_same_whole_one() {
        let (folder, cache) = empty();
        let paths: Vec<PathBuf> = thread::scope(|scope| {
            let makers: Vec<_> = (0..8)
                .map(|id| {
                    let (cache, path) = (&cache, folder.path().join("key"));
                    scope.spawn(move || {
                        cache.make::<CacheError>(path, |directory| {
                            fs::write(directory.join("file"), format!("{id}")).unwrap();
                            thread::sleep(Duration::from_millis(20));
                            fs::write(directory.join("done"), "").unwrap();
                            Ok(())
                        })
                    })
                })
                .collect();
            makers.into_iter().map(|maker| maker.join().unwrap().unwrap()).collect()
        });
        assert!(paths.iter().all(|path| path == &folder.path().join("key")));
        assert!(paths[0].join("done").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing left over");
    }

    #[test]
    fn threads_of_one_process_make_a_result_once() {
        let (_folder, cache) = empty();
        let made = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let entry: Result<PathBuf, CacheError> = cache.entry("key", |_| {
                        made.fetch_add(1, Ordering::SeqCst);
                        thread::sleep(Duration::from_millis(20));
                        Ok(())
                    });
                    entry.unwrap();
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let (folder, cache) = empty();
        let failed: Result<PathBuf, CacheError> = cache.entry("key", |directory| {
            fs::write(directory.join("file"), "half").unwrap();
            let (path, source) = (directory.into(), io::Error::other("full"));
            Err(CacheError { doing: "fill", path, source })
        });
        assert!(failed.unwrap_err().to_string().starts_with("cannot fill "));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
