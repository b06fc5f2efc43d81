//! What a block's file needs: rust-hdl, our registers, and our macros in place of rust-hdl's.

pub use crate::register::{DataReg, DataRegArray, DataSlots, Ram, Reg, RegArray};
pub use crate::{clock, comment, dff_setup, rtl_block};
pub use rust_hdl::prelude::*;
