//! Exports the catalogue as Verilog.

fn main() {}
