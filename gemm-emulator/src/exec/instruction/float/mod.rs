//! Floating-point arithmetic, conversions and comparisons.
//!
//! The plain operations on f32 and f64 are the host's. Everything else (rounding modes, `.ftz`, saturation, the 16-bit
//! types) computes in f64 rounded to odd and rounds once more; see [`crate::number`]. Approximate instructions give
//! the exact function, rounded.

mod compare;
mod convert;
mod narrow;
mod packed;
mod single;

use super::registers::{Registers, map1, map2, map3};
use crate::program::{Float1, Float2, FloatClass, FloatOp, Scalar, Style};
use half::{bf16, f16};
use narrow::Narrow;

pub(crate) fn execute(r: &mut Registers, mask: u32, op: &FloatOp) {
    match *op {
        FloatOp::Float1 { f, ty, style, d, a } => unary(r, mask, f, ty, style, [d, a]),
        FloatOp::Float2 { f, ty, style, d, a, b } => binary(r, mask, f, ty, style, [d, a, b]),
        FloatOp::MultiplyAdd { ty, style, d, a, b, c } => {
            multiply_add(r, mask, ty, style, [d, a, b, c]);
        }
        FloatOp::Packed1 { .. } | FloatOp::Packed2 { .. } | FloatOp::PackedMultiplyAdd { .. } => {
            packed_arithmetic(r, mask, op);
        }
        FloatOp::TestClass { class, ty, d, a } => test_class(r, mask, class, ty, [d, a]),
        FloatOp::Compare { f, ty, flush, d, inverse, a, b, combine } => {
            let result = compare::compare(r, f, ty, flush, a, b);
            compare::write(r, mask, result, combine, [d, inverse]);
        }
        FloatOp::Convert { from, to, style, to_integer, d, a } => {
            convert::convert(r, mask, convert::Conversion { from, to, style, to_integer }, [d, a]);
        }
        FloatOp::ConvertTf32 { style, d, a } => packed::to_tf32(r, mask, style, [d, a]),
        FloatOp::ConvertPair { to, style, d, a, b } => {
            packed::to_pair(r, mask, to, style, [d, a, b]);
        }
        FloatOp::ConvertToBytes { to, style, d, a, b } => {
            packed::to_bytes(r, mask, to, style, [d, a, b]);
        }
        FloatOp::ConvertPairToBytes { from, to, style, d, a } => {
            packed::pair_to_bytes(r, mask, (from, to), style, [d, a]);
        }
        FloatOp::ConvertFromBytes { from, to, style, d, a } => {
            packed::from_bytes(r, mask, (from, to), style, [d, a]);
        }
    }
}

/// Arithmetic on two floats in a word.
fn packed_arithmetic(r: &mut Registers, mask: u32, op: &FloatOp) {
    match *op {
        FloatOp::Packed1 { f, ty, style, d, a } => match ty {
            Scalar::F16 => map1(r, mask, [d, a], packed1(|a: f16| narrow::unary(f, style, a))),
            _ => map1(r, mask, [d, a], packed1(|a: bf16| narrow::unary(f, style, a))),
        },
        FloatOp::Packed2 { f, ty, style, d, a, b } => match ty {
            Scalar::F16 => {
                map2(r, mask, [d, a, b], packed2(|a: f16, b| narrow::binary(f, style, a, b)));
            }
            _ => map2(r, mask, [d, a, b], packed2(|a: bf16, b| narrow::binary(f, style, a, b))),
        },
        FloatOp::PackedMultiplyAdd { ty, style, d, a, b, c } => match ty {
            Scalar::F16 => {
                let f = packed3(|a: f16, b, c| narrow::multiply_add(style, a, b, c));
                map3(r, mask, [d, a, b, c], f);
            }
            _ => {
                let f = packed3(|a: bf16, b, c| narrow::multiply_add(style, a, b, c));
                map3(r, mask, [d, a, b, c], f);
            }
        },
        _ => {}
    }
}

fn unary(r: &mut Registers, mask: u32, f: Float1, ty: Scalar, style: Style, at: [u32; 2]) {
    match (ty, f) {
        (Scalar::F32, _) => single::unary(r, mask, f, style, at),
        (Scalar::F64, Float1::Neg) => map1(r, mask, at, |a: f64| -a),
        (Scalar::F64, Float1::Abs) => map1(r, mask, at, |a: f64| a.abs()),
        (Scalar::F64, _) => map1(r, mask, at, |a: f64| narrow::function(f, a)),
        (Scalar::F16, _) => map1(r, mask, at, |a: f16| narrow::unary(f, style, a)),
        _ => map1(r, mask, at, |a: bf16| narrow::unary(f, style, a)),
    }
}

