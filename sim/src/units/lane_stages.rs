//! An operation on its way through the stages of the reference lane: what each stage is given.
//!
//! [`SimtLane`](super::simt_lane::SimtLane) says what comes out in the end. Here the models of the stages
//! are put one after the other, as the RTL has them, so that the two can be held against each other and
//! every stage can be tried with inputs that really occur.

use super::simt_lane::{Op, Subnormals};
use super::{
    addend_align, fma_add, fma_prepare, int_unit, normalise_coarse, normalise_fine, product_tree,
    round_pack, Unit,
};

/// The inputs of every stage for one operation.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Operations without product.
    pub int_unit: int_unit::In,
    /// Operands of a multiply-add of floats.
    pub prepare: fma_prepare::In,
    /// The product.
    pub tree: product_tree::In,
    /// The addend.
    pub align: addend_align::In,
    /// Their sum.
    pub add: fma_add::In,
    /// Normalisation by multiples of 16.
    pub coarse: normalise_coarse::In,
    /// The rest of normalisation.
    pub fine: normalise_fine::In,
    /// Rounding.
    pub round: round_pack::In,
}

impl Passage {
    /// Sends an operation through the stages.
    pub fn of(op: Op, subnormals: Subnormals, operands: [u32; 3]) -> Self {
        let [operand_a, operand_b, operand_c] = match op.is_float() {
            true => operands.map(|operand| subnormals.pass(operand)),
            false => operands,
        };
        let int_unit = int_unit::In { op: op.code(), operand_a, operand_b };
        let prepare = fma_prepare::In { kind: op.code() & 3, operand_a, operand_b, operand_c };
        let prepared = fma_prepare::FmaPrepare.eval(&prepare);
        let simple = int_unit::IntUnit.eval(&int_unit).result;
        let float = matches!(op, Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma);
        let (multiplicand, multiplier, addend) = match op {
            _ if float => (prepared.multiplicand, prepared.multiplier, prepared.addend),
            Op::Mul => (operand_a, operand_b, 0),
            Op::Mad => (operand_a, operand_b, operand_c),
            _ => (0, 0, simple),
        };
        let tree = product_tree::In { multiplicand, multiplier };
        let product_tree::Out { sum, carry } = product_tree::ProductTree.eval(&tree);
        let align = addend_align::In { float, addend, shift: prepared.shift };
        let addend_align::Out { aligned, sticky } = addend_align::AddendAlign.eval(&align);
        let subtract = float && prepared.subtract;
        let add = fma_add::In { sum, carry, aligned, sticky, subtract };
        let fma_add::Out { magnitude, negative } = fma_add::FmaAdd.eval(&add);
        let room = prepared.exponent - 1;
        let coarse = normalise_coarse::In { float, magnitude, negative, sticky, room };
        let normalised = normalise_coarse::NormaliseCoarse.eval(&coarse);
        let fine = normalise_fine::In {
            float,
            window: normalised.window,
            negative,
            room: normalised.room_left,
        };
        let shifted = normalise_fine::NormaliseFine.eval(&fine);
        let round = round_pack::In {
            float,
            window: shifted.shifted,
            inexact: normalised.inexact,
            negative,
            room: shifted.room_left,
            sign: (prepared.sign != negative) && !(subtract && normalised.zero),
            nan: prepared.nan,
            infinite: prepared.infinite,
        };
        Self { int_unit, prepare, tree, align, add, coarse, fine, round }
    }

    /// What comes out of the last stage.
    pub fn result(&self, subnormals: Subnormals) -> u32 {
        round_pack::RoundPack::new(subnormals).eval(&self.round).result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::simt_lane::compute;

    #[test]
    fn the_stages_one_after_the_other_compute_what_the_lane_computes() {
        let mut state = 1u64;
        let mut random = |limit: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (((state >> 32) * u64::from(limit)) >> 32) as u32
        };
        for _ in 0..200_000 {
            // Exponents close to each other, to the ends of the range, or anywhere.
            let centre = [0, 1, 2, 100, 127, 150, 250, 255][random(8) as usize];
            let operands = [(); 3].map(|()| {
                let exponent = match random(3) {
                    0 => random(256),
                    _ => (centre + random(5)).clamp(2, 257) - 2,
                };
                let fraction = [0, 1, 0x7f_ffff, 0x40_0000, random(1 << 23)][random(5) as usize];
                random(2) << 31 | exponent << 23 | fraction
            });
            let any = Op::decode(random(64) as u8).unwrap_or(Op::Mad);
            for op in [Op::FloatAdd, Op::FloatMul, Op::FloatFma, any] {
                for subnormals in [Subnormals::Full, Subnormals::Flush] {
                    let result = Passage::of(op, subnormals, operands).result(subnormals);
                    let expected = compute(op, subnormals, operands);
                    assert_eq!(result, expected, "{op:?} of {operands:x?}, {subnormals:?}");
                }
            }
        }
    }
}
