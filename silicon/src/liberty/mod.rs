//! Standard-cell libraries: what a Liberty file says about area, function, capacitance and delay.

pub mod function;
mod library;
pub mod logical_effort;
pub mod syntax;
mod table;

pub use function::Function;
pub use library::{Arc, Cell, Edge, Kind, Library, Pin, Sense};
pub use table::Table;

/// The project's own library, written by [`logical_effort`].
pub const LANEWISE45: &str = include_str!("../../liberty/lanewise45.lib");

#[cfg(test)]
mod tests {
    #[test]
    fn the_library_file_is_what_the_rules_give() {
        assert!(
            super::LANEWISE45 == super::logical_effort::text(),
            "run `cargo run -p lanewise-silicon --bin lanewise45 > silicon/liberty/lanewise45.lib`"
        );
    }
}