fn binary(r: &mut Registers, mask: u32, f: Float2, ty: Scalar, style: Style, at: [u32; 3]) {
    match ty {
        Scalar::F32 => single::binary(r, mask, f, style, at),
        Scalar::F64 => map2(r, mask, at, |a: f64, b: f64| narrow::double(f, a, b)),
        Scalar::F16 => map2(r, mask, at, |a: f16, b: f16| narrow::binary(f, style, a, b)),
        _ => map2(r, mask, at, |a: bf16, b: bf16| narrow::binary(f, style, a, b)),
    }
}

fn multiply_add(r: &mut Registers, mask: u32, ty: Scalar, style: Style, at: [u32; 4]) {
    match ty {
        Scalar::F32 => single::multiply_add(r, mask, style, at),
        Scalar::F64 => map3(r, mask, at, |a: f64, b: f64, c: f64| a.mul_add(b, c)),
        Scalar::F16 => {
            map3(r, mask, at, |a: f16, b, c| narrow::multiply_add(style, a, b, c));
        }
        _ => map3(r, mask, at, |a: bf16, b, c| narrow::multiply_add(style, a, b, c)),
    }
}

/// The bits of `f` of one or, packed, two pairs of floats of at most 32 bits; subnormals count unless `flush`.
pub(crate) fn combine(f: Float2, ty: Scalar, packed: bool, flush: bool, a: u32, b: u32) -> u32 {
    let style = Style { flush, ..Style::default() };
    match (ty, packed) {
        (Scalar::F16, true) => packed2(|a: f16, b| narrow::binary(f, style, a, b))(a, b),
        (Scalar::Bf16, true) => packed2(|a: bf16, b| narrow::binary(f, style, a, b))(a, b),
        (Scalar::F16, false) => {
            let sum = narrow::binary(f, style, f16::from_low(a), f16::from_low(b));
            sum.to_bits().into()
        }
        (Scalar::Bf16, false) => {
            let sum = narrow::binary(f, style, bf16::from_low(a), bf16::from_low(b));
            sum.to_bits().into()
        }
        _ => narrow::binary(f, style, f32::from_bits(a), f32::from_bits(b)).to_bits(),
    }
}

fn packed1<T: Narrow>(f: impl Fn(T) -> T) -> impl Fn(u32) -> u32 {
    move |a| {
        let half = |shift| u32::from(f(T::from_low(a >> shift)).low());
        half(0) | half(16) << 16
    }
}

fn packed2<T: Narrow>(f: impl Fn(T, T) -> T) -> impl Fn(u32, u32) -> u32 {
    move |a, b| {
        let half = |shift| u32::from(f(T::from_low(a >> shift), T::from_low(b >> shift)).low());
        half(0) | half(16) << 16
    }
}

fn packed3<T: Narrow>(f: impl Fn(T, T, T) -> T) -> impl Fn(u32, u32, u32) -> u32 {
    move |a, b, c| {
        let half = |shift| {
            let part = |x: u32| T::from_low(x >> shift);
            u32::from(f(part(a), part(b), part(c)).low())
        };
        half(0) | half(16) << 16
    }
}

fn test_class(r: &mut Registers, mask: u32, class: FloatClass, ty: Scalar, [d, a]: [u32; 2]) {
    let mut result = 0;
    for lane in 0..crate::program::LANES {
        let holds = match ty {
            Scalar::F64 => {
                let x = f64::from_bits(r.long(a)[lane]);
                in_class(class, x, x.is_subnormal())
            }
            _ => {
                let x = f32::from_bits(r.word(a)[lane]);
                in_class(class, f64::from(x), x.is_subnormal())
            }
        };
        result |= u32::from(holds) << lane;
    }
    r.set_predicate(d, mask, result);
}

fn in_class(class: FloatClass, x: f64, subnormal: bool) -> bool {
    match class {
        FloatClass::Finite => x.is_finite(),
        FloatClass::Infinite => x.is_infinite(),
        FloatClass::Number => !x.is_nan(),
        FloatClass::NotANumber => x.is_nan(),
        FloatClass::Normal => x.is_finite() && x != 0.0 && !subnormal,
        FloatClass::Subnormal => subnormal,
    }
}
