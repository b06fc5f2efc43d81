//! How many instructions each kernel executes at each size: measured, and as docs/kernels.md says.

use lanewise_sim::job::Record;

use crate::common::{root, Run};
use crate::KERNELS;

/// Every job has these sizes, in this order in the table.
pub const SIZES: [&str; 6] = ["tiny1", "tiny33", "odd", "default", "large", "study"];

const BEGIN: &str = "<!-- counts: written by a test, see above, do not edit -->\n";
const END: &str = "<!-- end of counts -->\n";

/// What a workload executed: its kernels without those that check or prepare.
pub struct Counts {
    pub launches: u64,
    pub warp_instructions: u64,
    /// Share of the lanes that executed, in percent.
    pub active_lanes: u64,
}

impl Counts {
    pub fn of(record: &Record) -> Counts {
        let (mut launches, mut warp_instructions, mut thread_instructions) = (0, 0, 0);
        for kernel in &record.kernels {
            if !kernel.kernel.contains("_check") && !kernel.kernel.contains("_setup") {
                launches += kernel.launches;
                warp_instructions += kernel.warp_instructions;
                thread_instructions += kernel.thread_instructions;
            }
        }
        Counts {
            launches,
            warp_instructions,
            active_lanes: thread_instructions * 100 / (warp_instructions * 32),
        }
    }
}

/// A kernel's row of the table.
#[derive(Debug, PartialEq)]
pub struct Row {
    kernel: String,
    /// Warp instructions by size.
    warp_instructions: [u64; 6],
    /// Launches at the default size.
    launches: u64,
    /// Share of the lanes that execute at the default size, in percent.
    active_lanes: u64,
}

impl Row {
    fn measure(kernel: &str) -> Row {
        let counts = SIZES.map(|size| Run::of(kernel, size).counts());
        Row {
            kernel: kernel.into(),
            warp_instructions: [0, 1, 2, 3, 4, 5].map(|i| counts[i].warp_instructions),
            launches: counts[3].launches,
            active_lanes: counts[3].active_lanes,
        }
    }

    fn text(&self) -> String {
        let numbers = self.warp_instructions.map(grouped).join(" | ");
        let (kernel, launches, lanes) = (&self.kernel, self.launches, self.active_lanes);
        format!("| {kernel} | {numbers} | {launches} | {lanes} |\n")
    }

    fn parse(line: &str) -> Row {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let number = |i: usize| -> u64 {
            let digits = cells[i].replace(',', "");
            digits.parse().unwrap_or_else(|_| panic!("not a row of counts: {line}"))
        };
        Row {
            kernel: cells[0].into(),
            warp_instructions: [1, 2, 3, 4, 5, 6].map(number),
            launches: number(7),
            active_lanes: number(8),
        }
    }

    /// Whose row it is.
    pub fn kernel(&self) -> &str {
        &self.kernel
    }

    /// Warp instructions at a size.
    pub fn at(&self, size: &str) -> u64 {
        let at = SIZES.iter().position(|&s| s == size);
        self.warp_instructions[at.unwrap_or_else(|| panic!("no size {size}"))]
    }

    /// Asserts that the table says what was measured.
    pub fn assert_holds(&self, size: &str, counts: &Counts) {
        let kernel = &self.kernel;
        let remedy = "the table in docs/kernels.md is out of date: run the ignored test \
                      counts::write_the_table";
        let measured = counts.warp_instructions;
        assert_eq!(self.at(size), measured, "{kernel}, {size}: {remedy}");
        if size == "default" {
            assert_eq!(self.launches, counts.launches, "{kernel}: {remedy}");
            assert_eq!(self.active_lanes, counts.active_lanes, "{kernel}: {remedy}");
        }
    }
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn page() -> String {
    let path = root().join("docs/kernels.md");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The page before, inside and after the table.
fn parts(page: &str) -> (&str, &str, &str) {
    let (before, rest) = page.split_once(BEGIN).expect("the table has a beginning");
    let (table, after) = rest.split_once(END).expect("the table has an end");
    (before, table, after)
}

/// The rows of docs/kernels.md.
pub fn table() -> Vec<Row> {
    let page = page();
    let lines = parts(&page).1.lines().skip(2);
    lines.map(Row::parse).collect()
}

/// The row of a kernel in docs/kernels.md.
pub fn documented(kernel: &str) -> Row {
    let row = table().into_iter().find(|row| row.kernel == kernel);
    row.unwrap_or_else(|| panic!("docs/kernels.md has no counts of {kernel}"))
}

fn measured_table() -> String {
    let sizes = SIZES.join(" | ");
    let mut table = format!("| kernel | {sizes} | launches | lanes, % |\n");
    table += &format!("| --- |{}\n", " ---: |".repeat(SIZES.len() + 2));
    for kernel in KERNELS {
        table += &Row::measure(kernel).text();
    }
    table
}

/// Runs all kernels at all sizes, some minutes' work. The quick tests compare the sizes up to default.
#[test]
#[ignore = "takes minutes: every kernel at every size"]
fn the_table_holds_at_every_size() {
    let page = page();
    assert_eq!(parts(&page).1, measured_table());
}

/// Writes what was measured into docs/kernels.md.
#[test]
#[ignore = "rewrites docs/kernels.md"]
fn write_the_table() {
    let page = page();
    let (before, _, after) = parts(&page);
    let text = format!("{before}{BEGIN}{}{END}{after}", measured_table());
    std::fs::write(root().join("docs/kernels.md"), text).expect("docs/kernels.md can be written");
}

#[test]
fn a_row_reads_back() {
    let row = Row {
        kernel: "k".into(),
        warp_instructions: [7, 42, 999, 1_000, 123_456, 7_000_001],
        launches: 3,
        active_lanes: 98,
    };
    assert_eq!(Row::parse(row.text().trim_end()), row);
    assert!(row.text().contains("| 7,000,001 |"));
}
