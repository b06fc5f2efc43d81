//! Pages whose tables programs write, each between marks of its own.

use std::path::{Path, PathBuf};

/// The page with all that was measured.
pub fn performance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("docs").join("performance.md")
}

/// The page with `table` between the marks called `name`, whatever was there before.
pub fn replace(page: &str, name: &str, table: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let missing = |mark: &str| format!("the page has no line `{}`; put it back", mark.trim());
    let (before, rest) = page.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

/// Replaces the table called `name` in a file.
pub fn rewrite(file: &Path, name: &str, table: &str) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", file.display());
    let page = std::fs::read_to_string(file).map_err(fail)?;
    let page = replace(&page, name, table).map_err(|e| format!("{}: {e}", file.display()))?;
    lanewise_files::whole(file, |out| out.write_all(page.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n";
        let new = replace(page, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n");
        let error = replace(page, "y", "new\n").unwrap_err();
        assert_eq!(error, "the page has no line `<!-- begin y -->`; put it back");
    }
}
