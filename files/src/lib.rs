//! Files that are written whole or not at all, and results found again by what they were made from.

mod cache;

pub use cache::{Cache, CacheError};

use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes beside the file and renames, so that a reader never sees half of it; makes its directory if need be.
///
/// The error names the file.
pub fn whole(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let fail = |e: io::Error| format!("{}: {e}", file.display());
    let directory = file.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(fail)?;
    let temporary = tempfile::NamedTempFile::new_in(directory).map_err(fail)?;
    let mut out = BufWriter::new(temporary);
    write(&mut out).map_err(fail)?;
    let temporary = out.into_inner().map_err(|e| fail(e.into_error()))?;
    share(temporary.path()).map_err(fail)?;
    temporary.persist(file).map_err(|e| fail(e.error))?;
    Ok(())
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
}
