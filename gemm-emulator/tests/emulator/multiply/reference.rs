//! The arithmetic of `mma.sync` on the host, in integers.

use std::sync::LazyLock;

use half::{bf16, f16};

use super::forms::{Form, bits};
use super::{layouts, rule};
use crate::device::Random;
use crate::formats::{Format, Mode};

static F16: LazyLock<Format> = LazyLock::new(|| Format::new("f16"));

/// Floats are integers times this power of two.
pub(crate) const SCALE: i32 = 24;

/// Matrices of element bits.
pub(crate) struct Problem {
    pub(crate) a: Vec<Vec<u64>>,
    pub(crate) b: Vec<Vec<u64>>,
    pub(crate) c: Vec<Vec<u64>>,
}

/// An element as an integer: for floats a multiple of 2^-[`SCALE`].
pub(crate) fn integer(ty: &str, bits: u64) -> i128 {
    let fixed = |x: f64| {
        let scaled = x * 2f64.powi(SCALE);
        assert!(scaled.fract() == 0.0 && scaled.abs() < 2f64.powi(100), "{x:e} of {ty}");
        scaled as i128
    };
    match ty {
        "u4" | "u8" => bits.into(),
        "s4" => i128::from((bits as i8) << 4 >> 4),
        "s8" => i128::from(bits as i8),
        "s32" => i128::from(bits as i32),
        "e4m3" => fixed(small_float(bits, 3, 7)),
        "e5m2" => fixed(small_float(bits, 2, 15)),
        "f16" => fixed(f16::from_bits(bits as u16).to_f64()),
        "bf16" => fixed(bf16::from_bits(bits as u16).to_f64()),
        "tf32" => fixed(f32::from_bits(bits as u32 >> 13 << 13).into()),
        "f32" => fixed(f32::from_bits(bits as u32).into()),
        _ => fixed(f64::from_bits(bits)),
    }
}

/// An 8-bit float from its fields.
fn small_float(bits: u64, mantissa_bits: i32, bias: i32) -> f64 {
    let mantissa = (bits & ((1 << mantissa_bits) - 1)) as f64 / 2f64.powi(mantissa_bits);
    let exponent = ((bits & 0x7f) >> mantissa_bits) as i32;
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(1 - bias),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - bias),
    };
    if bits & 0x80 != 0 { -magnitude } else { magnitude }
}

/// Random bits of an element, of magnitudes that an f64 sums exactly.
pub(crate) fn random(ty: &str, random: &mut Random) -> u64 {
    let float = |random: &mut Random, mantissa_bits: u64, total: u64, bias: u64| {
        let bits = random.next();
        let sign = (bits & 1) << (total - 1);
        // Exponents from -3 to 4, now and then zero.
        let exponent = bias - 3 + (bits >> 8 & 7);
        let mantissa = bits >> 20 & ((1 << mantissa_bits) - 1);
        if bits >> 4 & 15 == 0 { sign } else { sign | exponent << mantissa_bits | mantissa }
    };
    match ty {
        "e4m3" => float(random, 3, 8, 7),
        "e5m2" => float(random, 2, 8, 15),
        "f16" => float(random, 10, 16, 15),
        "bf16" => float(random, 7, 16, 127),
        // The low bits are there, and must not count.
        "tf32" => float(random, 10, 19, 127) << 13 | random.next() & 0x1fff,
        "f32" => float(random, 20, 29, 127) << 3,
        "f64" => float(random, 16, 28, 1023) << 36,
        "s32" => (random.next() as i32 >> 12) as u32 as u64,
        _ => random.next() & ((1 << bits(ty)) - 1),
    }
}

impl Problem {
    pub(crate) fn random(form: &Form, seed: u64) -> Problem {
        let mut source = Random(seed);
        let mut matrix = |rows: usize, columns: usize, ty: &str| {
            let mut row = || (0..columns).map(|_| random(ty, &mut source)).collect();
            (0..rows).map(|_| row()).collect()
        };
        Problem {
            a: matrix(form.rows, form.k, form.a),
            b: matrix(form.k, 8, form.b),
            c: matrix(form.rows, 8, form.accumulator),
        }
    }

