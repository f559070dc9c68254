//! `cvt` between floats, against a search among all numbers of the target format.

use half::{bf16, f16};

use crate::conversions::from_every_half;
use crate::device::Random;
use crate::formats::{Format, Mode};
use crate::handwritten::{elementwise, results};

/// All exponents with mantissas around the boundaries of narrower formats, and random numbers.
pub(crate) fn singles() -> Vec<f32> {
    let mut out = Vec::new();
    for sign in [0, 0x8000_0000u32] {
        for exponent in 0..=255u32 {
            for bit in 0..=23 {
                for (base, offset) in [(0, 0i64), (0, 1), (0, -1), (1, 0), (1, 1), (1, -1), (3, 0)]
                {
                    let mantissa = (i64::from(base << bit) + offset).rem_euclid(1 << 23) as u32;
                    out.push(f32::from_bits(sign | exponent << 23 | mantissa));
                }
            }
        }
    }
    let mut random = Random(17);
    while out.len() < 1 << 17 {
        // Half of them where the numbers of the 8-bit formats are.
        let bits = random.next();
        let exponent =
            if bits & 1 == 0 { 100 + (bits >> 8) as u32 % 45 } else { bits as u32 >> 24 };
        out.push(f32::from_bits((bits >> 32) as u32 & 0x807f_ffff | exponent << 23));
    }
    out
}

/// The modifiers of one conversion.
#[derive(Clone, Copy)]
struct How {
    mode: Mode,
    finite: bool,
    relu: bool,
}

impl How {
    fn text(self) -> String {
        let mode = match self.mode {
            Mode::Nearest => ".rn",
            Mode::NearestAway => ".rna",
            Mode::Zero => ".rz",
            Mode::Down => ".rm",
            Mode::Up => ".rp",
        };
        let finite = if self.finite { ".satfinite" } else { "" };
        format!("{mode}{}{finite}", if self.relu { ".relu" } else { "" })
    }

    fn of(self, format: &Format, x: f64) -> u32 {
        let bits = format.round(x, self.mode, self.finite);
        if self.relu && bits & format.sign() != 0 { 0 } else { bits }
    }
}

/// The four combinations of `.relu` and `.satfinite` with these modes.
fn hows(modes: &[Mode]) -> Vec<How> {
    let each = |mode: &Mode| {
        let mode = *mode;
        [(false, false), (true, false), (false, true), (true, true)].map(|(finite, relu)| How {
            mode,
            finite,
            relu,
        })
    };
    modes.iter().flat_map(each).collect()
}

/// Runs a body from `%r0` to `%r15` on all [`singles`].
fn check(body: &str, want: impl Fn(f32) -> u32) {
    let inputs = singles();
    let out = results::<f32, u32>(&elementwise("b32", 'r', 1, body), &inputs, inputs.len());
    for (x, got) in inputs.into_iter().zip(out) {
        let want = want(x);
        assert_eq!(got, want, "{body} of {x:e} ({:#x}): {got:#x}, not {want:#x}", x.to_bits());
    }
}

#[test]
fn the_formats_have_the_numbers_they_should() {
    let largest = |name| {
        let magnitudes = Format::new(name).magnitudes;
        magnitudes[magnitudes.len() - 2]
    };
    assert_eq!(largest("f16"), f16::MAX.to_f64());
    assert_eq!(largest("bf16"), bf16::MAX.to_f64());
    assert_eq!(largest("e4m3"), 448.0);
    assert_eq!(largest("e5m2"), 57344.0);
    assert_eq!(largest("tf32"), f64::from(f32::from_bits(0x7f7f_e000)));
    assert_eq!(Format::new("e4m3").magnitudes[1], 2f64.powi(-9));
    assert_eq!(Format::new("e5m2").mantissa_bits, 2);
}

#[test]
fn singles_become_halves() {
    for name in ["f16", "bf16"] {
        let format = Format::new(name);
        let directed = [Mode::Down, Mode::Up].map(|mode| How { mode, finite: false, relu: false });
        for how in hows(&[Mode::Nearest, Mode::Zero]).into_iter().chain(directed) {
            let body = format!("cvt{}.{name}.f32 %h1, %r0; cvt.u32.u16 %r15, %h1;", how.text());
            check(&body, |x| how.of(&format, x.into()));
        }
        for how in hows(&[Mode::Nearest, Mode::Zero]) {
            let body = format!("neg.f32 %r1, %r0; cvt{}.{name}x2.f32 %r15, %r0, %r1;", how.text());
            check(&body, |x| how.of(&format, x.into()) << 16 | how.of(&format, (-x).into()));
        }
    }
}

