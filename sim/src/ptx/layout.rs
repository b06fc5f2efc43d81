//! Where everything lives: the address windows, and the module's variables with their initial bytes.
//!
//! Global addresses are generic addresses; the other spaces are offsets from zero that a window maps into the
//! generic range. The windows fit 32 bits, so that 32-bit modules use the same layout.

use std::collections::HashMap;

use super::source::{PtxError, Source};
use super::syntax::{File, Init, Name, ReferenceKind, Variable};
use super::types::Space;

/// Size of each window.
pub const WINDOW_BYTES: u64 = 1 << 24;
/// Generic address of shared offset 0.
pub const SHARED_WINDOW: u64 = 0x0100_0000;
/// Generic address of local offset 0.
pub const LOCAL_WINDOW: u64 = 0x0200_0000;
/// Generic address of constant offset 0.
pub const CONST_WINDOW: u64 = 0x0300_0000;
/// Generic address of parameter offset 0.
pub const PARAM_WINDOW: u64 = 0x0400_0000;
/// The first global address; the module's own variables start here, buffers follow.
pub const GLOBAL_BASE: u64 = 0x1000_0000;

/// What to add to an address of `space` to make it generic.
pub fn window(space: Space) -> u64 {
    match space {
        Space::Generic | Space::Global => 0,
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Const => CONST_WINDOW,
        Space::Param => PARAM_WINDOW,
    }
}

/// Which space a generic address falls in.
pub fn space_of(address: u64) -> Space {
    match address & !(WINDOW_BYTES - 1) {
        SHARED_WINDOW => Space::Shared,
        LOCAL_WINDOW => Space::Local,
        CONST_WINDOW => Space::Const,
        PARAM_WINDOW => Space::Param,
        _ => Space::Global,
    }
}

/// A module-level variable with a fixed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Global or constant.
    pub space: Space,
    /// Address in that space.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// The module's variables in memory before the first launch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Image {
    /// Bytes from [`GLOBAL_BASE`].
    pub global: Vec<u8>,
    /// Bytes from constant offset 0.
    pub constant: Vec<u8>,
    /// Variables by name.
    pub variables: HashMap<String, Placed>,
    /// `.texref`, `.samplerref` and `.surfref` names, by index.
    pub references: Vec<(String, ReferenceKind)>,
}

/// All module variables together must fit here; a hostile file cannot ask for more.
const LARGEST_IMAGE: u64 = 1 << 30;

/// Places global and constant variables and computes their initial bytes.
pub fn place(source: &Source, file: &File) -> Result<Image, Box<PtxError>> {
    let mut image = Image::default();
    let (mut global, mut constant) = (GLOBAL_BASE, 0u64);
    for variable in file.variables.iter().filter(|v| !v.external) {
        let (cursor, limit) = match variable.space {
            Space::Global => (&mut global, GLOBAL_BASE + LARGEST_IMAGE),
            Space::Const => (&mut constant, WINDOW_BYTES),
            _ => continue,
        };
        let address = cursor.next_multiple_of(u64::from(variable.align));
        *cursor = address + variable.bytes;
        if *cursor > limit {
            let message = format!("no room left in {} memory", variable.space);
            return Err(at(source, variable.name, message));
        }
        let placed = Placed { space: variable.space, address, bytes: variable.bytes };
        if image.variables.insert(variable.name.text.to_string(), placed).is_some() {
            let message = format!("`{}` is defined twice", variable.name.text);
            return Err(at(source, variable.name, message));
        }
    }
    image.global = vec![0; (global - GLOBAL_BASE) as usize];
    image.constant = vec![0; constant as usize];
    for variable in file.variables.iter().filter(|v| !v.external) {
        initialise(source, variable, &mut image)?;
    }
    image.references = file.references.iter().map(|r| (r.name.text.to_string(), r.kind)).collect();
    Ok(image)
}

fn at(source: &Source, name: Name, message: String) -> Box<PtxError> {
    Box::new(source.error(name.at as usize, name.text.len(), message))
}

fn initialise(
    source: &Source,
    variable: &Variable,
    image: &mut Image,
) -> Result<(), Box<PtxError>> {
    if variable.init.is_empty() {
        return Ok(());
    }
    let Some(placed) = image.variables.get(variable.name.text).cloned() else {
        let message = format!("{} variables cannot have initial values", variable.space);
        return Err(at(source, variable.name, message));
    };
    let element = variable.ty.bytes() as usize;
    for (i, init) in variable.init.iter().enumerate() {
        let bits = match *init {
            Init::Bits(bits) => bits,
            Init::Address { symbol, offset, generic, mask } => {
                let Some(target) = image.variables.get(symbol.text) else {
                    let message = format!("`{}` is not a variable of this file", symbol.text);
                    return Err(at(source, symbol, message));
                };
                let base = target.address + if generic { window(target.space) } else { 0 };
                let address = base.wrapping_add_signed(offset);
                match mask {
                    None => address,
                    Some(0) => 0,
                    Some(mask) => (address & mask) >> mask.trailing_zeros(),
                }
            }
        };
        let (bytes, base) = match placed.space {
            Space::Global => (&mut image.global, GLOBAL_BASE),
            _ => (&mut image.constant, 0),
        };
        let start = (placed.address - base) as usize + i * element;
        bytes[start..start + element].copy_from_slice(&bits.to_le_bytes()[..element]);
    }
    Ok(())
}
