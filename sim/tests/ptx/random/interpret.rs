//! The reference: one thread at a time, one instruction at a time, opcodes taken apart as text.
//!
//! It shares no code with the machine: registers are plain integers, integer arithmetic is done in 128 bits,
//! and directed rounding goes another way (see `round`).

use super::catalogue::Class;
use super::generate::{
    Instruction, Program, Source, Statement, HALVES, LONGS, PREDS, THREAD_BYTES, WORDS,
};
use super::round;

#[derive(Clone)]
struct Thread {
    long: [u64; LONGS],
    word: [u32; WORDS],
    half: [u16; HALVES],
    pred: [bool; PREDS],
    carry: bool,
}

/// The final state of all threads.
pub fn interpret(program: &Program, input: &[u8]) -> Vec<u8> {
    let mut threads: Vec<Thread> = input.chunks(THREAD_BYTES).map(Thread::read).collect();
    together(&program.body, &mut threads);
    threads.iter().flat_map(Thread::write).collect()
}

/// Top-level statements: those with barriers need every thread, the others run thread by thread.
fn together(body: &[Statement], threads: &mut [Thread]) {
    for statement in body {
        match statement {
            Statement::Share { from, to, distance } => {
                let tile: Vec<u32> = threads.iter().map(|t| t.word[*from]).collect();
                for (n, thread) in threads.iter_mut().enumerate() {
                    thread.word[*to] = tile[(n + *distance as usize) % tile.len()];
                }
            }
            Statement::Uniform { count, body } => {
                (0..*count).for_each(|_| together(body, threads));
            }
            _ => threads.iter_mut().for_each(|t| t.statement(statement)),
        }
    }
}

impl Thread {
    fn read(bytes: &[u8]) -> Thread {
        let mut at = 0;
        let mut take = |n: usize| {
            let mut raw = [0; 8];
            raw[..n].copy_from_slice(&bytes[at..at + n]);
            at += n;
            u64::from_le_bytes(raw)
        };
        Thread {
            long: std::array::from_fn(|_| take(8)),
            word: std::array::from_fn(|_| take(4) as u32),
            half: std::array::from_fn(|_| take(2) as u16),
            pred: std::array::from_fn(|_| take(4) != 0),
            carry: false,
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.long.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        self.word.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        self.half.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        self.pred.iter().for_each(|&v| out.extend_from_slice(&u32::from(v).to_le_bytes()));
        out
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Do(i) => self.instruction(i),
            Statement::If { pred, then, other } => {
                let arm = if self.pred[*pred] { then } else { other };
                arm.iter().for_each(|s| self.statement(s));
            }
            Statement::Loop { word, body } => {
                for _ in 0..self.word[*word] & 3 {
                    body.iter().for_each(|s| self.statement(s));
                }
            }
            Statement::Share { .. } | Statement::Uniform { .. } => {
                unreachable!("barriers stand at top level only")
            }
        }
    }

    fn source(&self, source: Source) -> u64 {
        match source {
            Source::Register(Class::Long, n) => self.long[n],
            Source::Register(Class::Word, n) => self.word[n].into(),
            Source::Register(Class::Half, n) => self.half[n].into(),
            Source::Register(Class::Pred, n) => self.pred[n].into(),
            Source::Immediate(bits) => bits,
        }
    }

    fn instruction(&mut self, i: &Instruction) {
        if i.guard.is_some_and(|(p, negated)| self.pred[p] == negated) {
            return;
        }
        let s: Vec<u64> = i.sources.iter().map(|&s| self.source(s)).collect();
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let value = self.value(&parts, &s, i.table);
        match i.result {
            (Class::Long, n) => self.long[n] = value,
            (Class::Word, n) => self.word[n] = value as u32,
            (Class::Half, n) => self.half[n] = value as u16,
            (Class::Pred, n) => self.pred[n] = value & 1 != 0,
        }
    }

    fn value(&mut self, parts: &[&str], s: &[u64], table: Option<u8>) -> u64 {
        let has = |m: &str| parts.contains(&m);
        let ty = parts[parts.len() - 1];
        let op = parts[0];
        match op {
            "cvt" => convert(parts, s[0]),
            "set" => 0u64.wrapping_sub(relation(parts[1], ty, s[0], s[1]).into()),
            "setp" => {
                let holds = relation(parts[1], ty, s[0], s[1]);
                u64::from(if has("xor") { holds != (s[2] & 1 != 0) } else { holds })
            }
            "testp" => u64::from(class_of(parts[1], s[0] as u32)),
            "mov" => s[0],
            "selp" => s[if s[2] & 1 != 0 { 0 } else { 1 }],
            "slct" if ty == "f32" => s[if f32::from_bits(s[2] as u32) >= 0.0 { 0 } else { 1 }],
            "slct" => s[if (s[2] as i32) >= 0 { 0 } else { 1 }],
            _ if ty == "pred" => match op {
                "and" => s[0] & s[1],
                "or" => s[0] | s[1],
                "xor" => s[0] ^ s[1],
                "not" => s[0] ^ 1,
                _ => s[0],
            },
            _ if ty == "f32" => u64::from(single(parts, s).to_bits()),
            _ if ty == "f64" => double(parts, s).to_bits(),
            "addc" | "subc" | "madc" => self.carried(parts, s, ty),
            _ if has("cc") => self.carried(parts, s, ty),
            _ => integer(parts, s, ty, table),
        }
    }

