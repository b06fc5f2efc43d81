//! PTX text with positions, and the one error type of the front end: file, line, column, the offending
//! text and a remedy.

use std::fmt;
use std::sync::Arc;

/// One PTX file: where it came from and what it says.
#[derive(Debug, Clone)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    /// Names a text; `name` is what errors show, usually the path.
    pub fn new(name: &str, text: &str) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// The name errors show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column, both from 1, of a byte offset.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let bytes = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line = bytes.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
        let start = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        (line, (offset - start) as u32 + 1)
    }

    /// The text of a line (from 1), without its end, or nothing when there is no such line.
    pub fn line(&self, line: u32) -> &str {
        self.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or("")
    }

    /// An error about `len` bytes at `offset`.
    pub fn error(&self, offset: usize, len: usize, message: impl Into<String>) -> PtxError {
        let (line, column) = self.line_column(offset);
        PtxError {
            file: self.name.to_string(),
            line,
            column,
            text: self.line(line).to_string(),
            underline: len.max(1) as u32,
            message: message.into(),
            help: None,
        }
    }
}

/// Why a PTX text cannot be loaded, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtxError {
    /// The file as it was named when loaded.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// The offending line.
    pub text: String,
    /// How many bytes of it are at fault.
    pub underline: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it, when that is known.
    pub help: Option<String>,
}

impl PtxError {
    /// Adds a remedy.
    pub fn with_help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST_LINE_SHOWN: usize = 160;
        writeln!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        let shown: String = self.text.chars().take(LONGEST_LINE_SHOWN).collect();
        let shown = shown.replace('\t', " ");
        let gutter = self.line.to_string();
        writeln!(f, " {gutter} | {shown}")?;
        let indent = (self.column as usize - 1).min(shown.len());
        let carets = (self.underline as usize).min(shown.len().saturating_sub(indent).max(1));
        write!(f, " {} | {}{}", " ".repeat(gutter.len()), " ".repeat(indent), "^".repeat(carets))?;
        if let Some(help) = &self.help {
            write!(f, "\n {} = help: {help}", " ".repeat(gutter.len()))?;
        }
        Ok(())
    }
}

impl std::error::Error for PtxError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_file_line_column_text_and_remedy() {
        let source = Source::new("k.ptx", "first\n\tsecond bad\n");
        let error = Box::new(source.error(14, 3, "no such thing")).with_help("remove it");
        assert_eq!(
            error.to_string(),
            "k.ptx:2:9: no such thing\n 2 |  second bad\n   |         ^^^\n   = help: remove it"
        );
    }

    #[test]
    fn the_end_of_the_text_has_a_position() {
        let source = Source::new("k.ptx", "ab\n");
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line(2), "");
    }
}
