//! Files that are written whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes beside the file and renames, so that a reader never sees half of it; makes its directory if need be.
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
    temporary.persist(file).map_err(|e| fail(e.error))?;
    Ok(())
}
