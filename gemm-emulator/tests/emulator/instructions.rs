//! Integer, bit and predicate instructions against the host.

use crate::device::Random;
use crate::handwritten::{elementwise, kernel, results};

/// Inputs of every size and sign, three a thread.
fn triples() -> Vec<[u32; 3]> {
    let special = [0, 1, 2, 7, 31, 32, 33, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x8000];
    let mut random = Random(9);
    let mut pick = || {
        let bits = random.next();
        match bits % 3 {
            0 => special[(bits >> 8) as usize % special.len()],
            1 => (bits >> 32) as u32,
            _ => (bits >> 32) as u32 >> (bits >> 8 & 31),
        }
    };
    (0..2048).map(|_| [pick(), pick(), pick()]).collect()
}

/// Runs an instruction from `%r0 %r1 %r2` to `%r15`.
pub(crate) fn words(instruction: &str, want: impl Fn(u32, u32, u32) -> u32) {
    let inputs = triples();
    let flat: Vec<u32> = inputs.iter().flatten().copied().collect();
    let text = elementwise("b32", 'r', 3, instruction);
    let out = results::<u32, u32>(&text, &flat, inputs.len());
    for ([a, b, c], got) in inputs.into_iter().zip(out) {
        let want = want(a, b, c);
        assert_eq!(got, want, "{instruction} of {a:#x}, {b:#x}, {c:#x}: {got:#x}, not {want:#x}");
    }
}

/// Runs an instruction from `%d0 %d1` (64 bits each) to `%d15`.
fn longs(instruction: &str, want: impl Fn(u64, u64) -> u64) {
    let inputs: Vec<[u64; 2]> = triples()
        .into_iter()
        .map(|[a, b, c]| [u64::from(a) << (c & 32) | u64::from(b), u64::from(c) << (a & 32)])
        .collect();
    let flat: Vec<u64> = inputs.iter().flatten().copied().collect();
    let text = elementwise("b64", 'd', 2, instruction);
    let out = results::<u64, u64>(&text, &flat, inputs.len());
    for ([a, b], got) in inputs.into_iter().zip(out) {
        let want = want(a, b);
        assert_eq!(got, want, "{instruction} of {a:#x}, {b:#x}: {got:#x}, not {want:#x}");
    }
}