    /// Arithmetic through the carry flag, in 128-bit unsigned integers.
    fn carried(&mut self, parts: &[&str], s: &[u64], ty: &str) -> u64 {
        let bits = width(ty);
        let modulus = 1u128 << bits;
        let reads = parts[0].ends_with('c') && parts[0] != "mad";
        let carry = u128::from(reads && self.carry);
        let u = |n: usize| u128::from(s[n]) % modulus;
        let total = match parts[0] {
            "add" | "addc" => u(0) + u(1) + carry,
            "sub" | "subc" => u(0).wrapping_sub(u(1)).wrapping_sub(carry),
            _ => {
                let product = int(ty, s[0]).wrapping_mul(int(ty, s[1])) as u128;
                let half = if parts.contains(&"hi") { product >> bits } else { product };
                half % modulus + u(2) + carry
            }
        };
        if parts.contains(&"cc") {
            // A borrow wraps below zero and so fills every bit above the width, too.
            self.carry = total >> bits != 0;
        }
        (total % modulus) as u64
    }
}

fn width(ty: &str) -> u32 {
    ty[1..].parse().unwrap_or(32)
}

/// The value of a typed integer.
fn int(ty: &str, bits: u64) -> i128 {
    let unused = 128 - width(ty);
    let shifted = u128::from(bits) << unused;
    if ty.starts_with('s') {
        shifted as i128 >> unused
    } else {
        (shifted >> unused) as i128
    }
}

