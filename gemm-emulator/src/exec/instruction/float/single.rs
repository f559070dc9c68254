//! The f32 operations: the plain ones on the host's arithmetic.

use super::narrow;
use crate::exec::registers::{Registers, map1, map2, map3};
use crate::program::{Float1, Float2, Style};

/// The NaN that operations of the device give.
const NAN: u32 = 0x7fff_ffff;

#[inline]
fn canonical(x: f32) -> f32 {
    if x.is_nan() { f32::from_bits(NAN) } else { x }
}

/// Whether the host's arithmetic does what the style says.
fn is_plain(style: Style) -> bool {
    style == Style::default()
}

pub(super) fn unary(r: &mut Registers, mask: u32, f: Float1, style: Style, at: [u32; 2]) {
    match f {
        Float1::Neg if !style.flush => map1(r, mask, at, |a: f32| -a),
        Float1::Abs if !style.flush => map1(r, mask, at, |a: f32| a.abs()),
        Float1::Sqrt if is_plain(style) => map1(r, mask, at, |a: f32| canonical(a.sqrt())),
        Float1::Reciprocal if is_plain(style) => map1(r, mask, at, |a: f32| canonical(1.0 / a)),
        _ => map1(r, mask, at, |a: f32| narrow::unary(f, style, a)),
    }
}

pub(super) fn binary(r: &mut Registers, mask: u32, f: Float2, style: Style, at: [u32; 3]) {
    match f {
        Float2::Add if is_plain(style) => map2(r, mask, at, |a: f32, b: f32| canonical(a + b)),
        Float2::Sub if is_plain(style) => map2(r, mask, at, |a: f32, b: f32| canonical(a - b)),
        Float2::Mul if is_plain(style) => map2(r, mask, at, |a: f32, b: f32| canonical(a * b)),
        Float2::Div if is_plain(style) => map2(r, mask, at, |a: f32, b: f32| canonical(a / b)),
        Float2::CopySign => map2(r, mask, at, |a: f32, b: f32| a.copysign(b)),
        _ => map2(r, mask, at, |a: f32, b: f32| narrow::binary(f, style, a, b)),
    }
}

pub(super) fn multiply_add(r: &mut Registers, mask: u32, style: Style, at: [u32; 4]) {
    if is_plain(style) {
        map3(r, mask, at, |a: f32, b: f32, c: f32| canonical(a.mul_add(b, c)));
    } else {
        map3(r, mask, at, |a: f32, b: f32, c: f32| narrow::multiply_add(style, a, b, c));
    }
}
