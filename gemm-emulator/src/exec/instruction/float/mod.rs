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

use crate::exec::registers::{Registers, map1, map2, map3};
use crate::lanes::mask_of;
use crate::number::add_towards_zero;
use crate::program::{Float1, Float2, FloatClass, FloatOp, FloatType, Rounding, Scalar, Style};
use half::{bf16, f16};
use narrow::Narrow;

pub(super) fn execute(r: &mut Registers, mask: u32, op: &FloatOp) {
    match *op {
        FloatOp::Float1 { f, ty, style, at } => unary(r, mask, f, ty, style, at),
        FloatOp::Float2 { f, ty, style, at } => binary(r, mask, f, ty, style, at),
        FloatOp::MultiplyAdd { ty, style, at } => multiply_add(r, mask, ty, style, at),
        FloatOp::TestClass { class, ty, at } => test_class(r, mask, class, ty, at),
        FloatOp::Compare(op) => compare::execute(r, mask, op),
        FloatOp::Convert { how, at } => convert::convert(r, mask, how, at),
        FloatOp::ConvertTf32 { style, at } => packed::to_tf32(r, mask, style, at),
        FloatOp::ConvertPair { to, style, at } => packed::to_pair(r, mask, to, style, at),
        FloatOp::ConvertToBytes { to, style, at } => packed::to_bytes(r, mask, to, style, at),
        FloatOp::ConvertPairToBytes { from, to, style, at } => {
            packed::pair_to_bytes(r, mask, (from, to), style, at);
        }
        FloatOp::ConvertFromBytes { from, to, style, at } => {
            packed::from_bytes(r, mask, (from, to), style, at);
        }
    }
}

fn unary(r: &mut Registers, mask: u32, f: Float1, ty: FloatType, style: Style, at: [u32; 2]) {
    match (ty.scalar, ty.packed) {
        (Scalar::F32, _) => single::unary(r, mask, f, style, at),
        (Scalar::F64, _) => match f {
            Float1::Neg => map1(r, mask, at, |a: f64| -a),
            Float1::Abs => map1(r, mask, at, |a: f64| a.abs()),
            _ => map1(r, mask, at, |a: f64| narrow::function(f, a)),
        },
        (Scalar::F16, false) => map1(r, mask, at, |a: f16| narrow::unary(f, style, a)),
        (Scalar::F16, true) => map1(r, mask, at, packed1(|a: f16| narrow::unary(f, style, a))),
        (_, false) => map1(r, mask, at, |a: bf16| narrow::unary(f, style, a)),
        (_, true) => map1(r, mask, at, packed1(|a: bf16| narrow::unary(f, style, a))),
    }
}

fn binary(r: &mut Registers, mask: u32, f: Float2, ty: FloatType, style: Style, at: [u32; 3]) {
    match (ty.scalar, ty.packed) {
        (Scalar::F32, _) => single::binary(r, mask, f, style, at),
        (Scalar::F64, _) if style.rounding == Rounding::Zero => {
            let sign = if f == Float2::Sub { -1.0 } else { 1.0 };
            map2(r, mask, at, |a: f64, b: f64| add_towards_zero(a, sign * b));
        }
        (Scalar::F64, _) => map2(r, mask, at, |a: f64, b: f64| narrow::double(f, a, b)),
        (Scalar::F16, false) => map2(r, mask, at, |a: f16, b| narrow::binary(f, style, a, b)),
        (Scalar::F16, true) => {
            map2(r, mask, at, packed2(|a: f16, b| narrow::binary(f, style, a, b)));
        }
        (_, false) => map2(r, mask, at, |a: bf16, b| narrow::binary(f, style, a, b)),
        (_, true) => map2(r, mask, at, packed2(|a: bf16, b| narrow::binary(f, style, a, b))),
    }
}

fn multiply_add(r: &mut Registers, mask: u32, ty: FloatType, style: Style, at: [u32; 4]) {
    match (ty.scalar, ty.packed) {
        (Scalar::F32, _) => single::multiply_add(r, mask, style, at),
        (Scalar::F64, _) => map3(r, mask, at, |a: f64, b: f64, c: f64| a.mul_add(b, c)),
        (Scalar::F16, false) => {
            map3(r, mask, at, |a: f16, b, c| narrow::multiply_add(style, a, b, c));
        }
        (Scalar::F16, true) => {
            map3(r, mask, at, packed3(|a: f16, b, c| narrow::multiply_add(style, a, b, c)));
        }
        (_, false) => map3(r, mask, at, |a: bf16, b, c| narrow::multiply_add(style, a, b, c)),
        (_, true) => {
            map3(r, mask, at, packed3(|a: bf16, b, c| narrow::multiply_add(style, a, b, c)));
        }
    }
}

/// The bits of `f` of one or, packed, two pairs of floats of at most 32 bits; subnormals count unless `flush`.
pub(super) fn combine(f: Float2, ty: FloatType, flush: bool, a: u32, b: u32) -> u32 {
    let style = Style { flush, ..Style::default() };
    match (ty.scalar, ty.packed) {
        (Scalar::F16, true) => packed2(|a: f16, b| narrow::binary(f, style, a, b))(a, b),
        (Scalar::Bf16, true) => packed2(|a: bf16, b| narrow::binary(f, style, a, b))(a, b),
        (Scalar::F16, false) => {
            narrow::binary(f, style, f16::from_low(a), f16::from_low(b)).low().into()
        }
        (Scalar::Bf16, false) => {
            narrow::binary(f, style, bf16::from_low(a), bf16::from_low(b)).low().into()
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
    let holds = mask_of(|lane| match ty {
        Scalar::F64 => {
            let x = f64::from_bits(r.long(a)[lane]);
            in_class(class, x, x.is_subnormal())
        }
        _ => {
            let x = f32::from_bits(r.word(a)[lane]);
            in_class(class, f64::from(x), x.is_subnormal())
        }
    });
    r.set_predicate(d, mask, holds);
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