    /// The registers of all lanes as bytes, in the order that the kernel reads them.
    pub(crate) fn pack(&self, form: &Form) -> Vec<u8> {
        let [a, b, c] = form.elements();
        let wide = form.accumulator == "f64";
        let mut out = Vec::new();
        for lane in 0..32 {
            let values = |count: usize, matrix: &[Vec<u64>], place: Place| -> Vec<u64> {
                let places = (0..count).map(|i| place(form, lane, i));
                places.map(|(row, column)| matrix[row][column]).collect()
            };
            push(&mut out, form.a, &values(a, &self.a, layouts::a), wide);
            push(&mut out, form.b, &values(b, &self.b, layouts::b), wide);
            push(&mut out, form.accumulator, &values(c, &self.c, layouts::c), wide);
        }
        out
    }

    /// d as bytes, in the order that the kernel writes it.
    pub(crate) fn expected(&self, form: &Form) -> Vec<u8> {
        let mut out = Vec::new();
        for lane in 0..32 {
            let places = (0..form.elements()[2]).map(|i| layouts::c(form, lane, i));
            let values: Vec<u64> =
                places.map(|(row, column)| self.sum(form, row, column)).collect();
            push(&mut out, form.accumulator, &values, form.accumulator == "f64");
        }
        out
    }

    /// The bits of one element of d.
    fn sum(&self, form: &Form, row: usize, column: usize) -> u64 {
        let product =
            |k: usize| integer(form.a, self.a[row][k]) * integer(form.b, self.b[k][column]);
        let c = self.c[row][column];
        if rule::has_rule(form.a) {
            let factors = |k: usize| [(form.a, self.a[row][k]), (form.b, self.b[k][column])];
            let products = (0..form.k).map(|k| factors(k).map(|(ty, bits)| integer(ty, bits)));
            let rule = rule::of_warp(form.a, form.accumulator, form.target);
            return rule::add(rule, &products.collect::<Vec<_>>(), form.accumulator, c);
        }
        sum((0..form.k).map(product).sum(), form.accumulator, c, form.clamp == ".satfinite")
    }
}

/// The bits of the sum of products of [`integer`]s and an element c.
pub(crate) fn sum(products: i128, accumulator: &str, c: u64, clamp: bool) -> u64 {
    let c = integer(accumulator, c);
    if accumulator == "s32" {
        let sum = products + c;
        let clamped = sum.clamp(i32::MIN.into(), i32::MAX.into());
        return u64::from(if clamp { clamped } else { sum } as u32);
    }
    // Products have the scale twice.
    let sum = products + (c << SCALE);
    let unit = -2 * SCALE;
    match accumulator {
        // Conversions from integers round to nearest, ties to even; what follows is exact.
        "f32" => (sum as f32 * 2f32.powi(unit)).to_bits().into(),
        "f64" => (sum as f64 * 2f64.powi(unit)).to_bits(),
        _ => {
            assert_eq!(sum as f64 as i128, sum, "exact in f64");
            let sum = sum as f64 * 2f64.powi(unit);
            F16.round(sum, Mode::Nearest, false).into()
        }
    }
}

type Place = fn(&Form, usize, usize) -> (usize, usize);

/// Elements into registers of 4 or 8 bytes, the first in the lowest bits.
fn push(out: &mut Vec<u8>, ty: &str, elements: &[u64], wide: bool) {
    if wide {
        out.extend(elements.iter().flat_map(|bits| bits.to_le_bytes()));
        return;
    }
    let size = bits(ty);
    for register in elements.chunks(32 / size) {
        let fields = register.iter().enumerate().map(|(at, bits)| bits << (at * size));
        let word = fields.fold(0, |word, field| word | field) as u32;
        out.extend(word.to_le_bytes());
    }
}
