//! Writes random programs: straight code, branches, loops, shared memory and barriers.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::OnceLock;

use super::catalogue::{catalogue, Class, Template};

/// Registers of each class.
pub const HALVES: usize = 4;
pub const WORDS: usize = 8;
pub const LONGS: usize = 6;
pub const PREDS: usize = 4;
/// A thread's state in memory: longs, words, halves, then predicates as words.
pub const THREAD_BYTES: usize = LONGS * 8 + WORDS * 4 + HALVES * 2 + PREDS * 4;

/// An xorshift generator; any seed will do.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        z ^ z >> 32
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A source: a register of the class the template asks for, or an immediate.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    Register(Class, usize),
    Immediate(u64),
}

#[derive(Debug, Clone)]
pub struct Instruction {
    /// Predicate and whether it is negated.
    pub guard: Option<(usize, bool)>,
    pub opcode: String,
    pub result: (Class, usize),
    pub sources: Vec<Source>,
    /// The table of `lop3`.
    pub table: Option<u8>,
}

#[derive(Debug, Clone)]
pub enum Statement {
    Do(Instruction),
    If {
        pred: usize,
        then: Vec<Statement>,
        other: Vec<Statement>,
    },
    /// Runs `word & 3` times; the counter is the loop's own.
    Loop {
        word: usize,
        body: Vec<Statement>,
    },
    /// All threads store a word, wait, read the word of a neighbour and wait: top level only.
    Share {
        from: usize,
        to: usize,
        distance: u32,
    },
    /// Runs a fixed number of times with barriers inside: top level only.
    Uniform {
        count: u32,
        body: Vec<Statement>,
    },
}

#[derive(Debug, Clone)]
pub struct Program {
    pub threads: u32,
    pub body: Vec<Statement>,
}

fn templates() -> &'static [Template] {
    static ALL: OnceLock<Vec<Template>> = OnceLock::new();
    ALL.get_or_init(catalogue)
}

/// Bits that find corners: small integers, powers of two, float specials, and anything.
fn interesting(random: &mut Random) -> u64 {
    const SPECIAL: [u64; 12] = [
        0,
        1,
        u64::MAX,
        0x8000_0000_8000_0000,
        0x7fff_ffff_7fff_ffff,
        0x3f80_0000_3f80_0000,
        0x7f80_0000_7f80_0000,
        0xff80_0000_7fc0_0000,
        0x0000_0001_0040_0000,
        0x7ff0_0000_7f7f_ffff,
        0xbff0_0000_0000_0000,
        0x0010_0000_0080_0000,
    ];
    match random.below(6) {
        0 => SPECIAL[random.below(SPECIAL.len())],
        1 => random.next() % 40,
        2 => 1 << random.below(64),
        // Singles close to one, in both halves.
        3 => 0x3f00_0000_3f00_0000 ^ (random.next() & 0x80ff_ffff_80ff_ffff),
        _ => random.next(),
    }
}

/// A thread's state before the program runs.
pub fn thread_input(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(THREAD_BYTES);
    (0..LONGS).for_each(|_| bytes.extend_from_slice(&interesting(random).to_le_bytes()));
    (0..WORDS).for_each(|_| bytes.extend_from_slice(&(interesting(random) as u32).to_le_bytes()));
    (0..HALVES).for_each(|_| bytes.extend_from_slice(&(interesting(random) as u16).to_le_bytes()));
    (0..PREDS).for_each(|_| bytes.extend_from_slice(&(random.next() as u32 & 1).to_le_bytes()));
    bytes
}

fn count(class: Class) -> usize {
    match class {
        Class::Half => HALVES,
        Class::Word => WORDS,
        Class::Long => LONGS,
        Class::Pred => PREDS,
    }
}

