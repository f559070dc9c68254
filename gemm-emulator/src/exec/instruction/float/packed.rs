//! `cvt` to and from the formats of no other instruction: pairs of 16 and of 8 bits, tf32.

use half::{bf16, f16};

use super::narrow::Narrow;
use crate::exec::registers::{Registers, map1, map2};
use crate::number::{BF16, F16, Format, TF32, TF32_UNUSED};
use crate::program::{ByteFloat, PairFloat, Style};

fn pair_format(ty: PairFloat) -> Format {
    match ty {
        PairFloat::F16 => F16,
        PairFloat::Bf16 => BF16,
    }
}

/// The bits of `x` rounded as the style says.
fn rounded(format: Format, style: Style, x: f64) -> u32 {
    let format = if style.finite { format.finite() } else { format };
    let bits = format.round(x, style.rounding);
    // The NaN that rounding gives has no sign.
    if style.relu && bits & format.sign() != 0 { 0 } else { bits }
}

fn join(upper: u32, lower: u32, bits: u32) -> u32 {
    upper << bits | lower
}

pub(super) fn to_tf32(r: &mut Registers, mask: u32, style: Style, at: [u32; 2]) {
    map1(r, mask, at, |a: f32| rounded(TF32, style, a.into()) << TF32_UNUSED);
}

/// Two f32 into the halves of a word.
pub(super) fn to_pair(r: &mut Registers, mask: u32, to: PairFloat, style: Style, at: [u32; 3]) {
    if style == Style::default() {
        return match to {
            PairFloat::F16 => map2(r, mask, at, |a, b| join(half_of(a), half_of(b), 16)),
            PairFloat::Bf16 => map2(r, mask, at, |a, b| join(bfloat_of(a), bfloat_of(b), 16)),
        };
    }
    let f = |x: f32| rounded(pair_format(to), style, x.into());
    map2(r, mask, at, |a, b| join(f(a), f(b), 16));
}

/// The bits of an f16 as an f32, NaN as the device gives it.
pub(super) fn of_half(x: f16) -> u32 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_f32().to_bits() }
}

/// The nearest f16, NaN as the device gives it.
pub(super) fn half_of(x: f32) -> u32 {
    if x.is_nan() { 0x7fff } else { f16::from_f32(x).to_bits().into() }
}

/// The nearest bf16, NaN as the device gives it.
pub(super) fn bfloat_of(x: f32) -> u32 {
    if x.is_nan() { 0x7fff } else { bf16::from_f32(x).to_bits().into() }
}

/// Two f32 into two bytes.
pub(super) fn to_bytes(r: &mut Registers, mask: u32, to: ByteFloat, style: Style, at: [u32; 3]) {
    let f = |x: f32| rounded(to.format(), style, x.into());
    map2(r, mask, at, |a, b| join(f(a), f(b), 8));
}

/// The halves of a word into two bytes.
pub(super) fn pair_to_bytes(
    r: &mut Registers,
    mask: u32,
    (from, to): (PairFloat, ByteFloat),
    style: Style,
    at: [u32; 2],
) {
    let f = |bits: u32| {
        let value = match from {
            PairFloat::F16 => f16::from_low(bits).wide(),
            PairFloat::Bf16 => bf16::from_low(bits).wide(),
        };
        rounded(to.format(), style, value)
    };
    map1(r, mask, at, |a: u32| join(f(a >> 16), f(a), 8));
}

/// Two bytes into the halves of a word.
pub(super) fn from_bytes(
    r: &mut Registers,
    mask: u32,
    (from, to): (ByteFloat, PairFloat),
    style: Style,
    at: [u32; 2],
) {
    let values = from.values();
    let f = |byte: u32| rounded(pair_format(to), style, values[(byte & 0xff) as usize]);
    map1(r, mask, at, |a: u16| join(f(u32::from(a) >> 8), f(a.into()), 16));
}
