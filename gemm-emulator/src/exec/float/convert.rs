//! `cvt`.

use half::{bf16, f16};

use super::super::integer::{Integer, with_integer};
use super::super::registers::{Lane, Lanes, Registers, map1, map2};
use super::narrow::{self, Narrow};
use crate::number::from_integer_odd;
use crate::program::{LANES, Rounding, Scalar, Style};

#[derive(Clone, Copy)]
pub(super) struct Conversion {
    pub(super) from: Scalar,
    pub(super) to: Scalar,
    pub(super) style: Style,
    pub(super) to_integer: Option<Rounding>,
}

fn is_float(ty: Scalar) -> bool {
    matches!(ty, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
}

pub(super) fn convert(r: &mut Registers, mask: u32, how: Conversion, at: [u32; 2]) {
    let Conversion { from, to, style, to_integer } = how;
    let plain = style == Style::default() && to_integer.is_none();
    match (from, to) {
        // The conversions of addresses and elements, without a detour.
        (Scalar::S32, Scalar::S64 | Scalar::U64) => map1(r, mask, at, |a: i32| i64::from(a)),
        (Scalar::U32, Scalar::S64 | Scalar::U64) => map1(r, mask, at, |a: u32| u64::from(a)),
        (Scalar::U64 | Scalar::S64, Scalar::S32 | Scalar::U32) if plain => {
            map1(r, mask, at, |a: u64| a as u32);
        }
        (Scalar::S32, Scalar::F32) if plain => map1(r, mask, at, |a: i32| a as f32),
        (Scalar::F16, Scalar::F32) if plain => map1(r, mask, at, |a: f16| a.to_f32()),
        (Scalar::F32, Scalar::F16) if plain => map1(r, mask, at, half_of),
        (Scalar::F32, Scalar::Bf16) if plain => map1(r, mask, at, bfloat_of),
        (from, to) if !is_float(from) && !is_float(to) => {
            with_integer!(from, between_integers(r, mask, to, style.saturate, at));
        }
        (from, _) if is_float(from) => {
            let values = read_float(r, from, style, at[1]);
            if is_float(to) {
                to_float(r, mask, to, style, values.map(|x| integral(to_integer, x)), at[0]);
            } else {
                let rounded = values.map(|x| integral(to_integer, x));
                with_integer!(to, to_integer_type(r, mask, &rounded, at[0]));
            }
        }
        (from, Scalar::F64) => with_integer!(from, integer_to_double(r, mask, at)),
        (from, to) => {
            let values = with_integer!(from, from_integer(r, at[1]));
            to_float(r, mask, to, style, values, at[0]);
        }
    }
}

/// The nearest f16, NaN as the device gives it.
fn half_of(x: f32) -> f16 {
    if x.is_nan() { f16::from_bits(0x7fff) } else { f16::from_f32(x) }
}

/// The nearest bf16, NaN as the device gives it.
fn bfloat_of(x: f32) -> bf16 {
    if x.is_nan() { bf16::from_bits(0x7fff) } else { bf16::from_f32(x) }
}

/// Two f32 into the halves of a word: a into the upper one.
pub(super) fn convert_pair(r: &mut Registers, mask: u32, to: Scalar, style: Style, at: [u32; 3]) {
    let plain = style == Style::default();
    let join = |hi: u16, lo: u16| u32::from(hi) << 16 | u32::from(lo);
    match to {
        Scalar::F16 if plain => {
            map2(r, mask, at, |a: f32, b: f32| join(half_of(a).to_bits(), half_of(b).to_bits()))
        }
        Scalar::F16 => map2(r, mask, at, |a: f32, b: f32| {
            let f = |x: f32| narrow::output::<f16>(style, x.wide()).to_bits();
            join(f(a), f(b))
        }),
        _ if plain => {
            map2(r, mask, at, |a: f32, b: f32| join(bfloat_of(a).to_bits(), bfloat_of(b).to_bits()))
        }
        _ => map2(r, mask, at, |a: f32, b: f32| {
            let f = |x: f32| narrow::output::<bf16>(style, x.wide()).to_bits();
            join(f(a), f(b))
        }),
    }
}

fn between_integers<S: Integer>(
    r: &mut Registers,
    mask: u32,
    to: Scalar,
    saturate: bool,
    [d, a]: [u32; 2],
) {
    let values = S::read(r, a).map(Integer::wide);
    with_integer!(to, write_integers(r, mask, saturate, &values, d));
}

fn write_integers<D: Integer>(
    r: &mut Registers,
    mask: u32,
    saturate: bool,
    values: &Lanes<i128>,
    d: u32,
) {
    let values = values.map(|value| if saturate { D::clamped(value) } else { D::narrow(value) });
    D::write(r, d, mask, &values);
}

fn read_float(r: &Registers, from: Scalar, style: Style, a: u32) -> Lanes<f64> {
    match from {
        Scalar::F64 => f64::read(r, a),
        Scalar::F16 => f16::read(r, a).map(Narrow::wide),
        Scalar::Bf16 => bf16::read(r, a).map(Narrow::wide),
        _ => f32::read(r, a).map(|x| {
            if style.flush && x.is_subnormal() { 0f64.copysign(x.wide()) } else { x.wide() }
        }),
    }
}

/// Rounds to an integral value if asked to.
fn integral(mode: Option<Rounding>, x: f64) -> f64 {
    match mode {
        None => x,
        Some(Rounding::Nearest) => x.round_ties_even(),
        Some(Rounding::NearestAway) => x.round(),
        Some(Rounding::Zero) => x.trunc(),
        Some(Rounding::Down) => x.floor(),
        Some(Rounding::Up) => x.ceil(),
    }
}

fn to_float(r: &mut Registers, mask: u32, to: Scalar, style: Style, values: Lanes<f64>, d: u32) {
    match to {
        Scalar::F64 => {
            let clamp = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
            let values = if style.saturate { values.map(clamp) } else { values };
            f64::write(r, d, mask, &values);
        }
        Scalar::F16 => f16::write(r, d, mask, &values.map(|x| narrow::output(style, x))),
        Scalar::Bf16 => bf16::write(r, d, mask, &values.map(|x| narrow::output(style, x))),
        _ => f32::write(r, d, mask, &values.map(|x| narrow::output(style, x))),
    }
}

/// Out of range becomes the nearest integer of the type, NaN 0.
fn to_integer_type<T: Integer>(r: &mut Registers, mask: u32, values: &Lanes<f64>, d: u32) {
    let values = values.map(|x| T::clamped(x as i128));
    T::write(r, d, mask, &values);
}

fn integer_to_double<T: Integer>(r: &mut Registers, mask: u32, at: [u32; 2]) {
    map1(r, mask, at, |a: T| a.wide() as f64);
}

/// Integers as f64, rounded to odd.
fn from_integer<T: Integer>(r: &Registers, a: u32) -> Lanes<f64> {
    let values = T::read(r, a);
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = from_integer_odd(values[lane].wide());
    }
    out
}
