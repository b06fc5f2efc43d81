//! Proves by unrolling that every signal is written before it is read and written on every path.
//!
//! A signal read before it is written holds last cycle's value in Rust and is a loop in Verilog; one
//! that some path does not write is a latch. Neither is exported.

use super::affine::Env;
use super::expr::{each_iteration, Expr, Place, Stmt};
use super::lower::Lowered;
use super::signal::Table;
use super::Error;

/// Which bits of which signals are surely written.
type Written = Vec<Vec<bool>>;

/// Fails on the first signal that is read too early, left unwritten on some path, or indexed out of range.
pub fn every_path_assigns(lowered: &Lowered) -> Result<(), Error> {
    let table = &lowered.table;
    let mut checker = Checker { table, error: None };
    let mut written: Written = table.signals.iter().map(|s| vec![false; s.bits()]).collect();
    checker.run(&lowered.statements, &mut Env::new(), &mut written);
    if let Some(error) = checker.error {
        return Err(error);
    }
    for (signal, bits) in table.signals.iter().zip(&written) {
        if signal.is_driven_here() && bits.iter().any(|b| !b) {
            return Err(table.error(
                format!("`{}` is not written on every path: a latch", signal.name),
                "update()".into(),
                "give it a default first",
            ));
        }
    }
    Ok(())
}

struct Checker<'a> {
    table: &'a Table,
    error: Option<Error>,
}

impl Checker<'_> {
    fn fail(&mut self, what: String, remedy: &'static str) {
        if self.error.is_none() {
            self.error = Some(self.table.error(what, "update()".into(), remedy));
        }
    }

    /// The bits of a place, or none if an index is out of range.
    fn bits(&mut self, place: &Place, env: &Env) -> Option<std::ops::Range<usize>> {
        let signal = &self.table.signals[place.signal];
        for (index, limit) in &place.bounds {
            let value = index.eval(env);
            if value < 0 || value >= *limit as i64 {
                self.fail(
                    format!("index {value} of `{}` is not below {limit}", signal.name),
                    "mend the loop bounds",
                );
                return None;
            }
        }
        let offset = place.offset.eval(env) as usize;
        let width = if place.dynamic.is_some() { signal.bits() - offset } else { place.width };
        Some(offset..offset + width)
    }

    fn read(&mut self, expr: &Expr, env: &Env, written: &Written) {
        let mut places = vec![];
        expr.reads(&mut |place| places.push(place.clone()));
        for place in places {
            let Some(bits) = self.bits(&place, env) else { return };
            let signal = &self.table.signals[place.signal];
            if signal.is_driven_here() && !written[place.signal][bits].iter().all(|b| *b) {
                self.fail(
                    format!("`{}` is read before it is written", signal.name),
                    "assign it above its first use",
                );
            }
        }
    }

    fn run(&mut self, statements: &[Stmt], env: &mut Env, written: &mut Written) {
        for statement in statements {
            if self.error.is_some() {
                return;
            }
            match statement {
                Stmt::Assign { target, value } => {
                    self.read(value, env, written);
                    let Some(bits) = self.bits(target, env) else { return };
                    if let Some(index) = &target.dynamic {
                        self.read(index, env, written);
                    } else {
                        written[target.signal][bits].fill(true);
                    }
                }
                Stmt::If { test, then, otherwise } => {
                    self.read(test, env, written);
                    self.branches(&[then, otherwise], env, written);
                }
                Stmt::Case { test, arms } => {
                    self.read(test, env, written);
                    let values = arms.iter().filter(|(value, _)| value.is_some()).count();
                    let full = test.width() < 16 && values == 1 << test.width();
                    if !full && values == arms.len() {
                        self.fail("a match without `_`".into(), "add a `_` arm");
                    }
                    let bodies: Vec<_> = arms.iter().map(|(_, body)| body).collect();
                    self.branches(&bodies, env, written);
                }
                Stmt::Loop { variable, from, to, body } => {
                    each_iteration(variable, *from, *to, env, &mut |env| {
                        self.run(body, env, written)
                    });
                }
                Stmt::Comment(_) => {}
            }
        }
    }

    fn branches(&mut self, bodies: &[&Vec<Stmt>], env: &mut Env, written: &mut Written) {
        let before = written.clone();
        let mut common: Option<Written> = None;
        for body in bodies {
            let mut branch = before.clone();
            self.run(body, env, &mut branch);
            common = Some(match common {
                None => branch,
                Some(mut common) => {
                    for (signal, other) in common.iter_mut().zip(&branch) {
                        signal.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
                    }
                    common
                }
            });
        }
        *written = common.unwrap_or(before);
    }
}