impl Program {
    pub fn random(random: &mut Random) -> Program {
        let threads = [1, 31, 32, 33, 64, 95][random.below(6)];
        let length = 6 + random.below(20);
        let mut body = statements(random, length, 2);
        for _ in 0..random.below(3) {
            let at = random.below(body.len() + 1);
            body.insert(at, share(random, threads));
        }
        if random.below(2) == 0 {
            let mut inner = statements(random, 4, 1);
            inner.push(share(random, threads));
            let count = 1 + random.below(4) as u32;
            let at = random.below(body.len() + 1);
            body.insert(at, Statement::Uniform { count, body: inner });
        }
        Program { threads, body }
    }

    /// The program as PTX.
    pub fn text(&self) -> String {
        let mut out = format!(
            "{}.shared .align 4 .b8 tile[{}];\n.visible .entry k(.param .u64 p)\n{{\n\
             .reg .b16 %h<{HALVES}>; .reg .b32 %w<{WORDS}>; .reg .b64 %l<{LONGS}>; .reg .pred %p<{PREDS}>;\n\
             .reg .b32 %me, %x, %addr, %counter<99>; .reg .b64 %base; .reg .pred %loop;\n\
             mov.u32 %me, %tid.x;\nld.param.u64 %base, [p];\nmad.wide.u32 %base, %me, {THREAD_BYTES}, %base;\n",
            super::super::harness::HEADER,
            self.threads * 4
        );
        let mut offset = 0;
        let mut state = Vec::new();
        for (class, size, name, ty) in [
            (Class::Long, 8, "l", "u64"),
            (Class::Word, 4, "w", "u32"),
            (Class::Half, 2, "h", "u16"),
        ] {
            for n in 0..count(class) {
                state.push((name, ty, n, offset));
                offset += size;
            }
        }
        for (name, ty, n, offset) in &state {
            let _ = writeln!(out, "ld.global.{ty} %{name}{n}, [%base+{offset}];");
        }
        for n in 0..PREDS {
            let at = offset + 4 * n;
            let _ = writeln!(out, "ld.global.u32 %x, [%base+{at}]; setp.ne.u32 %p{n}, %x, 0;");
        }
        let mut printer = Printer { out, labels: 0, threads: self.threads };
        printer.statements(&self.body);
        let mut out = printer.out;
        for (name, ty, n, offset) in &state {
            let _ = writeln!(out, "st.global.{ty} [%base+{offset}], %{name}{n};");
        }
        for n in 0..PREDS {
            let at = offset + 4 * n;
            let _ = writeln!(out, "selp.u32 %x, 1, 0, %p{n}; st.global.u32 [%base+{at}], %x;");
        }
        out + "ret;\n}\n"
    }

    /// Collects the opcodes it uses.
    pub fn opcodes(&self, seen: &mut HashSet<String>) {
        fn walk(list: &[Statement], seen: &mut HashSet<String>) {
            for statement in list {
                match statement {
                    Statement::Do(i) => {
                        seen.insert(i.opcode.clone());
                    }
                    Statement::If { then, other, .. } => {
                        walk(then, seen);
                        walk(other, seen);
                    }
                    Statement::Loop { body, .. } | Statement::Uniform { body, .. } => {
                        walk(body, seen);
                    }
                    Statement::Share { .. } => {}
                }
            }
        }
        walk(&self.body, seen);
    }
}

fn share(random: &mut Random, threads: u32) -> Statement {
    let distance = random.below(threads as usize) as u32;
    Statement::Share { from: random.below(WORDS), to: random.below(WORDS), distance }
}

fn statements(random: &mut Random, length: usize, depth: u32) -> Vec<Statement> {
    (0..length)
        .map(|_| match random.below(12) {
            0 if depth > 0 => Statement::If {
                pred: random.below(PREDS),
                then: statements(random, 3, depth - 1),
                other: statements(random, 2, depth - 1),
            },
            1 if depth > 0 => Statement::Loop {
                word: random.below(WORDS),
                body: statements(random, 3, depth - 1),
            },
            _ => Statement::Do(instruction(random)),
        })
        .collect()
}

