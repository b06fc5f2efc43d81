//! Boolean functions as Liberty writes them: `!(A & B)`, `(A B) + C'`, `A ^ B`.

/// A function of named pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// 0 or 1.
    Constant(bool),
    /// A pin, or a flip-flop's state.
    Pin(String),
    /// Inversion.
    Not(Box<Function>),
    /// Conjunction.
    And(Box<Function>, Box<Function>),
    /// Disjunction.
    Or(Box<Function>, Box<Function>),
    /// Exclusive or.
    Xor(Box<Function>, Box<Function>),
}

impl Function {
    /// Reads Liberty's text; `None` if it is not a function.
    pub fn parse(text: &str) -> Option<Function> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0 };
        let function = parser.or()?;
        (parser.at == parser.tokens.len()).then_some(function)
    }

    /// The value with each pin as `value` says.
    pub fn eval(&self, value: &impl Fn(&str) -> bool) -> bool {
        match self {
            Function::Constant(constant) => *constant,
            Function::Pin(pin) => value(pin),
            Function::Not(a) => !a.eval(value),
            Function::And(a, b) => a.eval(value) && b.eval(value),
            Function::Or(a, b) => a.eval(value) || b.eval(value),
            Function::Xor(a, b) => a.eval(value) != b.eval(value),
        }
    }

    /// The pins it depends on by name, each once, in order of appearance.
    pub fn pins(&self) -> Vec<&str> {
        let mut pins = Vec::new();
        self.collect(&mut pins);
        pins
    }

    fn collect<'a>(&'a self, pins: &mut Vec<&'a str>) {
        match self {
            Function::Constant(_) => {}
            Function::Pin(pin) => {
                if !pins.contains(&pin.as_str()) {
                    pins.push(pin);
                }
            }
            Function::Not(a) => a.collect(pins),
            Function::And(a, b) | Function::Or(a, b) | Function::Xor(a, b) => {
                a.collect(pins);
                b.collect(pins);
            }
        }
    }

    /// The value for every combination of `pins`; pin k is bit k of the index.
    pub fn table(&self, pins: &[&str]) -> Vec<bool> {
        let index = |pin: &str| pins.iter().position(|known| *known == pin);
        (0..1usize << pins.len())
            .map(|row| self.eval(&|pin| index(pin).is_some_and(|k| row >> k & 1 == 1)))
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Pin(String),
    Symbol(char),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(next) = rest.chars().next() {
        let length = if "!'&*|+^()".contains(next) {
            tokens.push(Token::Symbol(match next {
                '*' => '&',
                '+' => '|',
                other => other,
            }));
            1
        } else {
            let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '[' || c == ']');
            let length = rest.find(ends).unwrap_or(rest.len());
            if length == 0 {
                return None;
            }
            tokens.push(Token::Pin(rest[..length].into()));
            length
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn takes(&mut self, symbol: char) -> bool {
        let found = self.tokens.get(self.at) == Some(&Token::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Option<Function> {
        let mut left = self.and()?;
        while self.takes('|') {
            left = Function::Or(left.into(), self.and()?.into());
        }
        Some(left)
    }

    /// Conjunctions; two factors side by side are one too.
    fn and(&mut self) -> Option<Function> {
        let mut left = self.xor()?;
        loop {
            let beside = match self.tokens.get(self.at) {
                Some(Token::Pin(_)) => true,
                Some(Token::Symbol(symbol)) => "!(".contains(*symbol),
                None => false,
            };
            if !self.takes('&') && !beside {
                return Some(left);
            }
            left = Function::And(left.into(), self.xor()?.into());
        }
    }

    fn xor(&mut self) -> Option<Function> {
        let mut left = self.factor()?;
        while self.takes('^') {
            left = Function::Xor(left.into(), self.factor()?.into());
        }
        Some(left)
    }

    fn factor(&mut self) -> Option<Function> {
        if self.takes('!') {
            return Some(Function::Not(self.factor()?.into()));
        }
        let mut function = if self.takes('(') {
            let inside = self.or()?;
            self.takes(')').then_some(inside)?
        } else {
            match self.tokens.get(self.at)?.clone() {
                Token::Pin(name) => {
                    self.at += 1;
                    match name.as_str() {
                        "0" => Function::Constant(false),
                        "1" => Function::Constant(true),
                        _ => Function::Pin(name),
                    }
                }
                Token::Symbol(_) => return None,
            }
        };
        while self.takes('\'') {
            function = Function::Not(function.into());
        }
        Some(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, pins: &[&str]) -> Vec<u8> {
        Function::parse(text).expect(text).table(pins).into_iter().map(u8::from).collect()
    }

    #[test]
    fn every_way_to_write_an_operator() {
        let nand = [1, 1, 1, 0];
        for text in ["!(A & B)", "(A*B)'", "!(A B)", "A' + B'", "!A|!B"] {
            assert_eq!(table(text, &["A", "B"]), nand, "{text}");
        }
        assert_eq!(table("A ^ B", &["A", "B"]), [0, 1, 1, 0]);
        assert_eq!(table("(S B) + (S' A)", &["A", "B", "S"]), [0, 1, 0, 1, 0, 0, 1, 1]);
        assert_eq!(table("A B + C", &["A", "B", "C"]), [0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(table("1", &["A"]), [1, 1]);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "A &", "(A", "A ) B", "A ? B"] {
            assert_eq!(Function::parse(text), None, "{text}");
        }
    }
}
