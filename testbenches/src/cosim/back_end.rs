//! What stands behind a unit.

use std::str::FromStr;

/// The ways to run a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackEnd {
    /// The golden model.
    #[default]
    Model,
    /// The rust-hdl block, stepped in process.
    Rtl,
    /// The exported Verilog, built with Verilator.
    Verilated,
    /// Model and verilated Verilog, compared every cycle.
    Lockstep,
    /// Model, stepped rust-hdl and verilated Verilog, compared every cycle.
    LockstepAll,
}

impl BackEnd {
    /// Every back end.
    pub const ALL: [BackEnd; 5] =
        [BackEnd::Model, BackEnd::Rtl, BackEnd::Verilated, BackEnd::Lockstep, BackEnd::LockstepAll];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BackEnd::Model => "model",
            BackEnd::Rtl => "rtl",
            BackEnd::Verilated => "verilated",
            BackEnd::Lockstep => "lockstep",
            BackEnd::LockstepAll => "lockstep-all",
        }
    }

    /// Whether Verilog is in it.
    pub fn has_verilog(self) -> bool {
        matches!(self, BackEnd::Verilated | BackEnd::Lockstep | BackEnd::LockstepAll)
    }
}

impl FromStr for BackEnd {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|back_end| back_end.name() == text);
        let names = Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("there is no back end `{text}`; there are {names}"))
    }
}
