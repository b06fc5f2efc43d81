//! Index arithmetic over loop variables: a constant plus multiples of variables.

use std::collections::BTreeMap;
use std::fmt;

/// `constant + sum of factor * variable`; variables in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    pub constant: i64,
    pub terms: BTreeMap<String, i64>,
}

/// The value of each loop variable.
pub type Env = BTreeMap<String, i64>;

impl Affine {
    pub fn constant(value: i64) -> Self {
        Affine { constant: value, terms: BTreeMap::new() }
    }

    pub fn variable(name: &str) -> Self {
        Affine { constant: 0, terms: BTreeMap::from([(name.to_string(), 1)]) }
    }

    pub fn plus(mut self, other: &Affine, sign: i64) -> Self {
        self.constant += sign * other.constant;
        for (name, factor) in &other.terms {
            *self.terms.entry(name.clone()).or_default() += sign * factor;
        }
        self.terms.retain(|_, factor| *factor != 0);
        self
    }

    pub fn times(mut self, factor: i64) -> Self {
        self.constant *= factor;
        self.terms.values_mut().for_each(|f| *f *= factor);
        self.terms.retain(|_, f| *f != 0);
        self
    }

    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The value; a variable outside `env` is a caller's mistake.
    pub fn eval(&self, env: &Env) -> i64 {
        self.constant + self.terms.iter().map(|(name, factor)| factor * env[name]).sum::<i64>()
    }

    /// Parses `4*i + j - 1`; names must be in `variables`. The error is the offending piece.
    pub fn parse(text: &str, variables: &[String]) -> Result<Self, String> {
        let mut parser = Parser { rest: text, variables };
        let value = parser.sum()?;
        if parser.peek().is_some() {
            return Err(parser.rest.to_string());
        }
        Ok(value)
    }
}

struct Parser<'a> {
    rest: &'a str,
    variables: &'a [String],
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn sum(&mut self) -> Result<Affine, String> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value = value.plus(&self.product()?, 1);
            } else if self.take('-') {
                value = value.plus(&self.product()?, -1);
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<Affine, String> {
        let mut value = self.factor()?;
        while self.take('*') {
            let right = self.factor()?;
            value = match (value.as_constant(), right.as_constant()) {
                (Some(factor), _) => right.times(factor),
                (_, Some(factor)) => value.times(factor),
                _ => return Err("a product of loop variables".into()),
            };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<Affine, String> {
        if self.take('(') {
            let value = self.sum()?;
            return if self.take(')') { Ok(value) } else { Err("a missing `)`".into()) };
        }
        let _ = self.peek();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches("usize").trim_end_matches('_');
            Affine::constant(digits.parse().map_err(|_| word.to_string())?)
        } else if self.variables.iter().any(|v| v == word) {
            Affine::variable(word)
        } else {
            return Err(if word.is_empty() { self.rest.into() } else { word.into() });
        };
        self.rest = rest;
        Ok(value)
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (name, factor) in &self.terms {
            let sign = if *factor < 0 { "-" } else { "+" };
            match (first, sign) {
                (true, "+") => {}
                (true, _) => f.write_str("-")?,
                (false, _) => write!(f, " {sign} ")?,
            }
            match factor.abs() {
                1 => f.write_str(name)?,
                k => write!(f, "{name}*{k}")?,
            }
            first = false;
        }
        match (first, self.constant) {
            (true, k) => write!(f, "{k}"),
            (false, 0) => Ok(()),
            (false, k) if k < 0 => write!(f, " - {}", -k),
            (false, k) => write!(f, " + {k}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_evaluates_and_prints_index_arithmetic() {
        let names = ["i".to_string(), "j".to_string()];
        let index = Affine::parse("4*i+(j-1)*2", &names).unwrap();
        assert_eq!(index.eval(&Env::from([("i".into(), 3), ("j".into(), 2)])), 14);
        assert_eq!(index.to_string(), "i*4 + j*2 - 2");
        assert_eq!(Affine::parse("N-1", &names).unwrap_err(), "N");
        assert!(Affine::parse("i*j", &names).is_err());
    }
}
