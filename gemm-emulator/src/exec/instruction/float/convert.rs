//! `cvt`.

use half::{bf16, f16};

use super::narrow::{self, Narrow};
use super::packed;
use crate::exec::instruction::integer::{Integer, with_integer};
use crate::exec::registers::{Lane, Registers, each, map1};
use crate::lanes::{LANES, Lanes, mask_of};
use crate::number;
use crate::program::{Conversion, Rounding, Scalar, Style};

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
        (Scalar::F16, Scalar::F32) if plain => map1(r, mask, at, packed::of_half),
        // A shift: NaN stays as it is.
        (Scalar::Bf16, Scalar::F32) if plain => {
            map1(r, mask, at, |a: bf16| u32::from(a.to_bits()) << 16);
        }
        (Scalar::F32, Scalar::F16) if plain => map1(r, mask, at, packed::half_of),
        (Scalar::F32, Scalar::Bf16) if plain => map1(r, mask, at, packed::bfloat_of),
        (from, to) if !is_float(from) && !is_float(to) => {
            with_integer!(from, between_integers(r, mask, to, style.saturate, at));
        }
        (from, _) if is_float(from) => {
            let values = read_float(r, from, style, at[1]).map(|x| integral(to_integer, x));
            if is_float(to) {
                if from == Scalar::F64 && !style.saturate {
                    from_double(r, mask, to, style, values, at[0]);
                } else {
                    to_float(r, mask, to, style, values, at[0]);
                }
            } else {
                with_integer!(to, to_integer_type(r, mask, &values, from, at[0]));
            }
        }
        (from, Scalar::F64) => with_integer!(from, integer_to_double(r, mask, style, at)),
        (from, to) => {
            let values = with_integer!(from, from_integer(r, at[1]));
            to_float(r, mask, to, style, values, at[0]);
        }
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
    let supporting = Style { flush: false, ..style };
    match to {
        Scalar::F64 => {
            let clamp = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
            let values = if style.saturate { values.map(clamp) } else { values };
            f64::write(r, d, mask, &values);
        }
        // `.ftz` is about f32 alone.
        Scalar::F16 => f16::write(r, d, mask, &values.map(|x| narrow::output(supporting, x))),
        Scalar::Bf16 => bf16::write(r, d, mask, &values.map(|x| narrow::output(supporting, x))),
        _ => f32::write(r, d, mask, &values.map(|x| narrow::output(style, x))),
    }
}

/// f64 to another float: the NaN of this conversion is the quiet one without further bits, measured on an H200.
fn from_double(r: &mut Registers, mask: u32, to: Scalar, style: Style, values: Lanes<f64>, d: u32) {
    let nans = mask_of(|lane| values[lane].is_nan());
    to_float(r, mask, to, style, values, d);
    let quiet = match to {
        Scalar::F32 => 0x7fc0_0000,
        Scalar::F16 => 0x7e00,
        _ => return,
    };
    r.set_word(d, mask & nans, &[quiet; LANES]);
}

/// Out of range becomes the nearest integer of the type. NaN becomes 0 unless f64 or 64 bits take part, then only the
/// highest bit is set. (PTX ISA, `cvt`)
fn to_integer_type<T: Integer>(
    r: &mut Registers,
    mask: u32,
    values: &Lanes<f64>,
    from: Scalar,
    d: u32,
) {
    let wide = from == Scalar::F64 || T::BITS == 64;
    let of_nan = T::narrow(if wide { 1 << (T::BITS - 1) } else { 0 });
    let values = values.map(|x| if x.is_nan() { of_nan } else { T::clamped(x as i128) });
    T::write(r, d, mask, &values);
}

fn integer_to_double<T: Integer>(r: &mut Registers, mask: u32, style: Style, at: [u32; 2]) {
    let clamp = |x: f64| if style.saturate { x.clamp(0.0, 1.0) } else { x };
    map1(r, mask, at, |a: T| clamp(number::from_integer(a.wide(), style.rounding)));
}

/// Integers as f64, rounded to odd.
fn from_integer<T: Integer>(r: &Registers, a: u32) -> Lanes<f64> {
    each(&T::read(r, a), |value| number::from_integer_odd(value.wide()))
}