#[test]
fn singles_become_tf32() {
    let format = Format::new("tf32");
    let away = [false, true].map(|finite| How { mode: Mode::NearestAway, finite, relu: false });
    for how in hows(&[Mode::Nearest, Mode::Zero]).into_iter().chain(away) {
        check(&format!("cvt{}.tf32.f32 %r15, %r0;", how.text()), |x| {
            how.of(&format, x.into()) << 13
        });
    }
}

#[test]
fn singles_become_bytes() {
    for name in ["e4m3", "e5m2"] {
        let format = Format::new(name);
        for relu in [false, true] {
            let how = How { mode: Mode::Nearest, finite: true, relu };
            let body = format!(
                "neg.f32 %r1, %r0; cvt{}.{name}x2.f32 %h1, %r0, %r1; cvt.u32.u16 %r15, %h1;",
                how.text()
            );
            check(&body, |x| how.of(&format, x.into()) << 8 | how.of(&format, (-x).into()));
        }
    }
}

#[test]
fn every_pair_of_halves_becomes_bytes() {
    let value = |name: &str, bits: u32| match name {
        "f16" => f16::from_bits(bits as u16).to_f64(),
        _ => bf16::from_bits(bits as u16).to_f64(),
    };
    for (from, name) in [("f16", "e4m3"), ("f16", "e5m2"), ("bf16", "e4m3"), ("bf16", "e5m2")] {
        let format = Format::new(name);
        for relu in [false, true] {
            let how = How { mode: Mode::Nearest, finite: true, relu };
            let out = from_every_half(&format!(
                "not.b16 %h1, %h0; mov.b32 %r0, {{%h0, %h1}};
    cvt{}.{name}x2.{from}x2 %h2, %r0; cvt.u32.u16 %r15, %h2;",
                how.text()
            ));
            for (bits, got) in (0u32..).zip(out) {
                let low = how.of(&format, value(from, bits));
                let high = how.of(&format, value(from, !bits & 0xffff));
                assert_eq!(got, high << 8 | low, "{from} {bits:#06x} to {name}");
            }
        }
    }
}

#[test]
fn every_pair_of_bytes_becomes_halves() {
    for (name, to) in [("e4m3", "f16"), ("e5m2", "f16"), ("e4m3", "bf16"), ("e5m2", "bf16")] {
        let (bytes, halves) = (Format::new(name), Format::new(to));
        let convert = |bits: u32, relu: bool| {
            let magnitude = (bits & 0x7f) as usize;
            let last = bytes.magnitudes.len() - 1;
            let x = match magnitude {
                _ if magnitude < last => bytes.magnitudes[magnitude],
                _ if magnitude == last && bytes.has_infinity => f64::INFINITY,
                _ => f64::NAN,
            };
            let x = if bits & 0x80 != 0 { -x } else { x };
            How { mode: Mode::Nearest, finite: false, relu }.of(&halves, x)
        };
        for relu in [false, true] {
            let modifier = if relu { ".relu" } else { "" };
            let out = from_every_half(&format!("cvt.rn{modifier}.{to}x2.{name}x2 %r15, %h0;"));
            for (bits, got) in (0u32..).zip(out) {
                let want = convert(bits >> 8, relu) << 16 | convert(bits & 0xff, relu);
                assert_eq!(got, want, "{name} {bits:#06x} to {to}");
            }
        }
    }
}

#[test]
fn halves_become_each_other() {
    for (from, name) in [("f16", "bf16"), ("bf16", "f16")] {
        let format = Format::new(name);
        for mode in [Mode::Nearest, Mode::Zero, Mode::Down, Mode::Up] {
            let how = How { mode, finite: false, relu: false };
            let body = format!("cvt{}.{name}.{from} %h1, %h0; cvt.u32.u16 %r15, %h1;", how.text());
            for (bits, got) in (0u16..=u16::MAX).zip(from_every_half(&body)) {
                let x = match from {
                    "f16" => f16::from_bits(bits).to_f64(),
                    _ => bf16::from_bits(bits).to_f64(),
                };
                assert_eq!(got, how.of(&format, x), "{from} {bits:#06x}, {mode:?}");
            }
        }
    }
}
