//! Expressions and statements with every name resolved and every width known.

use super::affine::{Affine, Env};

/// Bits of a signal: `width` bits from `offset` on, or one bit at a computed index.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub signal: usize,
    pub offset: Affine,
    pub width: usize,
    /// A bit index that is only known in hardware; added to `offset`, and `width` is 1.
    pub dynamic: Option<Box<Expr>>,
    /// Indices that must stay below their limit for every value of the loop variables.
    pub bounds: Vec<(Affine, usize)>,
}

/// Binary operators; operands have equal widths except for shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    LogicalAnd,
    LogicalOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// 16 x 16 -> 32, the one product rust-hdl has; its operands are extended before.
    Mul,
}

impl Op {
    pub fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::LogicalAnd => "&&",
            Op::LogicalOr => "||",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Mul => "*",
        }
    }

    /// Whether `a op b op c` may be written without inner parentheses.
    pub fn chains(self) -> bool {
        matches!(self, Op::And | Op::Or | Op::Xor | Op::LogicalAnd | Op::LogicalOr | Op::Add)
    }
}

/// Reductions of a vector to one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    All,
    Any,
    Parity,
}

/// An expression whose width is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Read(Place),
    Literal {
        value: u128,
        width: usize,
    },
    /// A loop variable used as a number.
    Counter {
        index: Affine,
        width: usize,
    },
    Binary {
        op: Op,
        left: Box<Expr>,
        right: Box<Expr>,
        width: usize,
    },
    Not(Box<Expr>),
    Reduce(Reduce, Box<Expr>),
    /// Zero extension.
    Extend {
        inner: Box<Expr>,
        width: usize,
    },
}

impl Expr {
    pub fn width(&self) -> usize {
        match self {
            Expr::Read(place) => place.width,
            Expr::Literal { width, .. }
            | Expr::Counter { width, .. }
            | Expr::Binary { width, .. }
            | Expr::Extend { width, .. } => *width,
            Expr::Not(inner) => inner.width(),
            Expr::Reduce(..) => 1,
        }
    }

    /// Calls `f` for every place that the expression reads.
    pub fn reads<'a>(&'a self, f: &mut impl FnMut(&'a Place)) {
        match self {
            Expr::Read(place) => {
                f(place);
                if let Some(index) = &place.dynamic {
                    index.reads(f);
                }
            }
            Expr::Literal { .. } | Expr::Counter { .. } => {}
            Expr::Binary { left, right, .. } => {
                left.reads(f);
                right.reads(f);
            }
            Expr::Not(inner) | Expr::Reduce(_, inner) | Expr::Extend { inner, .. } => {
                inner.reads(f)
            }
        }
    }
}

/// One arm of a case: the value, or none for the default.
pub type Arm = (Option<Expr>, Vec<Stmt>);

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Assign { target: Place, value: Expr },
    If { test: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    Case { test: Expr, arms: Vec<Arm> },
    Loop { variable: String, from: i64, to: i64, body: Vec<Stmt> },
    Comment(String),
}

impl Stmt {
    /// Calls `read` for every place read and `write` for every place written, loops not unrolled.
    pub fn visit<'a>(
        &'a self,
        read: &mut impl FnMut(&'a Place),
        write: &mut impl FnMut(&'a Place),
    ) {
        match self {
            Stmt::Assign { target, value } => {
                value.reads(read);
                if let Some(index) = &target.dynamic {
                    index.reads(read);
                }
                write(target);
            }
            Stmt::If { test, then, otherwise } => {
                test.reads(read);
                then.iter().chain(otherwise).for_each(|s| s.visit(read, write));
            }
            Stmt::Case { test, arms } => {
                test.reads(read);
                arms.iter().flat_map(|(_, body)| body).for_each(|s| s.visit(read, write));
            }
            Stmt::Loop { body, .. } => body.iter().for_each(|s| s.visit(read, write)),
            Stmt::Comment(_) => {}
        }
    }
}

/// Calls `f` with each iteration's environment.
pub fn each_iteration(
    variable: &str,
    from: i64,
    to: i64,
    env: &mut Env,
    f: &mut impl FnMut(&mut Env),
) {
    for value in from..to {
        env.insert(variable.to_string(), value);
        f(env);
    }
    env.remove(variable);
}
