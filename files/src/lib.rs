//! Files that are written whole or not at all, and results found again by what they were made from.

mod cache;

pub use cache::{Cache, CacheError};

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file on its way: it takes its name when it is finished, and leaves nothing behind if it is not.
///
/// Errors name the file.
pub struct Draft {
    file: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl Draft {
    /// Begins a file, and makes its directory if need be. What this refuses cannot be written at all, so a program
    /// that works for hours may ask before.
    pub fn new(file: &Path) -> Result<Draft, String> {
        let fail = |e: io::Error| format!("{}: {e}", file.display());
        if file.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        let parent = file.parent().filter(|d| !d.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory)
            .map_err(|e| format!("{}: its directory cannot be made: {e}", file.display()))?;
        let temporary = NamedTempFile::new_in(directory).map_err(fail)?;
        Ok(Draft { file: file.into(), out: BufWriter::new(temporary) })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), String> {
        let Draft { file, out } = self;
        let fail = |e: io::Error| format!("{}: {e}", file.display());
        let temporary = out.into_inner().map_err(|e| fail(e.into_error()))?;
        share(temporary.path()).map_err(fail)?;
        temporary.persist(&file).map_err(|e| fail(e.error))?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes beside the file and renames, so that a reader never sees half of it; makes its directory if need be.
///
/// The error names the file.
pub fn whole(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let mut draft = Draft::new(file)?;
    write(&mut draft).map_err(|e| format!("{}: {e}", file.display()))?;
    draft.finish()
}

/// Gives a temporary file, which only its owner may read, the permissions of an ordinary one.
fn share(file: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// A 128-bit FNV-1a digest: the same on every machine and in every release, unlike the hashers of std.
pub fn digest<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for part in parts {
        let part = part.as_ref();
        // The length goes first, so that moving a character from one part to the next is a change.
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_differ_by_where_parts_end() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_eq!(digest(["ab", "c"]), digest(["ab", "c"]));
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/page.md");
        whole(&file, |out| out.write_all(b"first")).unwrap();
        let error = whole(&file, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert_eq!(error.unwrap_err(), format!("{}: full", file.display()));
        assert_eq!(std::fs::read(&file).unwrap(), b"first");
        assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let error = Draft::new(folder.path()).err().unwrap();
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(Draft::new(&file.join("below")).is_err());
        drop(Draft::new(&folder.path().join("never")).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