fn limits(ty: &str) -> (i128, i128) {
    let bits = width(ty);
    if ty.starts_with('s') {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

fn integer(parts: &[&str], s: &[u64], ty: &str, table: Option<u8>) -> u64 {
    let has = |m: &str| parts.contains(&m);
    let bits = width(ty);
    let v = |n: usize| int(ty, s[n]);
    let ones = !0i128;
    let value: i128 = match parts[0] {
        "add" if has("sat") => (v(0) + v(1)).clamp(limits(ty).0, limits(ty).1),
        "sub" if has("sat") => (v(0) - v(1)).clamp(limits(ty).0, limits(ty).1),
        "add" => v(0) + v(1),
        "sub" => v(0) - v(1),
        "mul" if has("hi") => v(0).wrapping_mul(v(1)) >> bits & ((1 << bits) - 1),
        "mul" => v(0).wrapping_mul(v(1)),
        "mad" if has("wide") => {
            let wide = ty.replace("32", "64").replace("16", "32");
            v(0) * v(1) + int(&wide, s[2])
        }
        "mad" if has("sat") => (((v(0) * v(1)) >> 32) + v(2)).clamp(limits(ty).0, limits(ty).1),
        "mad" if has("hi") => {
            ((v(0).wrapping_mul(v(1)) as u128 >> bits) as i128).wrapping_add(v(2))
        }
        "mad" => v(0).wrapping_mul(v(1)).wrapping_add(v(2)),
        "sad" => v(2) + (v(0) - v(1)).abs(),
        "div" if v(1) == 0 => ones,
        "div" => v(0) / v(1),
        "rem" if v(1) == 0 => v(0),
        "rem" => v(0) % v(1),
        "min" => v(0).min(v(1)),
        "max" => v(0).max(v(1)),
        "neg" => -v(0),
        "abs" => v(0).abs(),
        "and" => v(0) & v(1),
        "or" => v(0) | v(1),
        "xor" => v(0) ^ v(1),
        "not" => !v(0),
        "cnot" => i128::from(v(0) == 0),
        "shl" => match s[1] as u32 {
            n if n >= bits => 0,
            n => v(0) << n,
        },
        "shr" => v(0) >> (s[1] as u32).min(bits),
        "popc" => (0..bits).filter(|n| v(0) >> n & 1 != 0).count() as i128,
        "clz" => (0..bits).rev().take_while(|n| v(0) >> n & 1 == 0).count() as i128,
        "brev" => (0..bits).fold(0, |all, n| all << 1 | v(0) >> n & 1),
        "bfind" => {
            let x = if v(0) < 0 { !v(0) } else { v(0) };
            match (0..bits).rev().find(|n| x >> n & 1 != 0) {
                None => ones,
                Some(n) if has("shiftamt") => i128::from(bits - 1 - n),
                Some(n) => n.into(),
            }
        }
        "bfe" => {
            let (pos, len) = ((s[1] & 0xff) as u32, (s[2] & 0xff) as u32);
            let bit = |n: u32| v(0) >> n & 1;
            let sign = match ty.starts_with('s') && len > 0 {
                true => bit((pos + len - 1).min(bits - 1)),
                false => 0,
            };
            (0..bits).fold(0, |all, n| {
                all | if n < len && pos + n < bits { bit(pos + n) } else { sign } << n
            })
        }
        "bfi" => {
            let (pos, len) = ((s[2] & 0xff) as u32, (s[3] & 0xff) as u32);
            (0..bits).fold(0, |all, n| {
                let inside = n >= pos && n - pos < len;
                all | if inside { v(0) >> (n - pos) & 1 } else { v(1) >> n & 1 } << n
            })
        }
        "prmt" => {
            let bytes: Vec<u8> =
                [s[0] as u32, s[1] as u32].iter().flat_map(|w| w.to_le_bytes()).collect();
            let pick = |n: u32| {
                let selector = (s[2] >> (4 * n) & 15) as usize;
                let byte = bytes[selector & 7];
                match (selector > 7, byte > 127) {
                    (false, _) => byte,
                    (true, true) => 255,
                    (true, false) => 0,
                }
            };
            (0..4).fold(0, |all, n| all | i128::from(pick(n)) << (8 * n))
        }
        "lop3" => {
            let table = table.unwrap_or(0);
            let bit = |x: u64, n: u32| (x >> n & 1) as u32;
            (0..32).fold(0, |all, n| {
                let row = bit(s[0], n) * 4 + bit(s[1], n) * 2 + bit(s[2], n);
                all | i128::from(table >> row & 1) << n
            })
        }
        "shf" => {
            let both = (s[1] & 0xffff_ffff) << 32 | s[0] & 0xffff_ffff;
            let c = s[2] as u32;
            let n = if has("wrap") { c % 32 } else { c.min(32) };
            let wide = u128::from(both);
            (if has("l") { wide << n >> 32 } else { wide >> n } & 0xffff_ffff) as i128
        }
        other => unreachable!("{other}"),
    };
    value as u64
}

fn single(parts: &[&str], s: &[u64]) -> f32 {
    let has = |m: &str| parts.contains(&m);
    let flush = |x: f32| {
        if has("ftz") && x.is_subnormal() {
            x * 0.0
        } else {
            x
        }
    };
    let v = |n: usize| flush(f32::from_bits(s[n] as u32));
    let mode = ["rz", "rm", "rp"].into_iter().find(|m| has(m)).unwrap_or("rn");
    let smaller = |a: f32, b: f32| a < b || a == b && a.is_sign_negative();
    let result = match parts[0] {
        "neg" => return f32::from_bits(v(0).to_bits() ^ 1 << 31),
        "abs" => return f32::from_bits(v(0).to_bits() & !(1 << 31)),
        "copysign" => {
            return f32::from_bits(s[1] as u32 & !(1 << 31) | s[0] as u32 & 1 << 31);
        }
        // Adding is multiplying by one first; minus zero must not become plus zero.
        "add" => round::fma(v(0), 1.0, v(1), mode),
        "sub" => round::fma(v(1), -1.0, v(0), mode),
        "mul" => round::mul(v(0), v(1), mode),
        "fma" => round::fma(v(0), v(1), v(2), mode),
        "div" => round::div(v(0), v(1), mode),
        "rcp" => round::div(1.0, v(0), mode),
        "sqrt" => round::sqrt(v(0), mode),
        "min" | "max" => match (v(0), v(1)) {
            (a, b) if a.is_nan() || b.is_nan() => match has("NaN") || a.is_nan() && b.is_nan() {
                true => f32::NAN,
                false if a.is_nan() => b,
                false => a,
            },
            (a, b) if (parts[0] == "min") == smaller(a, b) => a,
            (_, b) => b,
        },
        other => unreachable!("{other}"),
    };
    if has("sat") {
        return if result.is_nan() || result <= 0.0 { 0.0 } else { result.min(1.0) };
    }
    if result.is_nan() {
        f32::from_bits(0x7fff_ffff)
    } else {
        flush(result)
    }
}

fn double(parts: &[&str], s: &[u64]) -> f64 {
    let v = |n: usize| f64::from_bits(s[n]);
    let smaller = |a: f64, b: f64| a < b || a == b && a.is_sign_negative();
    let result = match parts[0] {
        "neg" => return f64::from_bits(s[0] ^ 1 << 63),
        "abs" => return f64::from_bits(s[0] & !(1 << 63)),
        "copysign" => return f64::from_bits(s[1] & !(1 << 63) | s[0] & 1 << 63),
        "add" => v(0) + v(1),
        "sub" => v(0) - v(1),
        "mul" => v(0) * v(1),
        "div" => v(0) / v(1),
        "fma" => v(0).mul_add(v(1), v(2)),
        "sqrt" => v(0).sqrt(),
        "min" | "max" => match (v(0), v(1)) {
            (a, b) if a.is_nan() => b,
            (a, b) if b.is_nan() => a,
            (a, b) if (parts[0] == "min") == smaller(a, b) => a,
            (_, b) => b,
        },
        other => unreachable!("{other}"),
    };
    if result.is_nan() {
        f64::from_bits(0x7ff8 << 48)
    } else {
        result
    }
}

fn relation(relation: &str, ty: &str, a: u64, b: u64) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match ty {
        "f32" => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        "f64" => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        _ => Some(int(ty, a).cmp(&int(ty, b))),
    };
    match relation {
        "eq" => order == Some(Equal),
        "ne" => order.is_some_and(|o| o != Equal),
        "lt" => order == Some(Less),
        "le" => order.is_some_and(|o| o != Greater),
        "gt" => order == Some(Greater),
        "ge" => order.is_some_and(|o| o != Less),
        "equ" => order.is_none_or(|o| o == Equal),
        "neu" => order != Some(Equal),
        "ltu" => order.is_none_or(|o| o == Less),
        "leu" => order != Some(Greater),
        "gtu" => order.is_none_or(|o| o == Greater),
        "geu" => order != Some(Less),
        "num" => order.is_some(),
        _ => order.is_none(),
    }
}

fn class_of(test: &str, bits: u32) -> bool {
    let (exponent, fraction) = (bits >> 23 & 255, bits & 0x7f_ffff);
    match test {
        "finite" => exponent != 255,
        "infinite" => exponent == 255 && fraction == 0,
        "number" => exponent != 255 || fraction == 0,
        "notanumber" => exponent == 255 && fraction != 0,
        "normal" => exponent != 0 && exponent != 255,
        _ => exponent == 0 && fraction != 0,
    }
}

fn convert(parts: &[&str], bits: u64) -> u64 {
    let (to, from) = (parts[parts.len() - 2], parts[parts.len() - 1]);
    let mode = parts[1];
    let (to_float, from_float) = (to.starts_with('f'), from.starts_with('f'));
    let value = match from {
        "f32" => f64::from(f32::from_bits(bits as u32)),
        "f64" => f64::from_bits(bits),
        _ => 0.0,
    };
    if !from_float && !to_float {
        let value = int(from, bits);
        let (low, high) = limits(to);
        return if mode == "sat" { value.clamp(low, high) as u64 } else { value as u64 };
    }
    if !from_float {
        let value = int(from, bits);
        return match to {
            "f32" => round::from_int(value, mode).to_bits().into(),
            _ => (value as f64).to_bits(),
        };
    }
    let integral = match mode {
        "rni" => {
            let down = value.floor();
            match value - down {
                f if f < 0.5 => down,
                f if f > 0.5 => down + 1.0,
                _ if value.is_infinite() || down % 2.0 == 0.0 => down,
                _ => down + 1.0,
            }
        }
        "rzi" => value.trunc(),
        "rmi" => value.floor(),
        "rpi" => value.ceil(),
        _ => value,
    };
    if !to_float {
        if value.is_nan() {
            let wide = from == "f64" || to.ends_with("64");
            return if wide { 1 << (width(to) - 1) } else { 0 };
        }
        let (low, high) = limits(to);
        // Limits that a double cannot hold round outwards, so comparing as integers comes last.
        let clamped = integral.clamp(-2e19, 2e19) as i128;
        return clamped.clamp(low, high) as u64;
    }
    let nan_bits = if to == "f32" { 0x7fff_ffff } else { 0x7ff8 << 48 };
    if value.is_nan() {
        return if mode == "sat" { 0 } else { nan_bits };
    }
    match (to, mode) {
        ("f32", "sat") => (value.clamp(0.0, 1.0) as f32 + 0.0).to_bits().into(),
        ("f32", "rz" | "rm" | "rp") => round::from_double(value, mode).to_bits().into(),
        ("f32", "rni" | "rzi" | "rmi" | "rpi") => {
            let signed = if integral == 0.0 { 0f64.copysign(value) } else { integral };
            (signed as f32).to_bits().into()
        }
        ("f32", _) => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}
