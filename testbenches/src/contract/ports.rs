//! One port list in four places: the field table, `rtl_block!`, the packed words, the Verilog.

use lanewise_sim::units::{Direction, Io};

use super::{Failure, Subject};
use crate::verilated::{ports, VerilogPort};

/// Names, widths, order and directions agree; `from` and `valid_by` name fields that exist.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    let fail = |message: String| Err(subject.failure("ports", message));
    let info = (subject.build)().info();
    let names = |input| -> Vec<&str> {
        info.ports.iter().filter(|port| port.input == input).map(|port| port.name).collect()
    };
    let table = |fields: &[lanewise_sim::units::Field]| -> Vec<&str> {
        fields.iter().map(|field| field.name).collect()
    };
    let (inputs, outputs) = (I::fields(), O::fields());
    for (side, table, block) in
        [("inputs", table(&inputs), names(true)), ("outputs", table(&outputs), names(false))]
    {
        if table != block {
            return fail(format!(
                "{side} of the field table are {table:?}, of rtl_block! {block:?}"
            ));
        }
    }
    for field in &outputs {
        if let Some(unknown) = field.from.iter().find(|name| !table(&inputs).contains(name)) {
            return fail(format!("output {} depends on {unknown}, which is no input", field.name));
        }
    }

    let port = |name: String, bits, direction| VerilogPort { name, bits, direction };
    let mut expected = Vec::new();
    if info.clocked {
        expected.push(port("clk_i".into(), 1, Direction::In));
        expected.push(port("rst_i".into(), 1, Direction::In));
    }
    for listed in info.ports {
        let (fields, suffix, direction) = match listed.input {
            true => (&inputs, "i", Direction::In),
            false => (&outputs, "o", Direction::Out),
        };
        let bits = fields.iter().find(|field| field.name == listed.name).map_or(0, |f| f.bits());
        expected.push(port(format!("{}_{suffix}", listed.name), bits, direction));
    }
    let found = ports(&subject.modules).map_err(|error| subject.failure("ports", error))?;
    let show = |ports: &[VerilogPort]| {
        let lines = ports.iter().map(|p| format!("\n  {:?} {} [{}]", p.direction, p.name, p.bits));
        lines.collect::<String>()
    };
    if found != expected {
        return fail(format!(
            "the Verilog has the ports{}\nbut field table and rtl_block! make them{}",
            show(&found),
            show(&expected)
        ));
    }
    Ok(())
}
