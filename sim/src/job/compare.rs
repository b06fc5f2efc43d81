//! Expectations: two arrays compared element by element, exactly or within a tolerance.

use std::fmt;

use super::element::ElementType;

/// An expectation that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The buffer.
    pub buffer: String,
    /// What it was compared with.
    pub expected: String,
    /// Index of the first element that differs.
    pub index: usize,
    /// What it is there.
    pub got: String,
    /// What it should be.
    pub want: String,
    /// How many elements differ.
    pub differing: usize,
    /// How many were compared.
    pub compared: usize,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { buffer, expected, index, got, want, differing, compared } = self;
        write!(
            f,
            "`{buffer}` differs from {expected}: element {index} is {got}, expected {want}; \
             {differing} of {compared} elements differ"
        )
    }
}

/// The first difference (index, got, want) and how many there are; the arrays have the same length.
pub(super) fn differences(
    ty: ElementType,
    got: &[u8],
    want: &[u8],
    (abs, rel): (f64, f64),
) -> Option<(usize, String, String, usize)> {
    let size = ty.bytes();
    let differs = |got: &[u8], want: &[u8]| {
        if got == want {
            return false;
        }
        if ty.is_float() {
            let (got, want) = (ty.float(got), ty.float(want));
            return !close(got, want, abs, rel);
        }
        let difference = (ty.int(got) - ty.int(want)).abs() as f64;
        difference > abs + rel * (ty.int(want).abs() as f64)
    };
    let mut count = 0;
    let mut first = None;
    for (i, (got, want)) in got.chunks_exact(size).zip(want.chunks_exact(size)).enumerate() {
        if differs(got, want) {
            count += 1;
            first.get_or_insert((i, got, want));
        }
    }
    first.map(|(i, got, want)| (i, show(ty, got), show(ty, want), count))
}

/// Without a tolerance only the same bits are equal (and any NaN equals any NaN).
fn close(got: f64, want: f64, abs: f64, rel: f64) -> bool {
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    if abs == 0.0 && rel == 0.0 {
        return got.to_bits() == want.to_bits();
    }
    got == want
        || want.is_finite() && got.is_finite() && (got - want).abs() <= abs + rel * want.abs()
}

fn show(ty: ElementType, bytes: &[u8]) -> String {
    match ty {
        ElementType::F32 => format!("{:?}", ty.float(bytes) as f32),
        ElementType::F64 => format!("{:?}", ty.float(bytes)),
        _ => ty.int(bytes).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn the_first_difference_and_the_count() {
        let (got, want) = (f32s(&[1.0, 2.5, 3.0, f32::NAN]), f32s(&[1.0, 2.0, 4.0, -f32::NAN]));
        let found = differences(ElementType::F32, &got, &want, (0.0, 0.0));
        assert_eq!(found, Some((1, "2.5".into(), "2.0".into(), 2)));
        assert_eq!(differences(ElementType::F32, &got, &want, (0.5, 0.125)), None);
    }

    #[test]
    fn bit_exact_means_signed_zeros_differ_and_infinities_never_tolerate() {
        let zeros = (f32s(&[0.0]), f32s(&[-0.0]));
        assert!(differences(ElementType::F32, &zeros.0, &zeros.1, (0.0, 0.0)).is_some());
        assert!(differences(ElementType::F32, &zeros.0, &zeros.1, (1e-9, 0.0)).is_none());
        let wide = (f32s(&[f32::MAX]), f32s(&[f32::INFINITY]));
        assert!(differences(ElementType::F32, &wide.0, &wide.1, (0.0, 1.0)).is_some());
        let ints = ([255u8], [0u8]);
        let found = differences(ElementType::S8, &ints.0, &ints.1, (0.0, 0.0));
        assert_eq!(found, Some((0, "-1".into(), "0".into(), 1)));
    }
}
