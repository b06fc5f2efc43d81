//! Writes expressions: fully parenthesised, sized, broken at 100 columns.

use super::super::expr::{Expr, Op, Place, Reduce};
use super::super::signal::Table;
use super::COLUMNS;

/// A sized literal: binary for one bit, decimal while it is short, else hexadecimal.
pub fn literal(value: u128, width: usize) -> String {
    match (width, value) {
        (1, _) => format!("1'b{value}"),
        (_, 0..=99) => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// A signal, or some of its bits.
pub fn place_text(table: &Table, place: &Place) -> String {
    let signal = &table.signals[place.signal];
    let name = &signal.name;
    // Verilog has no bit 0 of a scalar.
    if signal.bits() == 1 {
        return name.clone();
    }
    if let Some(index) = &place.dynamic {
        let index = expr_text(table, index);
        return match place.offset.as_constant() {
            Some(0) => format!("{name}[{index}]"),
            _ => format!("{name}[{} + {index}]", place.offset),
        };
    }
    match (place.width, place.offset.as_constant()) {
        (width, Some(0)) if width == signal.bits() => name.clone(),
        (1, _) => format!("{name}[{}]", place.offset),
        (width, Some(low)) => format!("{name}[{}:{low}]", low + width as i64 - 1),
        (width, None) => format!("{name}[{} +: {width}]", place.offset),
    }
}

/// The expression on one line, without outer parentheses.
pub fn expr_text(table: &Table, expr: &Expr) -> String {
    match expr {
        Expr::Read(place) => place_text(table, place),
        Expr::Literal { value, width } => literal(*value, *width),
        Expr::Counter { index, width } => format!("{index}[{}:0]", width - 1),
        Expr::Binary { op, .. } => {
            let operands: Vec<_> = chain(expr).into_iter().map(|e| atom(table, e)).collect();
            operands.join(&format!(" {} ", op.text()))
        }
        Expr::Not(inner) => format!("{}{}", not(inner), atom(table, inner)),
        Expr::Reduce(kind, inner) => format!("{}{}", reduce(*kind), atom(table, inner)),
        Expr::Extend { inner, width } => {
            format!("{{{}, {}}}", literal(0, width - inner.width()), expr_text(table, inner))
        }
    }
}

fn not(inner: &Expr) -> &'static str {
    if inner.width() == 1 {
        "!"
    } else {
        "~"
    }
}

fn reduce(kind: Reduce) -> &'static str {
    match kind {
        Reduce::All => "&",
        Reduce::Any => "|",
        Reduce::Parity => "^",
    }
}

/// An operand: parenthesised if it has an operator of its own.
fn atom(table: &Table, expr: &Expr) -> String {
    let text = expr_text(table, expr);
    match expr {
        Expr::Binary { .. } | Expr::Reduce(..) => format!("({text})"),
        _ => text,
    }
}

/// The operands of `a op b op c` where the operator may be chained.
fn chain(expr: &Expr) -> Vec<&Expr> {
    fn collect<'a>(expr: &'a Expr, wanted: Op, out: &mut Vec<&'a Expr>) {
        match expr {
            Expr::Binary { op, left, right, .. } if *op == wanted && op.chains() => {
                collect(left, wanted, out);
                out.push(right);
            }
            _ => out.push(expr),
        }
    }
    match expr {
        Expr::Binary { op, left, right, .. } => {
            let mut operands = vec![];
            collect(left, *op, &mut operands);
            operands.push(right);
            operands
        }
        _ => vec![expr],
    }
}

/// The expression, broken into lines if it does not fit between `column` and the margin.
///
/// Continuation lines start at `indent` plus four.
pub fn wrapped(table: &Table, expr: &Expr, column: usize, indent: usize) -> String {
    let line = expr_text(table, expr);
    if column + line.len() < COLUMNS {
        return line;
    }
    match expr {
        Expr::Binary { op, .. } => {
            let mut text = String::new();
            for (at, operand) in chain(expr).into_iter().enumerate() {
                if at == 0 {
                    text += &operand_text(table, operand, column, indent);
                    continue;
                }
                let start = indent + 4 + op.text().len() + 1;
                text += &format!("\n{:1$}{2} ", "", indent + 4, op.text());
                text += &operand_text(table, operand, start, indent + 4);
            }
            text
        }
        Expr::Not(inner) if matches!(**inner, Expr::Binary { .. }) => {
            format!("{}({})", not(inner), wrapped(table, inner, column + 2, indent + 2))
        }
        Expr::Reduce(kind, inner) if matches!(**inner, Expr::Binary { .. }) => {
            format!("{}({})", reduce(*kind), wrapped(table, inner, column + 2, indent + 2))
        }
        _ => line,
    }
}

fn operand_text(table: &Table, expr: &Expr, column: usize, indent: usize) -> String {
    match expr {
        Expr::Binary { .. } | Expr::Reduce(..) => {
            format!("({})", wrapped(table, expr, column + 1, indent))
        }
        _ => wrapped(table, expr, column, indent),
    }
}
