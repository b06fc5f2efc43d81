//! The tutorial of docs/cosimulation.md is the test `tutorial`, word for word.

/// What stands in the page's fences of one language.
fn fences<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    page.split(&start).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

#[test]
fn the_blocks_of_the_page_one_after_the_other_are_the_file_that_runs() {
    let page = include_str!("../../../docs/cosimulation.md");
    let blocks = fences(page, "rust");
    assert_eq!(blocks.len(), 5, "model, RTL, back ends, attachment, run");
    let together = blocks.join("\n\n") + "\n";
    let file = include_str!("../tutorial.rs");
    let line = file.lines().zip(together.lines()).position(|(file, page)| file != page);
    assert!(
        file == together,
        "docs/cosimulation.md and tests/tutorial.rs part after line {line:?}"
    );
    let cargo = include_str!("../../Cargo.toml");
    let target = fences(page, "toml");
    assert!(target.len() == 1 && cargo.contains(target[0]), "the target is in Cargo.toml");
}
