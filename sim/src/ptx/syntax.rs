//! PTX as it is written: declarations, statements and operands with their places, names unresolved.

use super::types::{Space, Type};

/// A name or piece of text and the byte offset where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    /// The text.
    pub text: &'a str,
    /// Byte offset of its first character.
    pub at: u32,
}

/// A whole file.
#[derive(Debug, Default)]
pub struct File<'a> {
    /// Pointer width in bits: 32 or 64.
    pub address_bits: u32,
    /// Module-level variables.
    pub variables: Vec<Variable<'a>>,
    /// Module-level texture, surface and sampler references.
    pub references: Vec<Reference<'a>>,
    /// Kernels and functions, declarations included.
    pub functions: Vec<Function<'a>>,
}

/// What an opaque reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `.texref`
    Texture,
    /// `.samplerref`
    Sampler,
    /// `.surfref`
    Surface,
}

/// `.global .texref name;`
#[derive(Debug)]
pub struct Reference<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// What it refers to.
    pub kind: ReferenceKind,
}

/// A variable in memory.
#[derive(Debug)]
pub struct Variable<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// Where it lives.
    pub space: Space,
    /// Element type.
    pub ty: Type,
    /// Total size in bytes; 0 for an `.extern` array without a bound.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Initial elements from the start; the rest is zero.
    pub init: Vec<Init<'a>>,
    /// Declared `.extern`: defined elsewhere, or sized at launch when shared.
    pub external: bool,
}

/// One initial element.
#[derive(Debug, Clone, Copy)]
pub enum Init<'a> {
    /// The bits of a number, already of the element's type.
    Bits(u64),
    /// The address of another variable plus an offset; `mask` selects and shifts down its bytes.
    Address {
        /// Which variable.
        symbol: Name<'a>,
        /// Added to its address.
        offset: i64,
        /// `generic(symbol)`: the generic address is meant.
        generic: bool,
        /// `0xFF00(symbol)`: which byte is meant.
        mask: Option<u64>,
    },
}

/// `.entry` or `.func`.
#[derive(Debug)]
pub struct Function<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// `.entry`: can be launched.
    pub entry: bool,
    /// Return values, of functions only.
    pub returns: Vec<Parameter<'a>>,
    /// Parameters.
    pub parameters: Vec<Parameter<'a>>,
    /// `None` for a declaration.
    pub body: Option<Vec<Statement<'a>>>,
    /// `.maxntid` or `.reqntid`: the most threads a block may have.
    pub max_threads: Option<u64>,
}

/// A formal parameter or return value.
#[derive(Debug)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// How it is passed.
    pub kind: ParameterKind,
    /// Element type.
    pub ty: Type,
    /// Size in bytes.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u32,
}

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// In `.param` space.
    Memory,
    /// In a register.
    Register,
    /// A texture, sampler or surface handle.
    Reference(ReferenceKind),
}

/// One statement of a body.
#[derive(Debug)]
pub enum Statement<'a> {
    /// `.reg .b32 %r<5>, %x;`
    Registers {
        /// Type of each.
        ty: Type,
        /// 1, or 2 or 4 for a vector.
        lanes: u32,
        /// Names; with a count, `name0` to `name(count-1)`.
        names: Vec<(Name<'a>, Option<u32>)>,
    },
    /// A variable in memory.
    Variable(Variable<'a>),
    /// `name:`
    Label(Name<'a>),
    /// `{ ... }`, a scope of its own.
    Block(Vec<Statement<'a>>),
    /// An instruction.
    Instruction(Instruction<'a>),
}

/// An instruction as written.
#[derive(Debug)]
pub struct Instruction<'a> {
    /// `@p` or `@!p`: the predicate and whether it is negated.
    pub guard: Option<(Name<'a>, bool)>,
    /// The first word.
    pub opcode: Name<'a>,
    /// What follows it, dots included.
    pub modifiers: Vec<&'a str>,
    /// Comma-separated operands.
    pub operands: Vec<Operand<'a>>,
    /// Byte offset after the last operand.
    pub end: u32,
}

impl Instruction<'_> {
    /// Opcode and modifiers in one string.
    pub fn mnemonic(&self) -> String {
        self.opcode.text.to_string() + &self.modifiers.concat()
    }
}

/// An operand as written.
#[derive(Debug)]
pub struct Operand<'a> {
    /// What it is.
    pub kind: OperandKind<'a>,
    /// Byte offset of its first character.
    pub at: u32,
}

/// The forms of an operand.
#[derive(Debug)]
pub enum OperandKind<'a> {
    /// A register, variable, label or function; `member` of `%tid.x` or a vector register.
    Name {
        /// The name.
        name: &'a str,
        /// `.x`, `.y`, `.z`, `.w`, without the dot.
        member: Option<&'a str>,
        /// `symbol+4`.
        offset: i64,
    },
    /// `!p`
    Not(&'a str),
    /// An integer, sign already applied.
    Int(i64),
    /// The bits of a single.
    F32(u32),
    /// The bits of a double.
    F64(u64),
    /// `_`
    Sink,
    /// `a|b`: two results.
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `[base+offset]`
    Address {
        /// Register, variable or nothing (an absolute address).
        base: Option<Name<'a>>,
        /// Added to it.
        offset: i64,
    },
    /// `[tex, {x, y}]` or `[tex, sampler, {x, y}]`
    Texel {
        /// Texture name or handle register.
        texture: Name<'a>,
        /// Sampler name or handle register.
        sampler: Option<Name<'a>>,
        /// Coordinates.
        coordinates: Vec<Operand<'a>>,
    },
    /// `(a, b)` of a call.
    List(Vec<Operand<'a>>),
}
