//! The modifiers of one instruction, taken one by one; what nobody takes is an error.

use super::{Lower, Result};
use crate::ptx::ir::Round;
use crate::ptx::syntax::Instruction;
use crate::ptx::types::Type;

pub(super) struct Modifiers<'a> {
    left: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub(super) fn new(i: &Instruction<'a>) -> Self {
        Modifiers { left: i.modifiers.clone() }
    }

    /// Takes a modifier if it is there.
    pub(super) fn take(&mut self, modifier: &str) -> bool {
        let found = self.left.iter().position(|m| *m == modifier);
        found.map(|at| self.left.remove(at)).is_some()
    }

    /// Takes the first modifier of a table and returns what it stands for.
    pub(super) fn take_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table.iter().find(|(name, _)| self.take(name)).map(|&(_, value)| value)
    }

    /// Takes every modifier that `hint` accepts: those that do not change results here.
    pub(super) fn drop_hints(&mut self, hint: impl Fn(&str) -> bool) {
        self.left.retain(|m| !hint(m));
    }

    /// Takes the first type.
    pub(super) fn take_type(&mut self) -> Option<Type> {
        let at = self.left.iter().position(|m| Type::parse(m).is_some())?;
        Type::parse(self.left.remove(at))
    }

    /// Takes `.rn`, `.rz`, `.rm` or `.rp`.
    pub(super) fn take_round(&mut self) -> Option<Round> {
        self.take_of(&[
            (".rn", Round::Nearest),
            (".rz", Round::Zero),
            (".rm", Round::Down),
            (".rp", Round::Up),
        ])
    }
}

impl<'a> Lower<'a> {
    /// The type of an instruction that must have one.
    pub(super) fn type_of(&self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<Type> {
        m.take_type().ok_or_else(|| self.unsupported(i))
    }

    /// Complains about modifiers nobody took.
    pub(super) fn no_more(&self, i: &Instruction<'a>, m: &Modifiers<'a>) -> Result<()> {
        match m.left.first() {
            None => Ok(()),
            Some(left) => {
                let help = format!("`{}` does not take `{left}` here", i.opcode.text);
                Err(self.unsupported(i).with_help(help))
            }
        }
    }
}
