//! `cvt` between integers and floats, and from f64, against exact comparisons.

use crate::device::Random;
use crate::formats::{Format, Mode};
use crate::handwritten::{elementwise, results};

/// 64-bit patterns of every length and both signs, around powers of two.
fn longs() -> Vec<u64> {
    let mut out = Vec::new();
    for bit in 0..64 {
        for low in [0u64, 1, 2, 3, 0x80, 0x81, 0x100, 0x400, 0x401, 0x800, 0x801] {
            for value in [(1u64 << bit).wrapping_add(low), (1u64 << bit).wrapping_sub(low)] {
                out.extend([value, value.wrapping_neg(), !value]);
            }
        }
    }
    let mut random = Random(23);
    while !out.len().is_multiple_of(1 << 13) {
        out.push(random.next() >> (random.next() & 63));
    }
    out
}

/// f64 of every exponent, with mantissas around the ties of narrower formats.
fn doubles() -> Vec<f64> {
    let mut out = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let mut random = Random(29);
    for exponent in 0..0x7ffu64 {
        for mantissa in [0, 1, 1 << 28, (1 << 28) - 1, 3 << 28, 1 << 41, 3 << 41, (1 << 52) - 1] {
            let sign = random.next() & 1 << 63;
            out.push(f64::from_bits(sign | exponent << 52 | mantissa));
        }
        out.push(f64::from_bits(random.next() & (1 << 63 | ((1 << 52) - 1)) | exponent << 52));
    }
    for halves in -70..70 {
        out.push(f64::from(halves) / 2.0);
        out.push(f64::from(halves) * 2f64.powi(30));
        out.push(f64::from(halves) * 2f64.powi(62));
    }
    while !out.len().is_multiple_of(1 << 13) {
        out.push(random.unit() * 1e6);
    }
    out
}

/// Runs a body from `%d0` to `%d15` on these inputs.
fn check(inputs: &[u64], body: &str, want: impl Fn(u64) -> u64) {
    let out = results::<u64, u64>(&elementwise("b64", 'd', 1, body), inputs, inputs.len());
    for (x, got) in inputs.iter().zip(out) {
        let want = want(*x);
        assert_eq!(got, want, "{body} of {x:#x}: {got:#x}, not {want:#x}");
    }
}

/// The one of two neighbours that a directed mode picks for `exact`, given the nearest.
fn directed(mode: &str, exact: i128, nearest: f64, next: impl Fn(f64, bool) -> f64) -> f64 {
    let error = exact - nearest as i128;
    match (mode, error.signum(), exact.signum()) {
        ("rm", -1, _) | ("rz", -1, 1) => next(nearest, false),
        ("rp", 1, _) | ("rz", 1, -1) => next(nearest, true),
        _ => nearest,
    }
}

#[test]
fn long_integers_become_floats_in_every_mode() {
    for mode in ["rn", "rz", "rm", "rp"] {
        for (ty, signed) in [("s64", true), ("u64", false)] {
            let exact = |x: u64| if signed { i128::from(x as i64) } else { i128::from(x) };
            check(&longs(), &format!("cvt.{mode}.f64.{ty} %d15, %d0;"), |x| {
                let next = |x: f64, up| if up { x.next_up() } else { x.next_down() };
                directed(mode, exact(x), exact(x) as f64, next).to_bits()
            });
            let body = format!("cvt.{mode}.f32.{ty} %r1, %d0; cvt.u64.u32 %d15, %r1;");
            check(&longs(), &body, |x| {
                let next = |x: f64, up| {
                    let x = x as f32;
                    f64::from(if up { x.next_up() } else { x.next_down() })
                };
                let nearest = f64::from(exact(x) as f32);
                (directed(mode, exact(x), nearest, next) as f32).to_bits().into()
            });
        }
    }
}

#[test]
fn integers_become_halves() {
    let (format, wide) = (Format::new("f16"), Format::new("bf16"));
    check(&longs(), "cvt.rn.f16.s64 %h1, %d0; cvt.u64.u16 %d15, %h1;", |x| {
        // Integers below 2^53 are exact in f64; beyond, all are infinite halves.
        format.round((x as i64).clamp(-1 << 50, 1 << 50) as f64, Mode::Nearest, false).into()
    });
    check(
        &longs(),
        "cvt.u32.u64 %r1, %d0; cvt.rn.bf16.u32 %h1, %r1; cvt.u64.u16 %d15, %h1;",
        |x| wide.round(f64::from(x as u32), Mode::Nearest, false).into(),
    );
}