#[test]
fn arithmetic_of_32_bits() {
    words("add.s32 %r15, %r0, %r1;", |a, b, _| a.wrapping_add(b));
    words("sub.u32 %r15, %r0, %r1;", |a, b, _| a.wrapping_sub(b));
    words("mul.lo.s32 %r15, %r0, %r1;", |a, b, _| a.wrapping_mul(b));
    words("mul.hi.s32 %r15, %r0, %r1;", |a, b, _| {
        ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    });
    words("mul.hi.u32 %r15, %r0, %r1;", |a, b, _| ((u64::from(a) * u64::from(b)) >> 32) as u32);
    words("mad.lo.s32 %r15, %r0, %r1, %r2;", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    words("mad.hi.u32 %r15, %r0, %r1, %r2;", |a, b, c| {
        (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c)
    });
    words("sad.s32 %r15, %r0, %r1, %r2;", |a, b, c| c.wrapping_add((a as i32).abs_diff(b as i32)));
    words("min.s32 %r15, %r0, %r1;", |a, b, _| (a as i32).min(b as i32) as u32);
    words("max.u32 %r15, %r0, %r1;", |a, b, _| a.max(b));
    words("abs.s32 %r15, %r0;", |a, _, _| (a as i32).wrapping_abs() as u32);
    words("neg.s32 %r15, %r0;", |a, _, _| a.wrapping_neg());
    words("add.sat.s32 %r15, %r0, %r1;", |a, b, _| (a as i32).saturating_add(b as i32) as u32);
    words("or.b32 %r3, %r1, 1; div.s32 %r15, %r0, %r3;", |a, b, _| {
        (a as i32).wrapping_div((b | 1) as i32) as u32
    });
    words("or.b32 %r3, %r1, 1; rem.s32 %r15, %r0, %r3;", |a, b, _| {
        (a as i32).wrapping_rem((b | 1) as i32) as u32
    });
    words("or.b32 %r3, %r1, 1; div.u32 %r15, %r0, %r3;", |a, b, _| a / (b | 1));
    words("or.b32 %r3, %r1, 1; rem.u32 %r15, %r0, %r3;", |a, b, _| a % (b | 1));
}

#[test]
fn carries_go_into_the_next_instruction() {
    words("add.cc.u32 %r3, %r0, %r1; addc.u32 %r15, %r2, 0;", |a, b, c| {
        c.wrapping_add(u32::from(a.overflowing_add(b).1))
    });
    words("sub.cc.u32 %r3, %r0, %r1; subc.u32 %r15, %r2, 0;", |a, b, c| {
        c.wrapping_sub(u32::from(a < b))
    });
    words("mad.lo.cc.u32 %r3, %r0, %r1, %r2; madc.hi.u32 %r15, %r0, %r1, 5;", |a, b, c| {
        let sum = u64::from(a) * u64::from(b) + u64::from(c);
        ((sum >> 32) as u32).wrapping_add(5)
    });
    words(
        "mad.hi.cc.u32 %r3, %r0, %r1, %r2; madc.lo.cc.u32 %r4, %r0, %r1, %r2; addc.u32 %r15, %r4, 0;",
        |a, b, c| {
            let high = ((u64::from(a) * u64::from(b)) >> 32) as u32;
            let (low, first) = a.wrapping_mul(b).overflowing_add(c);
            let (low, second) = low.overflowing_add(u32::from(high.overflowing_add(c).1));
            low.wrapping_add(u32::from(first || second))
        },
    );
}

#[test]
fn sums_of_doubles_are_rounded_towards_zero() {
    // Finite numbers, as NaN is another one on the host.
    let finite = 0xbfff_ffff_ffff_ffff;
    let text = format!(
        "and.b64 %d3, %d0, {finite}; and.b64 %d4, %d1, {finite}; add.rz.f64 %d15, %d3, %d4;"
    );
    longs(&text, |a, b| {
        let [a, b] = [a, b].map(|bits| f64::from_bits(bits & finite));
        let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
        let sum = a + b;
        let error = small - (sum - large);
        let is_beyond = error != 0.0 && (error > 0.0) != (sum > 0.0);
        sum.to_bits() - u64::from(is_beyond)
    });
}

#[test]
fn arithmetic_of_64_bits() {
    longs("add.s64 %d15, %d0, %d1;", |a, b| a.wrapping_add(b));
    longs("mul.lo.s64 %d15, %d0, %d1;", |a, b| a.wrapping_mul(b));
    longs("mul.hi.u64 %d15, %d0, %d1;", |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64);
    longs("mul.hi.s64 %d15, %d0, %d1;", |a, b| {
        ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64
    });
    longs("or.b64 %d2, %d1, 1; div.s64 %d15, %d0, %d2;", |a, b| {
        (a as i64).wrapping_div((b | 1) as i64) as u64
    });
    longs("or.b64 %d2, %d1, 1; rem.u64 %d15, %d0, %d2;", |a, b| a % (b | 1));
    longs("cvt.u32.u64 %r0, %d1; shl.b64 %d15, %d0, %r0;", |a, b| {
        a.checked_shl(b as u32).unwrap_or(0)
    });
    longs("cvt.u32.u64 %r0, %d1; shr.s64 %d15, %d0, %r0;", |a, b| {
        ((a as i64) >> (b as u32).min(63)) as u64
    });
    longs("min.u64 %d15, %d0, %d1;", u64::min);
    longs("max.s64 %d15, %d0, %d1;", |a, b| (a as i64).max(b as i64) as u64);
    longs("cvt.u32.u64 %r0, %d0; cvt.u32.u64 %r1, %d1; mul.wide.s32 %d15, %r0, %r1;", |a, b| {
        (i64::from(a as i32) * i64::from(b as i32)) as u64
    });
    longs("cvt.u32.u64 %r0, %d0; mad.wide.u32 %d15, %r0, %r0, %d1;", |a, b| {
        (u64::from(a as u32) * u64::from(a as u32)).wrapping_add(b)
    });
    longs("mov.b64 {%r0, %r1}, %d0; mov.b64 %d15, {%r1, %r0};", |a, _| a.rotate_left(32));
    longs("mov.b64 {%h0, %h1, %h2, %h3}, %d0; mov.b64 %d15, {%h3, %h2, %h1, %h0};", |a, _| {
        a << 48 | a >> 48 | (a << 16 & 0xffff_0000_0000) | (a >> 16 & 0xffff_0000)
    });
    longs("bfi.b64 %d15, %d0, %d1, 12, 20;", |a, b| {
        let field = ((1 << 20) - 1) << 12;
        (b & !field) | (a << 12 & field)
    });
}

#[test]
fn arithmetic_of_16_bits_and_less() {
    let halves = "cvt.u16.u32 %h0, %r0; cvt.u16.u32 %h1, %r1; ";
    let run = |instruction: &str, want: fn(u16, u16) -> u16| {
        let text = format!("{halves}{instruction} cvt.u32.u16 %r15, %h2;");
        words(&text, |a, b, _| u32::from(want(a as u16, b as u16)));
    };
    run("add.s16 %h2, %h0, %h1;", u16::wrapping_add);
    run("mul.lo.s16 %h2, %h0, %h1;", u16::wrapping_mul);
    run("mul.hi.u16 %h2, %h0, %h1;", |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16);
    run("max.s16 %h2, %h0, %h1;", |a, b| (a as i16).max(b as i16) as u16);
    run("shr.s16 %h2, %h0, 3;", |a, _| ((a as i16) >> 3) as u16);
    run("shl.b16 %h2, %h0, 20;", |_, _| 0);
    run("not.b16 %h2, %h0;", |a, _| !a);
    words("cvt.u16.u32 %h0, %r0; mul.wide.s16 %r15, %h0, %h0;", |a, _, _| {
        (i32::from(a as i16) * i32::from(a as i16)) as u32
    });
    words("cvt.s32.s8 %r15, %r0;", |a, _, _| a as i8 as i32 as u32);
    words("cvt.u32.u8 %r15, %r0;", |a, _, _| a & 0xff);
    words("cvt.sat.s8.s32 %r15, %r0;", |a, _, _| (a as i32).clamp(-128, 127) as u32);
    words("cvt.sat.u16.s32 %h0, %r0; cvt.u32.u16 %r15, %h0;", |a, _, _| {
        (a as i32).clamp(0, 65535) as u32
    });
}

#[test]
fn bits_and_fields() {
    words("shl.b32 %r15, %r0, %r1;", |a, b, _| a.checked_shl(b).unwrap_or(0));
    words("shr.u32 %r15, %r0, %r1;", |a, b, _| a.checked_shr(b).unwrap_or(0));
    words("shr.s32 %r15, %r0, %r1;", |a, b, _| ((a as i32) >> b.min(31)) as u32);
    words("lop3.b32 %r15, %r0, %r1, %r2, 0x96;", |a, b, c| a ^ b ^ c);
    words("lop3.b32 %r15, %r0, %r1, %r2, 0xe8;", |a, b, c| (a & b) | (b & c) | (a & c));
    words("popc.b32 %r15, %r0;", |a, _, _| a.count_ones());
    words("clz.b32 %r15, %r0;", |a, _, _| a.leading_zeros());
    words("brev.b32 %r15, %r0;", |a, _, _| a.reverse_bits());
    words("bfind.u32 %r15, %r0;", |a, _, _| 31u32.wrapping_sub(a.leading_zeros()));
    words("bfind.shiftamt.u32 %r15, %r0;", |a, _, _| if a == 0 { !0 } else { a.leading_zeros() });
    words("bfe.u32 %r15, %r0, 5, 9;", |a, _, _| a >> 5 & 0x1ff);
    words("bfe.s32 %r15, %r0, 5, 9;", |a, _, _| (((a << 18) as i32) >> 23) as u32);
    words("bfe.u32 %r15, %r0, 28, 9;", |a, _, _| a >> 28);
    words("bfe.s32 %r15, %r0, 28, 9;", |a, _, _| ((a as i32) >> 28) as u32);
    words("bfi.b32 %r15, %r0, %r1, 8, 4;", |a, b, _| (b & !0xf00) | (a << 8 & 0xf00));
    words("shf.l.wrap.b32 %r15, %r0, %r1, %r2;", |a, b, c| {
        ((u64::from(b) << 32 | u64::from(a)) << (c & 31) >> 32) as u32
    });
    words("shf.r.clamp.b32 %r15, %r0, %r1, %r2;", |a, b, c| {
        ((u64::from(b) << 32 | u64::from(a)) >> c.min(32)) as u32
    });
    words("prmt.b32 %r15, %r0, %r1, 0x5410;", |a, b, _| a & 0xffff | b << 16);
    words("prmt.b32 %r15, %r0, %r1, 0xb3c0;", |a, b, _| {
        let sign = |x: u32, byte: u32| if x >> (8 * byte + 7) & 1 == 1 { 0xff } else { 0 };
        a & 0xff | sign(b, 0) << 8 | (a >> 24) << 16 | sign(a, 3) << 24
    });
}

#[test]
fn comparisons_and_predicates() {
    let flag = "selp.b32 %r15, 1, 0, %p0;";
    let run = |text: &str, want: fn(u32, u32, u32) -> bool| {
        words(&format!("{text} {flag}"), |a, b, c| u32::from(want(a, b, c)));
    };
    run("setp.lt.s32 %p0, %r0, %r1;", |a, b, _| (a as i32) < b as i32);
    run("setp.hi.u32 %p0, %r0, %r1;", |a, b, _| a > b);
    run("setp.ne.b32 %p0, %r0, %r1;", |a, b, _| a != b);
    run("setp.ge.s32 %p1|%p0, %r0, %r1;", |a, b, _| (a as i32) < b as i32);
    run("setp.gt.u32 %p1, %r0, %r1; setp.lt.and.u32 %p0, %r1, %r2, %p1;", |a, b, c| a > b && b < c);
    run("setp.gt.u32 %p1, %r0, %r1; setp.lt.or.u32 %p0, %r1, %r2, !%p1;", |a, b, c| {
        b < c || a <= b
    });
    run(
        "setp.gt.u32 %p1, %r0, %r1; setp.eq.u32 %p2, %r2, 0; xor.pred %p0, %p1, %p2;",
        |a, b, c| (a > b) ^ (c == 0),
    );
    run("setp.gt.u32 %p1, %r0, %r1; not.pred %p0, %p1;", |a, b, _| a <= b);
    run("setp.ltu.f32 %p0, %r0, %r1;", |a, b, _| {
        let (a, b) = (f32::from_bits(a), f32::from_bits(b));
        a < b || a.is_nan() || b.is_nan()
    });
    run("setp.ne.f32 %p0, %r0, %r1;", |a, b, _| {
        let (a, b) = (f32::from_bits(a), f32::from_bits(b));
        a != b && !a.is_nan() && !b.is_nan()
    });
    run("setp.nan.f32 %p0, %r0, %r0;", |a, _, _| f32::from_bits(a).is_nan());
    words("set.lt.u32.s32 %r15, %r0, %r1;", |a, b, _| if (a as i32) < b as i32 { !0 } else { 0 });
    words("slct.b32.s32 %r15, %r0, %r1, %r2;", |a, b, c| if c as i32 >= 0 { a } else { b });
}

#[test]
fn special_registers_tell_the_thread() {
    let body = "
    mov.u32 %r0, %laneid;
    mov.u32 %r1, %warpid;
    mad.lo.u32 %r2, %r1, 100, %r0;
    mov.u32 %r3, %lanemask_lt;
    popc.b32 %r4, %r3;
    sub.u32 %r5, %r2, %r4;
    mov.u32 %r6, %nctaid.x;
    mad.lo.u32 %r7, %r6, 1000, %r5;
    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d2, %out, %d1;
    st.global.u32 [%d2], %r7;";
    let out = results::<u32, u32>(&kernel(body), &[0], 512);
    for (at, value) in out.into_iter().enumerate() {
        assert_eq!(value, at as u32 % 256 / 32 * 100 + 2000);
    }
}

#[test]
fn packed_halves_compute_both() {
    use half::f16;
    let pair = |a: f32, b: f32| {
        u32::from(f16::from_f32(b).to_bits()) << 16 | u32::from(f16::from_f32(a).to_bits())
    };
    let inputs = [pair(1.5, -2.0), pair(0.25, 3.0), pair(10.0, 0.5)].repeat(32);
    let check = |instruction: &str, want: u32| {
        let text = elementwise("b32", 'r', 3, instruction);
        assert_eq!(results::<u32, u32>(&text, &inputs, 32)[7], want, "{instruction}");
    };
    check("add.f16x2 %r15, %r0, %r1;", pair(1.75, 1.0));
    check("mul.rn.f16x2 %r15, %r0, %r1;", pair(0.375, -6.0));
    check("fma.rn.f16x2 %r15, %r0, %r1, %r2;", pair(10.375, -5.5));
    check("max.f16x2 %r15, %r0, %r1;", pair(1.5, 3.0));
    check("neg.f16x2 %r15, %r0;", pair(-1.5, 2.0));
}

#[test]
fn a_register_that_was_never_written_is_nan() {
    let text = elementwise("f32", 'r', 1, "    add.f32 %r15, %r0, %r7;");
    let sums = results::<f32, f32>(&text, &[1.0; 32], 32);
    assert!(sums.iter().all(|sum| sum.is_nan()), "{sums:?}");
}
