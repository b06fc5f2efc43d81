//! The reference SIMT lane, against which the cost of every other block is stated.
//!
//! One multiply-add datapath serves integers and floats; its stages are blocks of their own, in the order
//! in which an operation passes them.

pub mod addend_align;
pub mod barrel_shifter;
pub mod float_unpack;
pub mod fma_add;
pub mod fma_prepare;
pub mod int_unit;
pub mod normalise_coarse;
pub mod normalise_fine;
pub mod product_tree;
pub mod round_pack;
pub mod simt_lane;

/// Subnormal operands and results are computed as IEEE 754 says.
pub const FULL: usize = 0;

/// Subnormal operands and results become zero with their sign, as PTX's `.ftz` says.
pub const FLUSH: usize = 1;