#[test]
fn doubles_become_singles_in_every_mode() {
    let inputs: Vec<u64> = doubles().into_iter().map(f64::to_bits).collect();
    for mode in ["rn", "rz", "rm", "rp"] {
        let body = format!("cvt.{mode}.f32.f64 %r1, %d0; cvt.u64.u32 %d15, %r1;");
        check(&inputs, &body, |bits| {
            let x = f64::from_bits(bits);
            if x.is_nan() {
                return 0x7fc0_0000;
            }
            let nearest = x as f32;
            let above = f64::from(nearest) > x;
            let below = f64::from(nearest) < x;
            let single = match mode {
                "rm" if above => nearest.next_down(),
                "rp" if below => nearest.next_up(),
                "rz" if above && x > 0.0 => nearest.next_down(),
                "rz" if below && x < 0.0 => nearest.next_up(),
                _ => nearest,
            };
            // Rounded to zero from below, the sign stays.
            single.copysign(if x.is_sign_negative() { -1.0 } else { 1.0 }).to_bits().into()
        });
    }
}

#[test]
fn doubles_become_halves_with_one_rounding() {
    let inputs: Vec<u64> = doubles().into_iter().map(f64::to_bits).collect();
    let format = Format::new("f16");
    check(&inputs, "cvt.rn.f16.f64 %h1, %d0; cvt.u64.u16 %d15, %h1;", |bits| {
        let x = f64::from_bits(bits);
        if x.is_nan() { 0x7e00 } else { format.round(x, Mode::Nearest, false).into() }
    });
}

/// An integral value in one of the integer rounding modes.
fn integral(mode: &str, x: f64) -> f64 {
    match mode {
        "rni" => x.round_ties_even(),
        "rzi" => x.trunc(),
        "rmi" => x.floor(),
        _ => x.ceil(),
    }
}

#[test]
fn doubles_become_integers_clamped_and_nan_the_highest_bit() {
    let inputs: Vec<u64> = doubles().into_iter().map(f64::to_bits).collect();
    for mode in ["rni", "rzi", "rmi", "rpi"] {
        macro_rules! to {
            ($($ty:ident: $int:ty, $register:literal, $widen:literal;)*) => {$(
                let body = format!("cvt.{mode}.{}.f64 {}, %d0; {}", stringify!($ty), $register, $widen);
                check(&inputs, &body, |bits| {
                    let x = f64::from_bits(bits);
                    let highest = (1 as $int) << (<$int>::BITS - 1);
                    let value = if x.is_nan() { highest } else { integral(mode, x) as $int };
                    value as u64
                });
            )*};
        }
        to! {
            s64: i64, "%d15", "";
            u64: u64, "%d15", "";
            s32: i32, "%r1", "cvt.s64.s32 %d15, %r1;";
            u32: u32, "%r1", "cvt.u64.u32 %d15, %r1;";
            s16: i16, "%h1", "cvt.s64.s16 %d15, %h1;";
            s8: i8, "%r1", "cvt.s64.s32 %d15, %r1;";
        }
    }
}

#[test]
fn singles_that_are_not_numbers_become_zero_in_up_to_32_bits() {
    let inputs = [u64::from(f32::NAN.to_bits()); 32];
    let load = "cvt.u32.u64 %r1, %d0;";
    for (body, want) in [
        ("cvt.rzi.s32.f32 %r2, %r1; cvt.u64.u32 %d15, %r2;", 0),
        ("cvt.rzi.u16.f32 %h2, %r1; cvt.u64.u16 %d15, %h2;", 0),
        ("cvt.rzi.s64.f32 %d15, %r1;", 1 << 63),
        ("cvt.rzi.u64.f32 %d15, %r1;", 1 << 63),
        (
            "cvt.u16.u32 %h1, %r1; mov.b16 %h1, 0x7e00; cvt.rni.s32.f16 %r2, %h1; cvt.u64.u32 %d15, %r2;",
            0,
        ),
    ] {
        check(&inputs, &format!("{load} {body}"), |_| want);
    }
}

#[test]
fn narrow_results_fill_wide_registers() {
    check(&longs(), "cvt.s16.s64 %d15, %d0;", |x| x as i16 as u64);
    check(&longs(), "cvt.u8.u64 %d15, %d0;", |x| x as u8 as u64);
    check(&longs(), "cvt.s8.s64 %r1, %d0; cvt.u64.u32 %d15, %r1;", |x| x as i8 as u32 as u64);
    check(&longs(), "cvt.s8.s64 %h1, %d0; mov.b32 %r1, {%h1, %h1}; cvt.u64.u32 %d15, %r1;", |x| {
        let half = u64::from(x as i8 as u16);
        half << 16 | half
    });
    check(&longs(), "cvt.sat.s8.s64 %r1, %d0; cvt.s64.s32 %d15, %r1;", |x| {
        (x as i64).clamp(-128, 127) as u64
    });
    check(&longs(), "cvt.sat.u32.s64 %r1, %d0; cvt.u64.u32 %d15, %r1;", |x| {
        (x as i64).clamp(0, u32::MAX.into()) as u64
    });
}
