//! Turns add, subtract, multiply and fused multiply-add into one form, a product and an addend.
//!
//! a + b is a * 1 + b, and a * b is a * b + (-0). The addend starts as far left of the product as it
//! ever needs to be and moves right by `shift`; if it stays there, the product lies below all its bits
//! and how far below does not matter. Combinational.

use super::float_unpack::{self, FloatUnpack};
use super::Unit;

/// What is asked for, by the two low bits of the operation code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    Mul,
    Fma,
}

crate::io! {
    /// Inputs of [`FmaPrepare`].
    pub struct In {
        /// 0 add, 1 subtract, 2 multiply, 3 fused multiply-add.
        kind: u8, 2;
        /// First operand.
        operand_a: u32, 32;
        /// Second operand.
        operand_b: u32, 32;
        /// Third operand.
        operand_c: u32, 32;
    }
}

crate::io! {
    /// Outputs of [`FmaPrepare`].
    pub struct Out {
        /// First factor.
        multiplicand: u32, 24, from [operand_a];
        /// Second factor.
        multiplier: u32, 24, from [kind, operand_b];
        /// What is added to the product.
        addend: u32, 24, from [kind, operand_b, operand_c];
        /// How far the addend moves right.
        shift: u8, 7, from [kind, operand_a, operand_b, operand_c];
        /// Biased exponent of the adder's leftmost bit.
        exponent: u16, 9, from [kind, operand_a, operand_b, operand_c];
        /// Sign of the product, or of an infinite result.
        sign: bool, 1, from [kind, operand_a, operand_b, operand_c];
        /// The addend is to be subtracted from the product.
        subtract: bool, 1, from [kind, operand_a, operand_b, operand_c];
        /// The result is not a number.
        nan: bool, 1, from [kind, operand_a, operand_b, operand_c];
        /// The result is infinite, because an operand is.
        infinite: bool, 1, from [kind, operand_a, operand_b, operand_c];
    }
}

/// Operand selection, exponents, signs and special cases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FmaPrepare;

impl Unit for FmaPrepare {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { kind, operand_a, operand_b, operand_c } = inputs;
        let kind = [Kind::Add, Kind::Sub, Kind::Mul, Kind::Fma][usize::from(kind & 3)];
        let one = 1f32.to_bits();
        let minus_zero = (-0f32).to_bits();
        let [x, y, z] = match kind {
            Kind::Add => [operand_a, one, operand_b],
            Kind::Sub => [operand_a, one, operand_b ^ minus_zero],
            Kind::Mul => [operand_a, operand_b, minus_zero],
            Kind::Fma => [operand_a, operand_b, operand_c],
        }
        .map(|word| FloatUnpack.eval(&float_unpack::In { word }));

        // The product's lowest bit weighs 2^(x + y - 300), the addend's 2^(z - 150), and the addend
        // starts 50 bits to the left of the product's lowest.
        let product = i32::from(x.exponent) + i32::from(y.exponent) - 100;
        let addend = i32::from(z.exponent);
        let product_zero = x.significand == 0 || y.significand == 0;
        let stays = product_zero || product < addend;
        let product_infinite = x.infinite || y.infinite;
        let product_sign = x.sign != y.sign;
        let opposite = product_sign != z.sign;
        let nan = [&x, &y, &z].iter().any(|number| number.nan)
            || product_infinite && (product_zero || z.infinite && opposite);
        Out {
            multiplicand: x.significand,
            multiplier: y.significand,
            addend: z.significand,
            shift: if stays { 0 } else { (product - addend).min(127) as u8 },
            exponent: if stays { addend } else { product } as u16,
            sign: if product_infinite || !z.infinite { product_sign } else { z.sign },
            subtract: opposite && !product_infinite && !z.infinite,
            nan,
            infinite: !nan && (product_infinite || z.infinite),
        }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
