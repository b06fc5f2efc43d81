//! The exported text of every module is a snapshot, so that a review sees what a change does to it.

use lanewise_hw::catalogue::{entries, Library};

#[test]
fn exported_text() {
    let library = Library::shared();
    for entry in entries() {
        let module = library.module(&entry).unwrap();
        insta::assert_snapshot!(entry.name.as_str(), module.text);
    }
}
