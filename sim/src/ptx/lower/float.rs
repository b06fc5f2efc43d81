//! Floating-point arithmetic: rounding, `.ftz`, `.sat` and the approximate forms.

use super::modifiers::Modifiers;
use super::{Lower, Result};
use crate::ptx::ir::{FloatBinary, FloatMode, FloatTest, FloatType, FloatUnary, Op, Round};
use crate::ptx::source::PtxError;
use crate::ptx::syntax::Instruction;
use crate::ptx::types::Type;

/// How the result is rounded, as written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Unsaid,
    Rounded(Round),
    Approx,
    Full,
}

impl<'a> Lower<'a> {
    pub(super) fn float(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        if i.opcode.text == "testp" {
            return self.testp(i, m);
        }
        let precision = match m.take_round() {
            Some(round) => Precision::Rounded(round),
            None if m.take(".approx") => Precision::Approx,
            None if m.take(".full") => Precision::Full,
            None => Precision::Unsaid,
        };
        let (ftz, sat, nan) = (m.take(".ftz"), m.take(".sat"), m.take(".NaN"));
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let float = match ty {
            Type::F32 => FloatType::F32,
            Type::F64 => FloatType::F64,
            _ => return Err(self.unsupported(i)),
        };
        let round = match precision {
            Precision::Rounded(round) => round,
            _ => Round::Nearest,
        };
        let approximate_double = matches!(i.opcode.text, "rcp" | "rsqrt");
        if float == FloatType::F64 && (sat || nan || ftz && !approximate_double) {
            return Err(self.unsupported(i).with_help("f64 has no .ftz, .sat or .NaN"));
        }
        let arithmetic = matches!(i.opcode.text, "add" | "sub" | "mul" | "fma" | "mad");
        if sat && !arithmetic || nan && !matches!(i.opcode.text, "min" | "max") {
            return Err(self.unsupported(i));
        }
        let mode = FloatMode { round, ftz, sat };
        match i.opcode.text {
            "fma" | "mad" => {
                if !matches!(precision, Precision::Rounded(_)) {
                    return Err(self.needs_rounding(i));
                }
                self.arity(i, 4)?;
                let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
                let (b, c) = (self.src(i, 2, ty)?, self.src(i, 3, ty)?);
                self.emit(Op::Fma { ty: float, mode, d, a, b, c })
            }
            "add" | "sub" | "mul" | "div" | "min" | "max" | "copysign" => {
                let f = self.binary(i, precision, nan, float)?;
                self.arity(i, 3)?;
                let (d, a, b) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
                self.emit(Op::Float2 { f, ty: float, mode, d, a, b })
            }
            _ => {
                let f = self.unary(i, precision, float)?;
                self.arity(i, 2)?;
                let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
                self.emit(Op::Float1 { f, ty: float, mode, d, a })
            }
        }
    }

    fn binary(
        &self,
        i: &Instruction<'a>,
        precision: Precision,
        nan: bool,
        ty: FloatType,
    ) -> Result<FloatBinary> {
        use Precision::{Approx, Full, Rounded, Unsaid};
        Ok(match (i.opcode.text, precision) {
            ("add", Rounded(_) | Unsaid) => FloatBinary::Add,
            ("sub", Rounded(_) | Unsaid) => FloatBinary::Sub,
            ("mul", Rounded(_) | Unsaid) => FloatBinary::Mul,
            ("div", Rounded(_)) => FloatBinary::Div,
            ("div", Approx) if ty == FloatType::F32 => FloatBinary::DivApprox,
            ("div", Full) if ty == FloatType::F32 => FloatBinary::DivFull,
            ("div", Unsaid) => return Err(self.needs_rounding(i)),
            ("min", Unsaid) if nan => FloatBinary::MinNan,
            ("max", Unsaid) if nan => FloatBinary::MaxNan,
            ("min", Unsaid) => FloatBinary::Min,
            ("max", Unsaid) => FloatBinary::Max,
            ("copysign", Unsaid) => FloatBinary::Copysign,
            _ => return Err(self.unsupported(i)),
        })
    }

    fn unary(
        &self,
        i: &Instruction<'a>,
        precision: Precision,
        ty: FloatType,
    ) -> Result<FloatUnary> {
        use Precision::{Approx, Rounded, Unsaid};
        let single = ty == FloatType::F32;
        Ok(match (i.opcode.text, precision) {
            ("neg", Unsaid) => FloatUnary::Neg,
            ("abs", Unsaid) => FloatUnary::Abs,
            ("rcp", Rounded(_)) => FloatUnary::Rcp,
            ("sqrt", Rounded(_)) => FloatUnary::Sqrt,
            ("rcp", Approx) => FloatUnary::RcpApprox,
            ("sqrt", Approx) if single => FloatUnary::SqrtApprox,
            ("rsqrt", Approx) => FloatUnary::RsqrtApprox,
            ("sin", Approx) if single => FloatUnary::SinApprox,
            ("cos", Approx) if single => FloatUnary::CosApprox,
            ("lg2", Approx) if single => FloatUnary::Lg2Approx,
            ("ex2", Approx) if single => FloatUnary::Ex2Approx,
            ("tanh", Approx) if single => FloatUnary::TanhApprox,
            ("rcp" | "sqrt", Unsaid) => return Err(self.needs_rounding(i)),
            _ => return Err(self.unsupported(i)),
        })
    }

    fn needs_rounding(&self, i: &Instruction<'a>) -> Box<PtxError> {
        let mnemonic = i.mnemonic();
        let message = format!("`{mnemonic}` does not say how to round");
        let error = self.error_at(i.opcode.at, mnemonic.len(), message);
        error.with_help("add .rn, .rz, .rm or .rp (or .approx where the ISA has it)")
    }

    fn testp(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let test = m.take_of(&[
            (".finite", FloatTest::Finite),
            (".infinite", FloatTest::Infinite),
            (".number", FloatTest::Number),
            (".notanumber", FloatTest::NotANumber),
            (".normal", FloatTest::Normal),
            (".subnormal", FloatTest::Subnormal),
        ]);
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let float = match ty {
            Type::F32 => FloatType::F32,
            Type::F64 => FloatType::F64,
            _ => return Err(self.unsupported(i)),
        };
        let test = test.ok_or_else(|| self.unsupported(i))?;
        self.arity(i, 2)?;
        let (d, a) = (self.dst(i, 0, Type::Pred)?, self.src(i, 1, ty)?);
        self.emit(Op::Testp { test, ty: float, d, a })
    }
}
