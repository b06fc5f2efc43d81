//! Directed rounding of singles from the nearest result and the sign of its error.
//!
//! Doubles hold products of singles exactly, and the error of a sum of doubles is itself a double, so the
//! side on which the exact result lies is known without any wide integers: another way than the machine's.

use std::cmp::Ordering;

/// Towards plus infinity.
pub fn up(x: f32) -> f32 {
    match x {
        0.0 => f32::from_bits(1),
        x if x > 0.0 => f32::from_bits(x.to_bits() + 1),
        _ => f32::from_bits(x.to_bits() - 1),
    }
}

/// Towards minus infinity.
pub fn down(x: f32) -> f32 {
    -up(-x)
}

/// Moves a nearest result to the wanted side; `exact` is how the exact result compares with it.
fn adjust(nearest: f32, exact: Ordering, mode: &str) -> f32 {
    match (mode, exact) {
        ("rp", Ordering::Greater) => up(nearest),
        ("rm", Ordering::Less) => down(nearest),
        ("rz", Ordering::Greater) if nearest < 0.0 => up(nearest),
        ("rz", Ordering::Less) if nearest > 0.0 => down(nearest),
        _ => nearest,
    }
}

fn side(exact: f64, error: f64, nearest: f32) -> Ordering {
    if nearest.is_infinite() {
        return if nearest > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    let difference = exact - f64::from(nearest);
    let decisive = if difference != 0.0 { difference } else { error };
    decisive.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// `a * b + c` of singles.
pub fn fma(a: f32, b: f32, c: f32, mode: &str) -> f32 {
    let nearest = a.mul_add(b, c);
    if !(a.is_finite() && b.is_finite() && c.is_finite()) || mode == "rn" {
        return nearest;
    }
    let (p, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = p + c;
    let back = sum - p;
    let error = (p - (sum - back)) + (c - back);
    if sum == 0.0 && error == 0.0 {
        let both_plus = p.is_sign_positive() && c.is_sign_positive();
        return if mode == "rm" && !both_plus { -0.0 } else { nearest };
    }
    adjust(nearest, side(sum, error, nearest), mode)
}

pub fn mul(a: f32, b: f32, mode: &str) -> f32 {
    let nearest = a * b;
    if !(a.is_finite() && b.is_finite()) || mode == "rn" {
        return nearest;
    }
    adjust(nearest, side(f64::from(a) * f64::from(b), 0.0, nearest), mode)
}

pub fn div(a: f32, b: f32, mode: &str) -> f32 {
    let nearest = a / b;
    if !(a.is_finite() && b.is_finite()) || b == 0.0 || mode == "rn" {
        return nearest;
    }
    if nearest.is_infinite() {
        return adjust(nearest, side(0.0, 0.0, nearest), mode);
    }
    let rest = f64::from(a) - f64::from(nearest) * f64::from(b);
    let exact = (rest * f64::from(b).signum()).partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    adjust(nearest, exact, mode)
}

pub fn sqrt(a: f32, mode: &str) -> f32 {
    let nearest = a.sqrt();
    if !a.is_finite() || a <= 0.0 || mode == "rn" {
        return nearest;
    }
    let rest = f64::from(a) - f64::from(nearest) * f64::from(nearest);
    adjust(nearest, rest.partial_cmp(&0.0).unwrap_or(Ordering::Equal), mode)
}

pub fn from_double(a: f64, mode: &str) -> f32 {
    let nearest = a as f32;
    if !a.is_finite() || mode == "rn" {
        return nearest;
    }
    adjust(nearest, side(a, 0.0, nearest), mode)
}

pub fn from_int(a: i128, mode: &str) -> f32 {
    let nearest = a as f32;
    if mode == "rn" {
        return nearest;
    }
    adjust(nearest, a.cmp(&(nearest as i128)), mode)
}
