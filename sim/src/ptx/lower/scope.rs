//! What names mean: registers, variables, labels, and the scopes that hold them.

use std::collections::HashMap;

use super::{Lower, Result};
use crate::ptx::ir::{Axis, Class, Reg, Special};
use crate::ptx::syntax::{Name, Variable};
use crate::ptx::types::{Space, Type};

/// Registers declared together as `%r<100>`; rows are given out on first use.
pub(super) struct Family {
    ty: Type,
    lanes: u32,
    count: u32,
    used: HashMap<u32, [Reg; 4]>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    /// `lanes` registers of a type.
    Registers { ty: Type, lanes: u32, regs: [Reg; 4] },
    /// A variable or parameter in memory.
    Memory { space: Space, address: u64 },
    /// An `.extern .shared` array: starts where static shared memory ends.
    DynamicShared,
    /// A module-level texture or sampler, by index.
    Reference(u32),
}

#[derive(Default)]
pub(super) struct Scope<'a> {
    symbols: HashMap<&'a str, Symbol>,
    families: HashMap<&'a str, Family>,
    labels: HashMap<&'a str, u32>,
}

pub(super) fn class_of(ty: Type) -> Class {
    match ty.bits() {
        1 => Class::Pred,
        64 => Class::Long,
        _ => Class::Word,
    }
}

/// `%r12` as (`%r`, 12), when the number is written as PTX writes it.
fn split_number(name: &str) -> Option<(&str, u32)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (prefix, number) = name.split_at(name.len() - digits);
    if digits == 0 || (digits > 1 && number.starts_with('0')) {
        return None;
    }
    Some((prefix, number.parse().ok()?))
}

impl<'a> Lower<'a> {
    pub(super) fn declare(
        &self,
        scope: &mut Scope<'a>,
        name: Name<'a>,
        symbol: Symbol,
    ) -> Result<()> {
        if scope.symbols.insert(name.text, symbol).is_some() {
            return Err(self.error(name, format!("`{}` is declared twice", name.text)));
        }
        Ok(())
    }

    /// Declares in the innermost scope.
    pub(super) fn declare_here(&mut self, name: Name<'a>, symbol: Symbol) -> Result<()> {
        let mut scope = self.scopes.pop().unwrap_or_default();
        let result = self.declare(&mut scope, name, symbol);
        self.scopes.push(scope);
        result
    }

