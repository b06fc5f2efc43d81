//! The two ways to move lanes within a cluster, as a const generic that every lane block shares.
//!
//! The cluster blocks write their logic once a variant, under a trait each; the blocks above them only
//! pass the constant on. A trait a variant is needed because `#[hdl_gen]` writes `connect` and `hdl`
//! beside each `update`, and a type can hold only one of each name. Name the traits by path: brought
//! into scope, they would compete with `Logic` in what `#[derive(LogicBlock)]` writes.

use rust_hdl::prelude::Verilog;

/// The k-th active lane of a cluster moves to lane k. Fits every mask into the fewest lanes.
pub const COMPACT: usize = 0;

/// Lanes 2 and 3 move to lanes 0 and 1 if those are idle; nothing else moves. One 2:1 multiplexer on
/// two of four lanes, all that folding full warps needs.
pub const FOLD: usize = 1;

/// The logic of a block in variant [`COMPACT`]: rust-hdl's `Logic` under another name.
pub(super) trait Compact {
    fn update(&mut self);
    fn connect(&mut self);
    fn hdl(&self) -> Verilog;
}

/// The logic of a block in variant [`FOLD`].
pub(super) trait Fold {
    fn update(&mut self);
    fn connect(&mut self);
    fn hdl(&self) -> Verilog;
}

/// Lets the const generic of a cluster block choose between its [`Compact`] and its [`Fold`] logic.
macro_rules! logic_by_variant {
    ($block:ident) => {
        impl<const VARIANT: usize, const W: usize> Logic for $block<VARIANT, W> {
            fn update(&mut self) {
                logic_by_variant!(@choose self.update())
            }
            fn connect(&mut self) {
                logic_by_variant!(@choose self.connect())
            }
            fn hdl(&self) -> Verilog {
                logic_by_variant!(@choose self.hdl())
            }
        }
    };
    (@choose $block:ident.$function:ident()) => {
        match VARIANT {
            $crate::lanes::variant::COMPACT => $crate::lanes::variant::Compact::$function($block),
            $crate::lanes::variant::FOLD => $crate::lanes::variant::Fold::$function($block),
            _ => panic!("there is no lane variant {VARIANT}: use COMPACT or FOLD"),
        }
    };
}

pub(super) use logic_by_variant;
