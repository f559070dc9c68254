//! `cvt` between all formats: exhaustively from 16 bits, densely from 32.

use half::{bf16, f16};

use crate::device::Random;
use crate::handwritten::{elementwise, kernel, results};

/// All 16-bit patterns through one instruction from `%h0` to `%r15`.
pub(crate) fn from_every_half(instruction: &str) -> Vec<u32> {
    let body = format!(
        "    cvt.u16.u32 %h0, %idx;
    {instruction}
    mul.wide.u32 %d12, %idx, 4;
    add.u64 %d13, %out, %d12;
    st.global.b32 [%d13], %r15;"
    );
    results::<u32, u32>(&kernel(&body), &[0], 1 << 16)
}

/// f32 patterns: around every 16-bit value, ties and neighbours included, and random ones.
fn singles() -> Vec<f32> {
    let mut out = Vec::new();
    for bits in 0..=u16::MAX {
        let half = f16::from_bits(bits).to_f32();
        out.push(half);
        // Between this number and the next.
        out.push((half + f16::from_bits(bits ^ 1).to_f32()) / 2.0);
        out.push(f32::from_bits(half.to_bits() ^ 0x1001));
        out.push(f32::from_bits(u32::from(bits) << 16 | 0x8000));
        out.push(f32::from_bits(u32::from(bits) << 16 | 0x8001));
    }
    let mut random = Random(5);
    while !out.len().is_multiple_of(1 << 16) {
        out.push(f32::from_bits(random.next() as u32));
    }
    out
}

/// All of [`singles`] through one instruction from `%r0` to `%r15`.
fn from_singles(instruction: &str) -> Vec<(f32, u32)> {
    let inputs = singles();
    let text = elementwise("b32", 'r', 1, instruction);
    let out = results::<f32, u32>(&text, &inputs, inputs.len());
    inputs.into_iter().zip(out).collect()
}

#[test]
fn every_half_widens_exactly() {
    for (bits, out) in from_every_half("cvt.f32.f16 %r15, %h0;").into_iter().enumerate() {
        let half = f16::from_bits(bits as u16);
        let want = if half.is_nan() { 0x7fff_ffff } else { half.to_f32().to_bits() };
        assert_eq!(out, want, "{bits:#x}");
    }
    for (bits, out) in from_every_half("cvt.f32.bf16 %r15, %h0;").into_iter().enumerate() {
        // NaN keeps all its bits.
        assert_eq!(out, (bits as u32) << 16, "{bits:#x}");
    }
}

#[test]
fn singles_round_to_the_nearest_half() {
    let body = "cvt.rn.f16.f32 %h1, %r0; mov.b32 %r15, {%h1, %h1};";
    for (x, out) in from_singles(body) {
        let (want, got) = (f16::from_f32(x), f16::from_bits(out as u16));
        assert!(want.to_bits() == got.to_bits() || x.is_nan() && got.is_nan(), "{x:e}");
        assert_eq!(out >> 16, out & 0xffff);
    }
    let body = "cvt.rn.bf16.f32 %h1, %r0; mov.b32 %r15, {%h1, %h1};";
    for (x, out) in from_singles(body) {
        let (want, got) = (bf16::from_f32(x), bf16::from_bits(out as u16));
        assert!(want.to_bits() == got.to_bits() || x.is_nan() && got.is_nan(), "{x:e}");
    }
}

#[test]
fn saturation_and_relu_clamp() {
    for (x, out) in from_singles("cvt.sat.f32.f32 %r15, %r0;") {
        let want = if x > 0.0 { x.min(1.0) } else { 0.0 };
        assert_eq!(f32::from_bits(out), want, "{x:e}");
    }
    for (x, out) in from_singles("cvt.rn.relu.f16.f32 %h1, %r0; cvt.u32.u16 %r15, %h1;") {
        if !x.is_nan() && x != 0.0 {
            let want = if x > 0.0 { f16::from_f32(x) } else { f16::ZERO };
            assert_eq!(f16::from_bits(out as u16), want, "{x:e}");
        }
    }
}

#[test]
fn floats_become_the_nearest_integer_in_range() {
    for (x, out) in from_singles("cvt.rzi.s32.f32 %r15, %r0;") {
        assert_eq!(out as i32, x as i32, "{x:e}");
    }
    for (x, out) in from_singles("cvt.rni.u32.f32 %r15, %r0;") {
        assert_eq!(out, x.round_ties_even() as u32, "{x:e}");
    }
    for (x, out) in from_singles("cvt.rmi.s16.f32 %h1, %r0; cvt.s32.s16 %r15, %h1;") {
        assert_eq!(out as i32, i32::from(x.floor() as i16), "{x:e}");
    }
    for (x, out) in from_singles("cvt.rpi.f32.f32 %r15, %r0;") {
        let got = f32::from_bits(out);
        assert!(got == x.ceil() || x.is_nan() && got.is_nan(), "{x:e}");
    }
}

#[test]
fn integers_become_the_nearest_float() {
    for (x, out) in from_singles("cvt.rn.f32.s32 %r15, %r0;") {
        assert_eq!(f32::from_bits(out), x.to_bits() as i32 as f32);
    }
    for (x, out) in from_singles("cvt.rn.f32.u32 %r15, %r0;") {
        assert_eq!(f32::from_bits(out), x.to_bits() as f32);
    }
    for (x, out) in from_singles("cvt.rz.f32.u32 %r15, %r0;") {
        let (got, exact) = (f64::from(f32::from_bits(out)), f64::from(x.to_bits()));
        assert!(got <= exact && exact - got < 256.0);
    }
    for (bits, out) in from_every_half("cvt.rn.f32.s16 %r15, %h0;").into_iter().enumerate() {
        assert_eq!(f32::from_bits(out), f32::from(bits as u16 as i16));
    }
}

#[test]
fn flushing_takes_subnormals_for_zero_only_where_written() {
    let tiny = f32::from_bits(0x0000_1234);
    let check = |instruction: &str, want: f32| {
        let text = elementwise("b32", 'r', 2, instruction);
        let inputs = [tiny, 1.0].repeat(32);
        let out = results::<f32, f32>(&text, &inputs, 32);
        assert_eq!(out[0].to_bits(), want.to_bits(), "{instruction}");
    };
    check("mul.f32 %r15, %r0, %r1;", tiny);
    check("mul.ftz.f32 %r15, %r0, %r1;", 0.0);
    check("neg.ftz.f32 %r15, %r0;", -0.0);
    check("neg.f32 %r15, %r0;", -tiny);
    check("fma.rn.f32 %r15, %r0, %r1, %r0;", tiny * 2.0);
    check("fma.rn.ftz.f32 %r15, %r0, %r1, %r0;", 0.0);
    check("ex2.approx.ftz.f32 %r15, %r0;", 1.0);
    check("cvt.ftz.sat.f32.f32 %r15, %r0;", 0.0);
    check("setp.gt.f32 %p1, %r0, 0f00000000; selp.b32 %r15, %r1, %r0, %p1;", 1.0);
    check("setp.gt.ftz.f32 %p1, %r0, 0f00000000; selp.b32 %r15, %r1, 0, %p1;", 0.0);
}
