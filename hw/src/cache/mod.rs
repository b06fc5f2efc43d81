//! Power-aware caches: drowsy regions and divided word lines.

pub mod drowsy_regions;
pub mod dwl_gate;
