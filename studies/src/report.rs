//! A study's report: a Markdown page with tables and plots, and records for programs.

use crate::StudyError;
use lanewise_files::whole;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// A figure of a paper beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What was measured, with its unit.
    pub what: String,
    /// The paper's value.
    pub paper: f64,
    /// Ours.
    pub ours: f64,
    /// Why they differ: needed where they do by more than a third of the paper's value.
    pub because: String,
}

impl Claim {
    /// Whether the difference is larger than a third of the paper's value.
    pub fn is_far(&self) -> bool {
        (self.ours - self.paper).abs() > self.paper.abs() / 3.0
    }
}

/// A table with a heading; the first column is text, the others are numbers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new<T: Into<String>>(head: impl IntoIterator<Item = T>) -> Table {
        Table { head: head.into_iter().map(Into::into).collect(), rows: vec![] }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut out = line(&self.head);
        let rules = (0..self.head.len()).map(|n| if n == 0 { "---" } else { "---:" }.to_string());
        out += &line(&rules.collect::<Vec<_>>());
        self.rows.iter().for_each(|row| out += &line(row));
        out
    }

    /// The table as comma-separated values.
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(quoted).collect();
            cells.join(",") + "\n"
        };
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Report {
    name: String,
    page: String,
    plots: Vec<(String, String)>,
    unexplained: Vec<String>,
    summary: String,
    /// Everything that was measured, for programs.
    pub json: serde_json::Value,
    /// The same as rows.
    pub csv: Table,
}

impl Report {
    /// An empty report of study `name`.
    pub fn new(name: &str, title: &str) -> Report {
        Report { name: name.into(), page: format!("# {title}\n"), ..Report::default() }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        let _ = write!(self.page, "\n## {text}\n");
    }

    /// A paragraph, or several.
    pub fn text(&mut self, text: &str) {
        let _ = write!(self.page, "\n{text}\n");
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        let _ = write!(self.page, "\n{}", table.markdown());
    }

    /// A plot, in a file of its own.
    pub fn plot(&mut self, file: &str, caption: &str, svg: String) {
        let _ = write!(self.page, "\n![{caption}]({}/{file}.svg)\n", self.name);
        self.plots.push((file.into(), svg));
    }

    /// Our figures beside the paper's, with reasons where they are far apart.
    pub fn claims(&mut self, claims: &[Claim]) {
        let mut table = Table::new(["measure", "paper", "ours"]);
        for claim in claims {
            let (paper, ours) = (number(claim.paper), number(claim.ours));
            let _ = writeln!(self.summary, "{}: {ours} (paper {paper})", claim.what);
            table.row([claim.what.clone(), paper, ours]);
        }
        self.table(&table);
        let far: Vec<&Claim> = claims.iter().filter(|claim| claim.is_far()).collect();
        if !far.is_empty() {
            self.text("Where we differ by more than a third of the paper's value:");
            self.page.push('\n');
        }
        // What has one reason stands together.
        let mut told: Vec<&str> = vec![];
        for claim in &far {
            let because = claim.because.as_str();
            if because.is_empty() {
                self.unexplained.push(claim.what.clone());
            }
            if told.contains(&because) {
                continue;
            }
            told.push(because);
            let alike = far.iter().filter(|other| other.because == because);
            let names: Vec<String> = alike.map(|claim| format!("**{}**", claim.what)).collect();
            let because = if because.is_empty() { "not explained" } else { because };
            let _ = writeln!(self.page, "- {}: {because}", names.join("; "));
        }
    }

    /// Figures far from the paper's for which no reason is given.
    pub fn unexplained(&self) -> &[String] {
        &self.unexplained
    }

    /// The study's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The claims, for a terminal.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The page.
    pub fn page(&self) -> &str {
        &self.page
    }

    /// Writes `NAME.md` and, in the directory `NAME`, `record.json`, `record.csv` and the plots.
    pub fn write(&self, out: &Path) -> Result<(), StudyError> {
        let folder = out.join(&self.name);
        let save = |path: &Path, text: &str| {
            whole(path, |out| out.write_all(text.as_bytes())).map_err(StudyError::Input)
        };
        let json = serde_json::to_string_pretty(&self.json)
            .map_err(|e| StudyError::Input(e.to_string()))?;
        save(&folder.join("record.json"), &(json + "\n"))?;
        save(&folder.join("record.csv"), &self.csv.csv())?;
        for (name, svg) in &self.plots {
            save(&folder.join(format!("{name}.svg")), svg)?;
        }
        save(&out.join(format!("{}.md", self.name)), &self.page)
    }
}

/// A number as a person would write it: three digits that matter.
pub fn number(value: f64) -> String {
    let digits = match value.abs() {
        a if a == 0.0 || a >= 100.0 => 0,
        a if a >= 10.0 => 1,
        a if a >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    // No minus before a zero.
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        "0".into()
    } else {
        text
    }
}

/// The mean, zero of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_claim_needs_a_reason() {
        let claim = |ours: f64, because: &str| Claim {
            what: "saved, %".into(),
            paper: 30.0,
            ours,
            because: because.into(),
        };
        let mut report = Report::new("x", "X");
        report.claims(&[claim(21.0, ""), claim(40.0, ""), claim(10.0, "fewer of them")]);
        assert!(report.unexplained().is_empty());
        report.claims(&[claim(41.0, ""), claim(19.0, "")]);
        assert_eq!(report.unexplained().len(), 2);
        assert!(report.page().contains("- **saved, %**: fewer of them\n"));
        assert!(report.page().contains("- **saved, %**; **saved, %**: not explained\n"));
    }

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, -0.0001, 0.1234, 1.234, 12.34, 123.4, -4.567].map(number);
        assert_eq!(shown, ["0", "0", "0.123", "1.23", "12.3", "123", "-4.57"]);
    }

    #[test]
    fn a_report_is_written_with_all_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut report = Report::new("x", "X");
        report.plot("one", "one plot", "<svg/>".into());
        report.csv = Table::new(["a", "b"]);
        report.csv.row(["1,5", "2"]);
        report.write(folder.path()).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("x.md"), "# X\n\n![one plot](x/one.svg)\n");
        assert_eq!(read("x/record.csv"), "a,b\n\"1,5\",2\n");
        assert_eq!(read("x/one.svg"), "<svg/>");
    }
}
