//! Small arithmetic expressions over named integers, as job files write lengths and grids.

use super::nearest::hint;

/// Variables by name; later ones hide earlier ones.
pub(super) type Variables = Vec<(String, i64)>;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Int(i64),
    Float(f64),
    Name(String),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// What combines two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Min,
    Max,
    CeilDiv,
}

impl Expr {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Expr, String> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let expr = parser.sum()?;
        parser.blanks();
        match parser.rest() {
            "" => Ok(expr),
            rest => Err(format!("`{rest}` does not belong in the expression `{text}`")),
        }
    }

    /// Its value as a 64-bit integer.
    pub fn int(&self, variables: &Variables) -> Result<i64, String> {
        match self {
            Expr::Int(value) => Ok(*value),
            Expr::Float(value) => Err(format!("{value} is not an integer")),
            Expr::Name(name) => lookup(name, variables),
            Expr::Negate(a) => a.int(variables)?.checked_neg().ok_or_else(overflow),
            Expr::Binary(operator, a, b) => {
                int_binary(*operator, a.int(variables)?, b.int(variables)?)
            }
        }
    }

    /// Its value in double precision.
    pub fn float(&self, variables: &Variables) -> Result<f64, String> {
        Ok(match self {
            Expr::Int(value) => *value as f64,
            Expr::Float(value) => *value,
            Expr::Name(name) => lookup(name, variables)? as f64,
            Expr::Negate(a) => -a.float(variables)?,
            Expr::Binary(operator, a, b) => {
                let (a, b) = (a.float(variables)?, b.float(variables)?);
                match operator {
                    Operator::Add => a + b,
                    Operator::Sub => a - b,
                    Operator::Mul => a * b,
                    Operator::Div => a / b,
                    Operator::Rem => a % b,
                    Operator::Min => a.min(b),
                    Operator::Max => a.max(b),
                    Operator::CeilDiv => (a / b).ceil(),
                    Operator::Shl | Operator::Shr => return Err("floats cannot be shifted".into()),
                }
            }
        })
    }

    /// Every name in it.
    pub fn names<'a>(&'a self, out: &mut Vec<&'a str>) {
        match self {
            Expr::Int(_) | Expr::Float(_) => {}
            Expr::Name(name) => out.push(name),
            Expr::Negate(a) => a.names(out),
            Expr::Binary(_, a, b) => {
                a.names(out);
                b.names(out);
            }
        }
    }
}

/// What to say about a name that is not a variable.
pub(super) fn unknown(name: &str, variables: &Variables) -> String {
    let known = hint(name, variables.iter().map(|(name, _)| name.as_str()));
    format!("`{name}` is not a variable of this size{known}")
}

fn lookup(name: &str, variables: &Variables) -> Result<i64, String> {
    let found = variables.iter().rev().find(|(known, _)| known == name);
    found.map(|&(_, value)| value).ok_or_else(|| unknown(name, variables))
}

fn overflow() -> String {
    "the expression does not fit 64 bits".into()
}

fn int_binary(operator: Operator, a: i64, b: i64) -> Result<i64, String> {
    let shift = u32::try_from(b).ok().filter(|&n| n < 63);
    let value = match operator {
        Operator::Add => a.checked_add(b),
        Operator::Sub => a.checked_sub(b),
        Operator::Mul => a.checked_mul(b),
        Operator::Div | Operator::Rem | Operator::CeilDiv if b == 0 => {
            return Err("division by zero".into())
        }
        Operator::Div => a.checked_div(b),
        Operator::Rem => a.checked_rem(b),
        Operator::CeilDiv => {
            let inexact = a.checked_rem(b).is_some_and(|r| r != 0 && (r > 0) == (b > 0));
            a.checked_div(b).and_then(|q| q.checked_add(i64::from(inexact)))
        }
        Operator::Min => Some(a.min(b)),
        Operator::Max => Some(a.max(b)),
        Operator::Shl => shift.and_then(|n| a.checked_mul(1 << n)),
        Operator::Shr => shift.map(|n| a >> n),
    };
    value.ok_or_else(overflow)
}