fn instruction(random: &mut Random) -> Instruction {
    let all = templates();
    let template = &all[random.below(all.len())];
    let source = |random: &mut Random, class| {
        let float = template.opcode.contains(".f32") || template.opcode.contains(".f64");
        // Immediates of float types would have to be written as floats; registers hold those values too.
        if class != Class::Pred && !float && random.below(5) == 0 {
            return Source::Immediate(interesting(random));
        }
        Source::Register(class, random.below(count(class)))
    };
    let sources = template.sources.iter().map(|&class| source(random, class)).collect();
    Instruction {
        guard: (random.below(5) == 0).then(|| (random.below(PREDS), random.below(2) == 0)),
        opcode: template.opcode.clone(),
        result: (template.result, random.below(count(template.result))),
        sources,
        table: (template.opcode == "lop3.b32").then(|| random.next() as u8),
    }
}

struct Printer {
    out: String,
    labels: u32,
    threads: u32,
}

fn name(class: Class, n: usize) -> String {
    let letter = match class {
        Class::Half => 'h',
        Class::Word => 'w',
        Class::Long => 'l',
        Class::Pred => 'p',
    };
    format!("%{letter}{n}")
}

impl Printer {
    fn statements(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn line(&mut self, line: &str) {
        self.out += line;
        self.out.push('\n');
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Do(i) => self.instruction(i),
            Statement::If { pred, then, other } => {
                let n = self.label();
                self.line(&format!("@!%p{pred} bra ELSE{n};"));
                self.statements(then);
                self.line(&format!("bra END{n};\nELSE{n}:"));
                self.statements(other);
                self.line(&format!("END{n}:"));
            }
            Statement::Loop { word, body } => {
                let n = self.label();
                self.line(&format!("and.b32 %counter{n}, %w{word}, 3;\nLOOP{n}:"));
                self.line(&format!("setp.eq.u32 %loop, %counter{n}, 0;\n@%loop bra DONE{n};"));
                self.statements(body);
                self.line(&format!("sub.u32 %counter{n}, %counter{n}, 1;\nbra LOOP{n};\nDONE{n}:"));
            }
            Statement::Share { from, to, distance } => {
                let threads = self.threads;
                self.line("mov.u32 %addr, tile; mad.lo.u32 %addr, %me, 4, %addr;");
                self.line(&format!("st.shared.u32 [%addr], %w{from};\nbar.sync 0;"));
                self.line(&format!("add.u32 %x, %me, {distance}; rem.u32 %x, %x, {threads};"));
                self.line("mov.u32 %addr, tile; mad.lo.u32 %addr, %x, 4, %addr;");
                self.line(&format!("ld.shared.u32 %w{to}, [%addr];\nbar.sync 0;"));
            }
            Statement::Uniform { count, body } => {
                let n = self.label();
                self.line(&format!("mov.u32 %counter{n}, {count};\nTURN{n}:"));
                self.statements(body);
                self.line(&format!("sub.u32 %counter{n}, %counter{n}, 1;"));
                self.line(&format!("setp.ne.u32 %loop, %counter{n}, 0;\n@%loop bra TURN{n};"));
            }
        }
    }

    fn instruction(&mut self, i: &Instruction) {
        if let Some((pred, negated)) = i.guard {
            self.out += if negated { "@!" } else { "@" };
            self.out += &name(Class::Pred, pred);
            self.out.push(' ');
        }
        let mut operands = vec![name(i.result.0, i.result.1)];
        for source in &i.sources {
            operands.push(match *source {
                Source::Register(class, n) => name(class, n),
                Source::Immediate(bits) => format!("{}", bits as i64),
            });
        }
        operands.extend(i.table.map(|t| t.to_string()));
        let line = format!("{} {};", i.opcode, operands.join(", "));
        self.line(&line);
    }
}
