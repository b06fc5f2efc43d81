//! Turns rust-hdl's syntax tree into statements with resolved names and explicit widths.
//!
//! Verilog sizes an expression by its context, Rust by its operands. Here every literal takes the width
//! of what it meets and every operand must have the width Rust gave it, so that no context can widen
//! anything; what would need widening inside an expression is refused.

use super::affine::Affine;
use super::expr::{Expr, Op, Place, Reduce, Stmt};
use super::reference::resolve;
use super::signal::{Role, Table};
use super::tree::Scope;
use super::{Error, Known};
use rust_hdl::core::ast::{
    Verilog, VerilogBlockOrConditional, VerilogCase, VerilogExpression as Ast, VerilogLiteral,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};

/// A module with its logic, ready to be checked.
pub struct Lowered {
    pub table: Table,
    pub statements: Vec<Stmt>,
}

/// Lowers the logic of a scope.
pub fn lower(module: &str, scope: &Scope, known: &Known) -> Result<Lowered> {
    let table = Table::of(module, scope, known)?;
    let Verilog::Combinatorial(block) = &scope.hdl else {
        return Err(table.error(
            "no #[hdl_gen] logic".into(),
            "impl Logic".into(),
            "write update() under #[hdl_gen]",
        ));
    };
    let mut lowering = Lowering { table: &table, loops: vec![], place: String::new() };
    let statements = lowering.block(block)?;
    Ok(Lowered { table, statements })
}

struct Lowering<'a> {
    table: &'a Table,
    loops: Vec<String>,
    /// What is being assigned, for errors.
    place: String,
}

type Result<T> = std::result::Result<T, Error>;

