//! The last cycles of a block as a VCD file: clock, reset, inputs, and each member's outputs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use vcd::{IdCode, TimescaleUnit, Value, Writer};

use crate::image::{bits_at, Layout};

use super::Row;

/// Time units of a cycle; the clock rises at its end, where the inputs are taken.
const PERIOD: u64 = 10;

/// Writes `rows`, oldest first, with a scope for the inputs and one for each member.
pub fn write_vcd(
    path: &Path,
    block: &str,
    members: &[&str],
    (inputs, outputs): (&Layout, &Layout),
    rows: &[Row],
) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut vcd = Writer::new(BufWriter::new(File::create(path)?));
    vcd.timescale(1, TimescaleUnit::NS)?;
    vcd.add_module(block)?;
    let clock = vcd.add_wire(1, "clk_i")?;
    let reset = vcd.add_wire(1, "rst_i")?;
    let input_ids = declare(&mut vcd, "inputs", inputs)?;
    let output_ids = members
        .iter()
        .map(|name| declare(&mut vcd, name, outputs))
        .collect::<io::Result<Vec<_>>>()?;
    vcd.upscope()?;
    vcd.enddefinitions()?;
    for row in rows {
        vcd.timestamp(row.cycle * PERIOD)?;
        vcd.change_scalar(clock, Value::V0)?;
        vcd.change_scalar(reset, row.reset)?;
        change(&mut vcd, &input_ids, inputs, &row.inputs)?;
        for (ids, image) in output_ids.iter().zip(&row.outputs) {
            change(&mut vcd, ids, outputs, image)?;
        }
        vcd.timestamp(row.cycle * PERIOD + PERIOD / 2)?;
        vcd.change_scalar(clock, Value::V1)?;
    }
    if let Some(last) = rows.last() {
        vcd.timestamp((last.cycle + 1) * PERIOD)?;
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
