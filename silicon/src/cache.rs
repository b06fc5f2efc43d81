//! Finished results by content, so that a second run is quick.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// A directory of finished results.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in `folder`, which is made when the first result is.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// The project's: `target/silicon`.
    pub fn standard() -> Cache {
        Cache::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/silicon"))
    }

    /// The directory of result `key`, filled by `make` if it is not there yet.
    ///
    /// A result appears whole or not at all: `make` fills a temporary directory, which is renamed.
    pub fn entry(
        &self,
        key: &str,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let path = self.folder.join(key);
        if path.is_dir() {
            return Ok(path);
        }
        fs::create_dir_all(&self.folder).map_err(Error::file("create", &self.folder))?;
        let building = tempfile::Builder::new()
            .prefix(".building-")
            .tempdir_in(&self.folder)
            .map_err(Error::file("write to", &self.folder))?;
        make(building.path())?;
        let built = building.keep();
        match fs::rename(&built, &path) {
            Ok(()) => Ok(path),
            Err(reason) => {
                // Whoever was faster made the same: the key is the content.
                let _ = fs::remove_dir_all(&built);
                if path.is_dir() {
                    Ok(path)
                } else {
                    Err(Error::File { doing: "write", path, source: reason })
                }
            }
        }
    }
}
