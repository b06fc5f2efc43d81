//! The last cycles of a block as a VCD file: clock, reset, inputs, and each member's outputs.

use std::io::{self, Write};
use std::path::Path;

use lanewise_files::whole;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

use crate::image::{bits_at, Layout};

use super::Row;

/// Time units of a cycle; the clock rises in its middle, where the inputs are taken.
const PERIOD: u64 = 10;
/// A reset takes no cycle: it has so many time units after the edge before.
const RESET: u64 = 4;

impl Row {
    /// When the row begins.
    fn begin(&self) -> u64 {
        let before = if self.reset { RESET } else { 0 };
        self.cycle * PERIOD - before
    }

    /// From there to its clock edge.
    fn to_edge(&self) -> u64 {
        if self.reset {
            RESET / 2
        } else {
            PERIOD / 2
        }
    }
}

/// One block's rows, oldest first, with a scope for the inputs and one for each member.
pub struct VcdScope<'a> {
    /// The name of the scope.
    pub name: &'a str,
    /// Back ends, as many as a row has images.
    pub members: Vec<&'a str>,
    /// Inputs and outputs.
    pub layouts: (&'a Layout, &'a Layout),
    /// What happened.
    pub rows: &'a [Row],
}

/// The variables of one scope.
struct Declared {
    clock: IdCode,
    reset: IdCode,
    inputs: Vec<Vec<IdCode>>,
    outputs: Vec<Vec<Vec<IdCode>>>,
}

/// Writes blocks side by side, in a file that is whole or not there; a row is a clock edge.
///
/// The error names the file.
pub fn write_vcd(path: &Path, scopes: &[VcdScope]) -> Result<(), String> {
    whole(path, |out| write(out, scopes))
}

fn write(out: &mut dyn Write, scopes: &[VcdScope]) -> io::Result<()> {
    let mut vcd = Writer::new(out);
    vcd.timescale(1, TimescaleUnit::NS)?;
    let mut declared = Vec::new();
    for scope in scopes {
        vcd.add_module(scope.name)?;
        let (inputs, outputs) = scope.layouts;
        declared.push(Declared {
            clock: vcd.add_wire(1, "clk_i")?,
            reset: vcd.add_wire(1, "rst_i")?,
            inputs: declare(&mut vcd, "inputs", inputs)?,
            outputs: (scope.members.iter())
                .map(|name| declare(&mut vcd, name, outputs))
                .collect::<io::Result<_>>()?,
        });
        vcd.upscope()?;
    }
    vcd.enddefinitions()?;
    // Rows of all scopes by time: a VCD file goes forward only. A reset before the first cycle says nothing: that
    // is the state in which a unit is made.
    let mut order: Vec<(u64, usize, &Row)> = (scopes.iter().enumerate())
        .flat_map(|(s, scope)| scope.rows.iter().map(move |row| (s, row)))
        .filter(|(_, row)| row.cycle > 0 || !row.reset)
        .map(|(s, row)| (row.begin(), s, row))
        .collect();
    order.sort_by_key(|&(begin, s, _)| (begin, s));
    for together in order.chunk_by(|a, b| a.0 == b.0) {
        let (begin, _, first) = together[0];
        vcd.timestamp(begin)?;
        for &(_, s, row) in together {
            let (scope, ids) = (&scopes[s], &declared[s]);
            vcd.change_scalar(ids.clock, Value::V0)?;
            vcd.change_scalar(ids.reset, row.reset)?;
            change(&mut vcd, &ids.inputs, scope.layouts.0, &row.inputs)?;
            for (ids, image) in ids.outputs.iter().zip(&row.outputs) {
                change(&mut vcd, ids, scope.layouts.1, image)?;
            }
        }
        vcd.timestamp(begin + first.to_edge())?;
        for &(_, s, _) in together {
            vcd.change_scalar(declared[s].clock, Value::V1)?;
        }
    }
    if let Some((begin, ..)) = order.last() {
        vcd.timestamp(begin + PERIOD)?;
    }
    vcd.flush()
}

/// One variable for each element, so that a viewer shows lanes as numbers.
fn declare<W: Write>(
    vcd: &mut Writer<W>,
    scope: &str,
    layout: &Layout,
) -> io::Result<Vec<Vec<IdCode>>> {
    vcd.add_module(scope)?;
    let mut ids = Vec::new();
    for field in layout.fields() {
        let element = |vcd: &mut Writer<W>, index: usize| {
            let width = field.width as u32;
            match field.count {
                1 => vcd.add_wire(width, field.name),
                _ => vcd.add_wire(width, &format!("{}_{index}", field.name)),
            }
        };
        ids.push((0..field.count).map(|index| element(vcd, index)).collect::<io::Result<_>>()?);
    }
    vcd.upscope()?;
    Ok(ids)
}

fn change<W: Write>(
    vcd: &mut Writer<W>,
    ids: &[Vec<IdCode>],
    layout: &Layout,
    image: &[u32],
) -> io::Result<()> {
    for (index, (field, ids)) in layout.fields().iter().zip(ids).enumerate() {
        let words = layout.field(index, image);
        for (element, id) in ids.iter().enumerate() {
            let bit = |bit| Value::from(bits_at(words, element * field.width + bit, 1) != 0);
            vcd.change_vector(*id, (0..field.width).rev().map(bit))?;
        }
    }
    Ok(())
}
