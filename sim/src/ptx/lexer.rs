//! Cuts PTX text into tokens in one pass over its bytes; comments and white space are dropped.

use super::source::{PtxError, Source};

/// What a token is. Words, modifiers and strings are read back from the text by span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Identifier, register or label: `%r1`, `$L__BB0_2`, `add`.
    Word,
    /// A dot and a word: `.s32`, `.param::entry`, `.L2::128B`.
    Dot,
    /// An integer constant, two's complement when negative signs are applied by the parser.
    Int(u64),
    /// `0f3F800000`: the bits of a single.
    F32(u32),
    /// `0d3FF0000000000000` or `1.5`: the bits of a double.
    F64(u64),
    /// A quoted string, quotes included in the span.
    Str,
    /// One punctuation byte.
    Punct(u8),
    /// The end of the text.
    End,
}

/// A token and the bytes it covers.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

/// All tokens of a text, the last being [`Kind::End`].
pub fn lex(source: &Source) -> Result<Vec<Token>, Box<PtxError>> {
    let text = source.text();
    if text.len() > u32::MAX as usize {
        return Err(Box::new(source.error(0, 1, "the file is larger than 4 GiB")));
    }
    let mut lexer = Lexer { source, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        let token = lexer.next()?;
        tokens.push(token);
        if token.kind == Kind::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    source: &'a Source,
    bytes: &'a [u8],
    at: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&self, start: usize, message: impl Into<String>) -> Box<PtxError> {
        Box::new(self.source.error(start, self.at.max(start + 1) - start, message))
    }

    fn skip_blanks(&mut self) -> Result<(), Box<PtxError>> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0c, _) => self.at += 1,
                (b'/', b'/') => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                (b'/', b'*') => {
                    let rest = &self.bytes[self.at + 2..];
                    match rest.windows(2).position(|pair| pair == b"*/") {
                        Some(end) => self.at += end + 4,
                        None => {
                            let error = self.error(self.at, "this comment has no end");
                            return Err(error.with_help("close it with `*/`"));
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn next(&mut self) -> Result<Token, Box<PtxError>> {
        self.skip_blanks()?;
        let start = self.at;
        let kind = match self.peek(0) {
            0 if start >= self.bytes.len() => Kind::End,
            b'0'..=b'9' => self.number()?,
            b'.' if is_word(self.peek(1)) => {
                self.at += 1;
                self.word();
                while self.peek(0) == b':' && self.peek(1) == b':' && is_word(self.peek(2)) {
                    self.at += 2;
                    self.word();
                }
                Kind::Dot
            }
            b'"' => self.string()?,
            byte if is_word(byte) => {
                self.word();
                Kind::Word
            }
            byte if b",;:(){}[]<>@!|+-=.*~&".contains(&byte) => {
                self.at += 1;
                Kind::Punct(byte)
            }
            _ => {
                let shown = self.source.text().get(start..).and_then(|t| t.chars().next());
                let message = match shown {
                    Some(c) => format!("`{}` does not belong in PTX", c.escape_default()),
                    None => "this byte does not belong in PTX".into(),
                };
                return Err(self.error(start, message));
            }
        };
        Ok(Token { kind, start: start as u32, len: (self.at - start) as u32 })
    }

    fn word(&mut self) {
        while is_word(self.peek(0)) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Result<Kind, Box<PtxError>> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Ok(Kind::Str);
                }
                b'\\' => self.at += 2,
                b'\n' | 0 => return Err(self.error(start, "this string has no end on its line")),
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Result<Kind, Box<PtxError>> {
        let start = self.at;
        let kind = match (self.peek(0), self.peek(1)) {
            (b'0', b'f' | b'F') => self.hex_float(start, 8).map(|bits| Kind::F32(bits as u32)),
            (b'0', b'd' | b'D') => self.hex_float(start, 16).map(Kind::F64),
            (b'0', b'x' | b'X') => self.radix(start, 2, 16),
            (b'0', b'b' | b'B') => self.radix(start, 2, 2),
            _ => self.decimal(start),
        }?;
        if is_word(self.peek(0)) {
            self.word();
            return Err(self.error(start, "this is not a number"));
        }
        Ok(kind)
    }

    fn hex_float(&mut self, start: usize, digits: usize) -> Result<u64, Box<PtxError>> {
        self.at += 2;
        self.word();
        let text = &self.source.text()[start + 2..self.at];
        match u64::from_str_radix(text, 16) {
            Ok(bits) if text.len() == digits => Ok(bits),
            _ => {
                let error = self.error(start, "this is not a floating-point constant");
                Err(error.with_help(format!("write exactly {digits} hexadecimal digits")))
            }
        }
    }

    fn radix(&mut self, start: usize, prefix: usize, radix: u32) -> Result<Kind, Box<PtxError>> {
        self.at += prefix;
        let digits = self.at;
        while (self.peek(0) as char).is_digit(radix) {
            self.at += 1;
        }
        let value = u64::from_str_radix(&self.source.text()[digits..self.at], radix)
            .map_err(|_| self.error(start, "this constant does not fit 64 bits"))?;
        if self.peek(0) == b'U' {
            self.at += 1;
        }
        Ok(Kind::Int(value))
    }

    fn decimal(&mut self, start: usize) -> Result<Kind, Box<PtxError>> {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        let mut float = false;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            float = true;
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
        }
        let exponent_digits = match (self.peek(0), self.peek(1)) {
            (b'e' | b'E', b'+' | b'-') => 2,
            (b'e' | b'E', _) => 1,
            _ => 0,
        };
        if exponent_digits > 0 && self.peek(exponent_digits).is_ascii_digit() {
            float = true;
            self.at += exponent_digits;
            while self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
        }
        let text = &self.source.text()[start..self.at];
        if float {
            let value: f64 = text.parse().map_err(|_| self.error(start, "this is not a number"))?;
            return Ok(Kind::F64(value.to_bits()));
        }
        if text.len() > 1 && text.starts_with('0') {
            self.at = start;
            return self.radix(start, 1, 8);
        }
        self.at = start;
        self.radix(start, 0, 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        lex(&Source::new("t", text)).unwrap().into_iter().map(|t| t.kind).collect()
    }

    #[test]
    fn numbers_of_every_form() {
        assert_eq!(
            kinds("7 0x1F 017 0b101 12U 0f3F800000 0d3FF0000000000000 1.5 2e1"),
            [
                Kind::Int(7),
                Kind::Int(31),
                Kind::Int(15),
                Kind::Int(5),
                Kind::Int(12),
                Kind::F32(0x3F80_0000),
                Kind::F64(1f64.to_bits()),
                Kind::F64(1.5f64.to_bits()),
                Kind::F64(20f64.to_bits()),
                Kind::End
            ]
        );
    }

    #[test]
    fn words_modifiers_and_comments() {
        let source = Source::new("t", "ld.param::entry.u32 /* x */ %r1, [%rd1+4]; // end");
        let tokens = lex(&source).unwrap();
        let texts: Vec<_> = tokens
            .iter()
            .map(|t| &source.text()[t.start as usize..(t.start + t.len) as usize])
            .collect();
        assert_eq!(
            texts,
            ["ld", ".param::entry", ".u32", "%r1", ",", "[", "%rd1", "+", "4", "]", ";", ""]
        );
    }

    #[test]
    fn bad_text_is_an_error_with_a_place() {
        for (text, column) in [("a\u{e9}", 2), ("  /* x", 3), ("0f12", 1), ("9z", 1), ("\"x", 1)] {
            let error = lex(&Source::new("t", text)).unwrap_err();
            assert_eq!(error.column, column, "{error}");
        }
    }
}
