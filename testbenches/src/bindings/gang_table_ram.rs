//! `gang_table_ram`: the same life as `gang_table`, with the program counters in RAM.

use lanewise_sim::units::gang_table_ram::{GangTableRam, In, Out};

use super::gang_table::stimulus;
use crate::contract::Binding;

/// The block and how to try it.
pub fn binding() -> Binding<In<32, 5, 32>, Out<32, 5, 32>> {
    Binding::of::<GangTableRam<32, 5, 32>>("gang_table_ram", stimulus::<32, 5, 32>)
}
