//! Liberty's syntax: groups with arguments, attributes and groups inside.

/// `kind (args) { attributes; groups }`.
#[derive(Debug, Default)]
pub struct Group {
    /// `library`, `cell`, `pin`, ...
    pub kind: String,
    /// What stands in the parentheses.
    pub args: Vec<String>,
    /// `name : value;` and `name (values);`, in order.
    pub attributes: Vec<(String, Vec<String>)>,
    /// Groups inside.
    pub groups: Vec<Group>,
}

/// What is wrong and in which line.
#[derive(Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl Group {
    /// The first value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.values(name).and_then(|values| values.first()).map(String::as_str)
    }

    /// All values of an attribute.
    pub fn values(&self, name: &str) -> Option<&[String]> {
        let (_, values) = self.attributes.iter().find(|(attribute, _)| attribute == name)?;
        Some(values)
    }

    /// Groups of one kind.
    pub fn all<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The first argument: a cell's or pin's name.
    pub fn name(&self) -> &str {
        self.args.first().map_or("", String::as_str)
    }
}

/// The one group of a Liberty file.
pub fn parse(text: &str) -> Result<Group, SyntaxError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let kind = parser.word("the word library")?;
    if kind != "library" {
        return Err(parser.error(format!("expected library, found {kind:?}")));
    }
    let args = parser.arguments()?;
    parser.symbol('{')?;
    parser.body(kind, args)
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Symbol(char),
}

/// Words and symbols with their lines. Newlines mean nothing; `;` after an attribute may be missing.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            '\n' => 1,
            c if c.is_whitespace() || c == '\\' => c.len_utf8(),
            '/' if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => end + 2,
                None => return Err(SyntaxError { line, reason: "comment without end".into() }),
            },
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let Some(end) = rest[1..].find('"') else {
                    return Err(SyntaxError { line, reason: "string without end".into() });
                };
                let value = rest[1..=end].replace("\\\n", "").replace('\n', " ");
                tokens.push((line, Token::Word(value)));
                end + 2
            }
            '(' | ')' | '{' | '}' | ':' | ';' | ',' => {
                tokens.push((line, Token::Symbol(next)));
                1
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c);
                let end = rest.find(ends).unwrap_or(rest.len());
                tokens.push((line, Token::Word(rest[..end].into())));
                end
            }
        };
        line += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
}

impl Parser {
    fn error(&self, reason: String) -> SyntaxError {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        SyntaxError { line: self.tokens.get(at).map_or(1, |(line, _)| *line), reason }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn word(&mut self, what: &str) -> Result<String, SyntaxError> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            Some(Token::Symbol(found)) => {
                Err(self.error(format!("expected {what}, found {found:?}")))
            }
            None => Err(self.error(format!("the file ends where {what} should be"))),
        }
    }

    fn symbol(&mut self, symbol: char) -> Result<(), SyntaxError> {
        if self.takes(symbol) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(found) => self.error(format!("expected {symbol:?}, found {found:?}")),
            None => self.error(format!("the file ends where {symbol:?} should be")),
        })
    }

    fn takes(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&Token::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    fn arguments(&mut self) -> Result<Vec<String>, SyntaxError> {
        self.symbol('(')?;
        let mut args = Vec::new();
        while !self.takes(')') {
            if !self.takes(',') {
                args.push(self.word("an argument")?);
            }
        }
        Ok(args)
    }

    /// What stands between the braces of a group; the opening one is behind us.
    fn body(&mut self, kind: String, args: Vec<String>) -> Result<Group, SyntaxError> {
        let mut group = Group { kind, args, ..Group::default() };
        loop {
            if self.takes('}') {
                return Ok(group);
            }
            if self.takes(';') {
                continue;
            }
            let name = self.word("an attribute or group")?;
            if self.takes(':') {
                // Unquoted values may have several words, as in `1.0 * VDD`.
                let line = self.tokens[self.at - 1].0;
                let mut value = self.word("a value")?;
                while let Some((at, Token::Word(more))) = self.tokens.get(self.at) {
                    if *at != line {
                        break;
                    }
                    value = format!("{value} {more}");
                    self.at += 1;
                }
                group.attributes.push((name, vec![value]));
            } else {
                let args = self.arguments()?;
                if self.takes('{') {
                    group.groups.push(self.body(name, args)?);
                } else {
                    group.attributes.push((name, args));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_attributes_and_continued_lines() {
        let text = "library (l) { /* c */ time_unit : \"1ns\";\n unit (1, pf);\n\
                    cell(A) { area : 2 }\n values (\"1, 2\", \\\n \"3, 4\"); // end\n }";
        let library = parse(text).expect("well formed");
        assert_eq!(library.attribute("time_unit"), Some("1ns"));
        assert_eq!(library.values("unit"), Some(&["1".into(), "pf".into()][..]));
        assert_eq!(library.values("values").map(<[_]>::len), Some(2));
        let cell = library.all("cell").next().expect("one cell");
        assert_eq!((cell.name(), cell.attribute("area")), ("A", Some("2")));
    }

    #[test]
    fn errors_name_the_line() {
        let line = |text| parse(text).expect_err("refused").line;
        assert_eq!(line("library (l) {\n cell (A) {\n"), 2);
        assert_eq!(line("module m;"), 1);
        assert_eq!(line("library (l) {\n\n x : \"1 }"), 3);
    }
}