impl Lowering<'_> {
    fn refuse<T>(&self, what: impl Into<String>, remedy: &'static str) -> Result<T> {
        let place =
            if self.place.is_empty() { "update()".into() } else { format!("at {}", self.place) };
        Err(self.table.error(what.into(), place, remedy))
    }

    fn block(&mut self, block: &[VerilogStatement]) -> Result<Vec<Stmt>> {
        let mut statements = vec![];
        for statement in block {
            self.statement(statement, &mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Stmt>) -> Result<()> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                out.extend(self.assignment(target, value)?)
            }
            VerilogStatement::Macro(inner) => out.extend(self.block(inner)?),
            VerilogStatement::Comment(text) => {
                out.push(Stmt::Comment(remark_of(text)));
            }
            VerilogStatement::If(c) => {
                self.place = "if".into();
                let test = self.expr(&c.test, Some(1))?;
                let then = self.block(&c.then)?;
                let otherwise = match &c.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.block(block)?,
                    VerilogBlockOrConditional::Conditional(nested) => {
                        let mut inner = vec![];
                        self.statement(nested, &mut inner)?;
                        inner
                    }
                    VerilogBlockOrConditional::None => vec![],
                };
                out.push(Stmt::If { test, then, otherwise });
            }
            VerilogStatement::Match(m) => {
                self.place = "match".into();
                let Some(width) = self.width_of(&m.test)? else {
                    return self.refuse("match on a literal", "match on a signal");
                };
                let test = self.expr(&m.test, None)?;
                let arms = m.cases.iter().map(|c| self.arm(c, width)).collect::<Result<_>>()?;
                out.push(Stmt::Case { test, arms });
            }
            VerilogStatement::Loop(l) => {
                let (from, to) = (l.from.as_usize() as i64, l.to.as_usize() as i64);
                self.loops.push(l.index.clone());
                let body = self.block(&l.block);
                self.loops.pop();
                out.push(Stmt::Loop { variable: l.index.clone(), from, to, body: body? });
            }
            VerilogStatement::SliceAssignment { .. } => {
                return self.refuse("assignment to a struct field", "use an array of signals");
            }
            VerilogStatement::Link(_) => {
                return self.refuse("a link or join", "assign each signal by itself");
            }
        }
        Ok(())
    }

    fn arm(&mut self, case: &VerilogCase, width: usize) -> Result<super::expr::Arm> {
        let value = match case.condition.trim() {
            "default" | "_" => None,
            text => match text.replace('_', "").parse::<u128>() {
                Ok(value) => Some(self.literal_of(value, Some(width))?),
                Err(_) => {
                    return self
                        .refuse(format!("match arm `{text}`"), "use decimal literals and `_`")
                }
            },
        };
        Ok((value, self.block(&case.block)?))
    }

    /// None for the wiring of a clock or reset, which the emitter does itself.
    fn assignment(&mut self, target: &Ast, value: &Ast) -> Result<Option<Stmt>> {
        let Ast::Signal(path) = target else {
            return self.refuse("assignment to an expression", "assign to a signal's `.next`");
        };
        self.place = path.trim_end_matches("$next").replace('$', ".");
        let mut place = resolve(self.table, path, &self.loops, &self.place)?;
        let signal = &self.table.signals[place.signal];
        if signal.role == Role::ClockOrReset {
            return match value {
                Ast::Signal(source) if source == "clock" || source == "reset" => Ok(None),
                _ => self.refuse(
                    "a clock or reset that is not the block's own",
                    "wire `clock` and `reset` through dff_setup! or clock!",
                ),
            };
        }
        if !signal.is_driven_here() {
            return self.refuse("assignment to what this block does not drive", "assign elsewhere");
        }
        let value = match strip(value) {
            Ast::IndexReplace(base, index, bit) => {
                let same = matches!(strip(base), Ast::Signal(base)
                    if resolve(self.table, base, &self.loops, &self.place)? == place);
                if !same {
                    return self.refuse(
                        "replace_bit on another signal",
                        "write x.next = x.val().replace_bit(i, v) after assigning x",
                    );
                }
                self.not_read_back(&place)?;
                place = self.bit_of(place, index)?;
                self.expr(bit, Some(1))?
            }
            value => self.expr(value, Some(place.width))?,
        };
        if value.width() != place.width {
            return self.refuse(
                format!("{} bits assigned to {}", value.width(), place.width),
                "use bit_cast to change a width",
            );
        }
        Ok(Some(Stmt::Assign { target: place, value }))
    }

    /// An input of a child reads as it was before this `update`, in Verilog as it is after.
    fn not_read_back(&self, place: &Place) -> Result<()> {
        match self.table.signals[place.signal].role {
            Role::RegisterNext | Role::ChildInput(_) => self.refuse(
                "reading back the input of a register or child",
                "build the value in a Local and assign it once",
            ),
            _ => Ok(()),
        }
    }

    /// The bit of `place` at `index`, which is loop arithmetic or a signal that cannot overrun.
    fn bit_of(&mut self, mut place: Place, index: &Ast) -> Result<Place> {
        if place.dynamic.is_some() {
            return self.refuse("a bit of a bit", "go through a Local");
        }
        let limit = place.width;
        place.width = 1;
        if let Some(index) = self.affine(index) {
            place.offset = place.offset.plus(&index, 1);
            place.bounds.push((index, limit));
            return Ok(place);
        }
        let index = self.expr(index, None)?;
        if index.width() > 20 || 1 << index.width() > limit {
            return self.refuse(
                format!("a {}-bit index into {limit} bits", index.width()),
                "an index that can overrun has no defined result: loop and compare",
            );
        }
        place.dynamic = Some(Box::new(index));
        Ok(place)
    }

    /// Index arithmetic, if the expression is only that.
    fn affine(&self, e: &Ast) -> Option<Affine> {
        match strip(e) {
            Ast::Signal(name) if self.loops.contains(name) => Some(Affine::variable(name)),
            Ast::Literal(literal) => Some(Affine::constant(value_of(literal)?.try_into().ok()?)),
            Ast::Binary(l, op, r) => {
                let (l, r) = (self.affine(l)?, self.affine(r)?);
                match op {
                    VerilogOp::Add => Some(l.plus(&r, 1)),
                    VerilogOp::Sub => Some(l.plus(&r, -1)),
                    VerilogOp::Mul => match (l.as_constant(), r.as_constant()) {
                        (Some(k), _) => Some(r.times(k)),
                        (_, Some(k)) => Some(l.times(k)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The width Rust's types give the expression; none for a literal or a loop variable.
    fn width_of(&self, e: &Ast) -> Result<Option<usize>> {
        Ok(match strip(e) {
            Ast::Signal(name) if self.loops.contains(name) => None,
            Ast::Signal(path) => Some(resolve(self.table, path, &self.loops, &self.place)?.width),
            Ast::Literal(_) => None,
            Ast::Cast(_, width) | Ast::Slice(_, width, _) => Some(*width),
            Ast::Index(..) => Some(1),
            Ast::Unary(VerilogOpUnary::Not, inner) => self.width_of(inner)?,
            Ast::Unary(..) => Some(1),
            Ast::Binary(_, op, _) if binary(op).is_some_and(is_truth) => Some(1),
            Ast::Binary(l, VerilogOp::Shl | VerilogOp::Shr, _) => self.width_of(l)?,
            Ast::Binary(_, VerilogOp::Mul, _) => Some(32),
            Ast::Binary(l, _, r) => match self.width_of(l)? {
                Some(width) => Some(width),
                None => self.width_of(r)?,
            },
            _ => return self.refuse("an expression without a width", "go through a Local"),
        })
    }

    fn literal_of(&self, value: u128, want: Option<usize>) -> Result<Expr> {
        let Some(width) = want else {
            return self.refuse(
                format!("the literal {value} has no width here"),
                "write bits::<N>(..) or compare it with a signal",
            );
        };
        if width < 128 && value >> width != 0 {
            return self.refuse(format!("{value} does not fit {width} bits"), "widen the signal");
        }
        Ok(Expr::Literal { value, width })
    }

    /// Lowers an expression; `want` is the width for literals that have none of their own.
    fn expr(&mut self, e: &Ast, want: Option<usize>) -> Result<Expr> {
        match strip(e) {
            Ast::Literal(literal) => match value_of(literal) {
                Some(value) => self.literal_of(value, want),
                None => self.refuse("a negative or over-long literal", "use at most 128 bits"),
            },
            Ast::Signal(name) if self.loops.contains(name) => match want {
                Some(width) => Ok(Expr::Counter { index: Affine::variable(name), width }),
                None => self.refuse("a loop variable has no width here", "write bits::<N>(..)"),
            },
            Ast::Signal(path) => {
                let place = resolve(self.table, path, &self.loops, &self.place)?;
                self.not_read_back(&place)?;
                Ok(Expr::Read(place))
            }
            Ast::Cast(inner, width) => self.cast(inner, *width),
            Ast::Unary(op, inner) => {
                let op = op.clone();
                let inner = self.expr(inner, want.filter(|_| matches!(op, VerilogOpUnary::Not)))?;
                Ok(match op {
                    VerilogOpUnary::Not => Expr::Not(Box::new(inner)),
                    VerilogOpUnary::All => Expr::Reduce(Reduce::All, Box::new(inner)),
                    VerilogOpUnary::Any => Expr::Reduce(Reduce::Any, Box::new(inner)),
                    VerilogOpUnary::Xor => Expr::Reduce(Reduce::Parity, Box::new(inner)),
                    VerilogOpUnary::Neg => {
                        return self.refuse("a negative number", "subtract from zero")
                    }
                })
            }
            Ast::Index(base, index) => {
                let base = self.place_of(base)?;
                Ok(Expr::Read(self.bit_of(base, index)?))
            }
            Ast::Slice(base, width, offset) => {
                let mut base = self.place_of(base)?;
                let Some(offset) = self.affine(offset) else {
                    return self.refuse("a computed slice", "loop and compare");
                };
                let limit = (base.width + 1).saturating_sub(*width);
                base.width = *width;
                base.offset = base.offset.plus(&offset, 1);
                base.bounds.push((offset, limit));
                Ok(Expr::Read(base))
            }
            Ast::Binary(l, op, r) => self.binary(l, op, r, want),
            Ast::IndexReplace(..) => self.refuse(
                "replace_bit inside an expression",
                "write x.next = x.val().replace_bit(i, v) as a statement",
            ),
            Ast::Signed(_) | Ast::Unsigned(_) => {
                self.refuse("signed arithmetic", "use Bits and compare explicitly")
            }
            Ast::Paren(_) => unreachable!("strip removes parentheses"),
        }
    }

    fn place_of(&mut self, e: &Ast) -> Result<Place> {
        match self.expr(e, None)? {
            Expr::Read(place) if place.dynamic.is_none() => Ok(place),
            _ => self.refuse("a bit or slice of an expression", "go through a Local"),
        }
    }

    fn cast(&mut self, inner: &Ast, width: usize) -> Result<Expr> {
        let Some(from) = self.width_of(inner)? else {
            return self.expr(inner, Some(width));
        };
        let value = self.expr(inner, None)?;
        if width >= from {
            return Ok(match width - from {
                0 => value,
                _ => extend(value, width),
            });
        }
        match value {
            Expr::Read(mut place) if place.dynamic.is_none() => {
                place.width = width;
                Ok(Expr::Read(place))
            }
            _ => self.refuse("the low bits of an expression", "go through a Local"),
        }
    }

    fn binary(&mut self, l: &Ast, op: &VerilogOp, r: &Ast, want: Option<usize>) -> Result<Expr> {
        let Some(op) = binary(op) else {
            return self.refuse("an unknown operator", "use Rust's bit and compare operators");
        };
        let boxed = |op, left, right, width| {
            Ok(Expr::Binary { op, left: Box::new(left), right: Box::new(right), width })
        };
        if matches!(op, Op::LogicalAnd | Op::LogicalOr) {
            return boxed(op, self.expr(l, Some(1))?, self.expr(r, Some(1))?, 1);
        }
        let (lw, rw) = (self.width_of(l)?, self.width_of(r)?);
        if matches!(op, Op::Shl | Op::Shr) {
            let left = self.expr(l, want)?;
            let amount = match rw {
                // As many bits as it takes to name a position in the left operand.
                None => {
                    let bits = usize::BITS - (left.width() - 1).leading_zeros();
                    self.expr(r, Some(bits.max(1) as usize))?
                }
                Some(_) => self.expr(r, None)?,
            };
            let width = left.width();
            return boxed(op, left, amount, width);
        }
        if op == Op::Mul {
            let (left, right) = (self.expr(l, None)?, self.expr(r, None)?);
            return boxed(op, extend(left, 32), extend(right, 32), 32);
        }
        let outer = if is_truth(op) { None } else { want };
        let width = lw.or(rw).or(outer);
        let left = self.expr(l, width)?;
        let mut right = self.expr(r, width)?;
        if op == Op::Add && right.width() == 1 && left.width() > 1 {
            // Bits<N> + bool, the one mixed sum that Rust allows.
            right = extend(right, left.width());
        }
        if left.width() != right.width() {
            return self.refuse(
                format!("`{}` of {} and {} bits", op.text(), left.width(), right.width()),
                "use bit_cast to make the widths equal",
            );
        }
        let width = if is_truth(op) { 1 } else { left.width() };
        boxed(op, left, right, width)
    }
}

/// Zero extension; one of another becomes a single one.
fn extend(value: Expr, width: usize) -> Expr {
    let inner = match value {
        Expr::Extend { inner, .. } => inner,
        value => Box::new(value),
    };
    Expr::Extend { inner, width }
}

/// Without the parentheses of the source; the printer sets its own.
fn strip(e: &Ast) -> &Ast {
    match e {
        Ast::Paren(inner) => strip(inner),
        e => e,
    }
}

/// What `comment!("...")` says. rust-hdl means to strip the macro from its text and seldom succeeds:
/// the tokens come with spaces or, when they are long, line breaks between them.
fn remark_of(text: &str) -> String {
    let rest = text.trim_start_matches("comment");
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '!' || c == '(');
    let rest = rest.trim_start_matches('"').trim_end();
    match rest.strip_suffix(')').map(str::trim_end).and_then(|r| r.strip_suffix('"')) {
        Some(inner) => inner.to_string(),
        None => rest.to_string(),
    }
}

/// rust-hdl keeps a literal's value private but prints it: `64'h1f`.
fn value_of(literal: &VerilogLiteral) -> Option<u128> {
    u128::from_str_radix(format!("{literal:x}").split_once("'h")?.1, 16).ok()
}

fn binary(op: &VerilogOp) -> Option<Op> {
    Some(match op {
        VerilogOp::Add => Op::Add,
        VerilogOp::Sub => Op::Sub,
        VerilogOp::Mul => Op::Mul,
        VerilogOp::LogicalAnd => Op::LogicalAnd,
        VerilogOp::LogicalOr => Op::LogicalOr,
        VerilogOp::BitXor => Op::Xor,
        VerilogOp::BitAnd => Op::And,
        VerilogOp::BitOr => Op::Or,
        VerilogOp::Shl => Op::Shl,
        VerilogOp::Shr => Op::Shr,
        VerilogOp::Eq => Op::Eq,
        VerilogOp::Lt => Op::Lt,
        VerilogOp::Le => Op::Le,
        VerilogOp::Ne => Op::Ne,
        VerilogOp::Ge => Op::Ge,
        VerilogOp::Gt => Op::Gt,
    })
}

/// Comparisons and logical operators give one bit whatever their operands' width.
fn is_truth(op: Op) -> bool {
    matches!(
        op,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::LogicalAnd | Op::LogicalOr
    )
}

#[cfg(test)]
mod tests {
    use super::remark_of;

    #[test]
    fn remarks_lose_the_macro_around_them_and_nothing_else() {
        for text in
            ["Up (or down)", "comment ! (\"Up (or down)\")", "comment!\n(\"Up (or down)\"\n)"]
        {
            assert_eq!(remark_of(text), "Up (or down)");
        }
    }
}