    pub(super) fn declare_registers(
        &mut self,
        ty: Type,
        lanes: u32,
        names: &[(Name<'a>, Option<u32>)],
    ) -> Result<()> {
        for &(name, count) in names {
            match count {
                None => {
                    let regs = self.alloc_lanes(ty, lanes);
                    self.declare_here(name, Symbol::Registers { ty, lanes, regs })?;
                }
                Some(count) => {
                    let family = Family { ty, lanes, count, used: HashMap::new() };
                    let scope = self.scopes.last_mut();
                    let old = scope.and_then(|s| s.families.insert(name.text, family));
                    if old.is_some() {
                        let message = format!("`{}<...>` is declared twice", name.text);
                        return Err(self.error(name, message));
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn alloc_lanes(&mut self, ty: Type, lanes: u32) -> [Reg; 4] {
        let class = class_of(ty);
        let mut regs = [self.alloc(class); 4];
        for reg in regs.iter_mut().take(lanes as usize).skip(1) {
            *reg = self.alloc(class);
        }
        regs
    }

    /// Declares a label of the innermost scope, before the code that may jump to it.
    pub(super) fn declare_label(&mut self, name: Name<'a>) -> Result<()> {
        let id = self.new_label();
        let scope = self.scopes.last_mut();
        if scope.and_then(|s| s.labels.insert(name.text, id)).is_some() {
            return Err(self.error(name, format!("the label `{}` stands twice", name.text)));
        }
        Ok(())
    }

    pub(super) fn new_label(&mut self) -> u32 {
        self.labels.push(None);
        self.labels.len() as u32 - 1
    }

    /// The label of this name, or `None`.
    pub(super) fn find_label(&self, name: &str) -> Option<u32> {
        self.scopes.iter().rev().find_map(|s| s.labels.get(name).copied())
    }

    /// What a name means here, or `None`.
    pub(super) fn find(&mut self, name: &str) -> Option<Symbol> {
        let numbered = split_number(name);
        for at in (0..self.scopes.len()).rev() {
            let scope = &self.scopes[at];
            if let Some(&symbol) = scope.symbols.get(name) {
                return Some(symbol);
            }
            let Some((prefix, number)) = numbered else {
                continue;
            };
            let Some(family) = scope.families.get(prefix) else {
                continue;
            };
            let (ty, lanes) = (family.ty, family.lanes);
            if number >= family.count {
                continue;
            }
            if let Some(&regs) = family.used.get(&number) {
                return Some(Symbol::Registers { ty, lanes, regs });
            }
            let regs = self.alloc_lanes(ty, lanes);
            if let Some(family) = self.scopes[at].families.get_mut(prefix) {
                family.used.insert(number, regs);
            }
            return Some(Symbol::Registers { ty, lanes, regs });
        }
        self.find_in_module(name)
    }

    fn find_in_module(&mut self, name: &str) -> Option<Symbol> {
        if let Some(placed) = self.context.image.variables.get(name) {
            return Some(Symbol::Memory { space: placed.space, address: placed.address });
        }
        if let Some(&variable) = self.context.shared.get(name) {
            return Some(self.place_shared(variable));
        }
        let references = &self.context.image.references;
        references.iter().position(|r| r.0 == name).map(|at| Symbol::Reference(at as u32))
    }

    /// Gives a shared variable its place in this kernel on first use.
    pub(super) fn place_shared(&mut self, variable: &'a Variable<'a>) -> Symbol {
        if variable.external || variable.bytes == 0 {
            self.dynamic_align = self.dynamic_align.max(variable.align);
            return Symbol::DynamicShared;
        }
        let bytes = &mut self.shared_bytes;
        let offset = *self.shared_offsets.entry(variable.name.text).or_insert_with(|| {
            let offset = bytes.next_multiple_of(variable.align);
            *bytes = offset.saturating_add(variable.bytes as u32);
            offset
        });
        Symbol::Memory { space: Space::Shared, address: u64::from(offset) }
    }

    /// The row that holds a special register, or `None` when the name is not one.
    pub(super) fn special(&mut self, name: &str, member: Option<&str>) -> Option<Reg> {
        let axis = || {
            Some(match member? {
                "x" => Axis::X,
                "y" => Axis::Y,
                "z" => Axis::Z,
                _ => return None,
            })
        };
        let special = match name {
            "%tid" => Special::Tid(axis()?),
            "%ntid" => Special::Ntid(axis()?),
            "%ctaid" => Special::Ctaid(axis()?),
            "%nctaid" => Special::Nctaid(axis()?),
            "%laneid" => Special::Laneid,
            "%warpid" => Special::Warpid,
            "%nwarpid" => Special::Nwarpid,
            "%smid" => Special::Smid,
            "%nsmid" => Special::Nsmid,
            "%gridid" => Special::Gridid,
            "%lanemask_eq" => Special::LanemaskEq,
            "%lanemask_le" => Special::LanemaskLe,
            "%lanemask_lt" => Special::LanemaskLt,
            "%lanemask_ge" => Special::LanemaskGe,
            "%lanemask_gt" => Special::LanemaskGt,
            "%dynamic_smem_size" => Special::DynamicSmemSize,
            "%total_smem_size" => Special::TotalSmemSize,
            _ if name.strip_prefix("%envreg").is_some_and(|n| n.parse::<u8>().is_ok()) => {
                Special::Zero
            }
            _ => return None,
        };
        if let Some(&(_, reg)) = self.specials.iter().find(|(known, _)| *known == special) {
            return Some(reg);
        }
        let reg = self.alloc(Class::Word);
        self.specials.push((special, reg));
        Some(reg)
    }
}
