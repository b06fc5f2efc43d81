//! Reads PTX text into [`syntax`](super::syntax) by recursive descent; every error says where and what.

mod body;
mod module;
mod operand;
mod variable;

use super::lexer::{lex, Kind, Token};
use super::source::{PtxError, Source};
use super::syntax::{File, Name};

type Result<T> = std::result::Result<T, Box<PtxError>>;

/// Reads a whole file.
pub fn parse(source: &Source) -> Result<File<'_>> {
    let tokens = lex(source)?;
    let mut parser = Parser { source, tokens, at: 0, depth: 0 };
    parser.file()
}

/// Braces nested deeper than any compiler writes; bounds the recursion of hostile text.
const DEEPEST_NESTING: u32 = 64;

struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek_ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn text(&self, token: Token) -> &'a str {
        &self.source.text()[token.start as usize..(token.start + token.len) as usize]
    }

    fn error_at(&self, token: Token, message: impl Into<String>) -> Box<PtxError> {
        Box::new(self.source.error(token.start as usize, token.len as usize, message))
    }

    fn unexpected(&self, wanted: &str) -> Box<PtxError> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text(token)),
        };
        self.error_at(token, format!("expected {wanted}, found {found}"))
    }

    fn is(&self, punct: u8) -> bool {
        self.peek().kind == Kind::Punct(punct)
    }

    fn accept(&mut self, punct: u8) -> bool {
        let found = self.is(punct);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, punct: u8) -> Result<()> {
        if self.accept(punct) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", punct as char)))
    }

    /// The modifier or directive ahead, dot included, or "".
    fn peek_dot(&self) -> &'a str {
        let token = self.peek();
        if token.kind == Kind::Dot {
            self.text(token)
        } else {
            ""
        }
    }

    fn accept_dot(&mut self, text: &str) -> bool {
        let found = self.peek_dot() == text;
        if found {
            self.at += 1;
        }
        found
    }

    fn name(&mut self, what: &str) -> Result<Name<'a>> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return Err(self.unexpected(what));
        }
        self.at += 1;
        Ok(Name { text: self.text(token), at: token.start })
    }

    fn unsigned(&mut self, what: &str) -> Result<u64> {
        match self.peek().kind {
            Kind::Int(value) => {
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// An integer with an optional sign.
    fn signed(&mut self, what: &str) -> Result<i64> {
        let negative = self.accept(b'-');
        let value = self.unsigned(what)? as i64;
        Ok(if negative { value.wrapping_neg() } else { value })
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST_NESTING {
            return Err(self.error_at(self.peek(), "braces are nested too deeply"));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Skips `{ ... }` with whatever is inside.
    fn skip_braces(&mut self) -> Result<()> {
        let open = self.peek();
        self.expect(b'{')?;
        let mut depth = 1;
        while depth > 0 {
            match self.next().kind {
                Kind::Punct(b'{') => depth += 1,
                Kind::Punct(b'}') => depth -= 1,
                Kind::End => return Err(self.error_at(open, "this brace is never closed")),
                _ => {}
            }
        }
        Ok(())
    }
}
