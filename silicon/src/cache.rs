//! Where finished netlists are kept, so that a second run is quick.

pub use lanewise_files::Cache;

/// The project's: `target/silicon`.
pub fn standard() -> Cache {
    Cache::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/silicon"))
}