/// Parentheses nested deeper than anybody writes; bounds the recursion of hostile text.
const DEEPEST: u32 = 50;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) {
            return Ok(());
        }
        Err(format!("expected `{token}` at `{}` in the expression `{}`", self.rest(), self.text))
    }

    fn left_to_right(
        &mut self,
        operators: &[(&str, Operator)],
        next: impl Fn(&mut Self) -> Result<Expr, String>,
    ) -> Result<Expr, String> {
        let mut left = next(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(token, _)| self.accept(token)) {
            let right = next(self)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// Shifts bind loosest, then sums, then products, as in C.
    fn sum(&mut self) -> Result<Expr, String> {
        self.left_to_right(&[("<<", Operator::Shl), (">>", Operator::Shr)], |parser| {
            parser.left_to_right(&[("+", Operator::Add), ("-", Operator::Sub)], Parser::product)
        })
    }

    fn product(&mut self) -> Result<Expr, String> {
        let operators = [("*", Operator::Mul), ("/", Operator::Div), ("%", Operator::Rem)];
        self.left_to_right(&operators, Parser::atom)
    }

    fn atom(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".into());
        }
        let expr = self.atom_inner();
        self.depth -= 1;
        expr
    }

    fn atom_inner(&mut self) -> Result<Expr, String> {
        if self.accept("-") {
            return Ok(Expr::Negate(Box::new(self.atom()?)));
        }
        if self.accept("(") {
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.blanks();
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let rest = self.rest();
        let mut len = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
        let number = rest.starts_with(|c: char| c.is_ascii_digit());
        if number && rest[..len].ends_with(['e', 'E']) && rest[len..].starts_with(['+', '-']) {
            let digits = &rest[len + 1..];
            len += 1 + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        }
        let word = &rest[..len];
        self.at += len;
        if word.is_empty() {
            return Err(format!("expected a value at `{rest}` in the expression `{}`", self.text));
        }
        if number {
            let int = word.parse().map(Expr::Int).ok();
            let value = int.or_else(|| word.parse().map(Expr::Float).ok());
            return value.ok_or_else(|| format!("`{word}` is not a number"));
        }
        let function = match word {
            "min" => Some(Operator::Min),
            "max" => Some(Operator::Max),
            "ceil_div" => Some(Operator::CeilDiv),
            _ => None,
        };
        match function {
            Some(operator) if self.accept("(") => {
                let a = self.sum()?;
                self.expect(",")?;
                let b = self.sum()?;
                self.expect(")")?;
                Ok(Expr::Binary(operator, Box::new(a), Box::new(b)))
            }
            _ => Ok(Expr::Name(word.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Result<i64, String> {
        Expr::parse(text)?.int(&vec![("n".into(), 1000), ("k".into(), 3)])
    }

    #[test]
    fn arithmetic_with_precedence() {
        assert_eq!(int("(n+255)/256"), Ok(4));
        assert_eq!(int("2 + 3 * 4 - 10 % 4"), Ok(12));
        assert_eq!(int("ceil_div(n, 256) * min(k, 2)"), Ok(8));
        assert_eq!(int("max(1, n >> 3) << 1"), Ok(250));
        assert_eq!(int("-k - -k"), Ok(0));
        assert_eq!(int("n - 1 - 1"), Ok(998));
    }

    #[test]
    fn floats_divide_exactly() {
        let value = Expr::parse("1.0 / n + 1e-3").unwrap().float(&vec![("n".into(), 4)]);
        assert_eq!(value, Ok(0.251));
    }

    #[test]
    fn mistakes_are_explained() {
        assert!(int("nn").unwrap_err().contains("did you mean `n`?"));
        assert_eq!(int("1 / (k - 3)").unwrap_err(), "division by zero");
        assert!(int("n * 9223372036854775807").unwrap_err().contains("64 bits"));
        assert!(int("(n").unwrap_err().contains("expected `)`"));
        assert!(int("n n").is_err() && int("").is_err() && int("1.5").is_err());
        assert!(int(&"(".repeat(100_000)).unwrap_err().contains("deeply"));
    }
}
