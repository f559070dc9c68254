//! `atom` and `red`, each lane on a place of its own and all lanes on one.

use gemm_emulator::Violation;
use half::{bf16, f16};

use crate::device::{Random, assert_violation};
use crate::handwritten::{kernel, results, violation};

/// Lanes of one warp, each with the 64-bit value `%d0` in memory at `[%d9]` and the operands `%d1` and `%d2`; what memory
/// then has and what `%d15` holds are the two outputs of a lane. `SPACE` stands for the space of the instruction.
fn text(space: &str, body: &str) -> String {
    let place = match space {
        "shared" => {
            "    .shared .align 16 .b8 s[1024];
    mov.u64 %d9, s; shl.b64 %d3, %d8, 1; add.u64 %d9, %d9, %d3;"
        }
        "generic" => {
            "    .shared .align 16 .b8 s[1024];
    mov.u64 %d9, s; cvta.shared.u64 %d9, %d9; shl.b64 %d3, %d8, 1; add.u64 %d9, %d9, %d3;"
        }
        _ => "    shl.b64 %d3, %d8, 1; add.u64 %d9, %out, %d3;",
    };
    let dotted = if space == "generic" { String::new() } else { format!(".{space}") };
    kernel(&format!(
        "    mul.wide.u32 %d8, %idx, 8;
    mul.wide.u32 %d10, %idx, 24;
    add.u64 %d11, %in, %d10;
    ld.global.b64 %d0, [%d11]; ld.global.b64 %d1, [%d11+8]; ld.global.b64 %d2, [%d11+16];
    cvt.u32.u64 %r0, %d0; cvt.u32.u64 %r1, %d1; cvt.u32.u64 %r2, %d2;
    cvt.u16.u64 %h0, %d0; cvt.u16.u64 %h1, %d1; cvt.u16.u64 %h2, %d2;
    mov.u64 %d15, 0;
{place}
    st{dotted}.b64 [%d9], %d0;
    {}
    bar.sync 0;
    ld{dotted}.b64 %d14, [%d9];
    shl.b64 %d3, %d8, 1; add.u64 %d13, %out, %d3;
    st.global.b64 [%d13], %d14; st.global.b64 [%d13+8], %d15;",
        body.replace("SPACE", &dotted)
    ))
}

/// Operands: the value in memory and two more, interesting ones often equal.
fn triples() -> Vec<[u64; 3]> {
    let mut random = Random(3);
    let mut pick = || match random.next() % 4 {
        0 => random.next() % 3,
        1 => u64::MAX - random.next() % 3,
        2 => 0x8000_0000_8000_8000,
        _ => random.next(),
    };
    let mut out: Vec<[u64; 3]> = (0..256).map(|_| [pick(), pick(), pick()]).collect();
    // Half of the compare-and-swaps succeed.
    for triple in out.iter_mut().step_by(2) {
        triple[1] = triple[0];
    }
    out
}

/// Runs an instruction in all spaces; `want` gives what it leaves in the low `bits` bits of memory.
fn check(instruction: &str, widen: &str, bits: u32, want: impl Fn(u64, u64, u64) -> u64) {
    let inputs = triples();
    let flat: Vec<u64> = inputs.iter().flatten().copied().collect();
    let mask = u64::MAX >> (64 - bits);
    for space in ["global", "shared", "generic"] {
        for block in flat.chunks(3 * 32) {
            let text = text(space, &format!("{instruction} {widen}"));
            let out = results::<u64, [u64; 2]>(&text, block, 32);
            for (triple, [memory, result]) in block.chunks(3).zip(out) {
                let (old, a, b) = (triple[0], triple[1], triple[2]);
                let new = want(old & mask, a & mask, b & mask) & mask | old & !mask;
                assert_eq!(memory, new, "{instruction} in {space}: {old:#x}, {a:#x}, {b:#x}");
                assert_eq!(result, old & mask, "{instruction} in {space}: result");
            }
        }
    }
}

const WORD: &str = "cvt.u64.u32 %d15, %r15;";
const HALF: &str = "cvt.u64.u16 %d15, %h15;";

#[test]
fn words_are_combined() {
    let word = |f: fn(u32, u32) -> u32| move |old, a, _| u64::from(f(old as u32, a as u32));
    let atom = |what: &str| format!("atomSPACE.{what} %r15, [%d9], %r1;");
    check(&atom("add.u32"), WORD, 32, word(u32::wrapping_add));
    check(&atom("add.s32"), WORD, 32, word(u32::wrapping_add));
    check(&atom("min.u32"), WORD, 32, word(u32::min));
    check(&atom("max.u32"), WORD, 32, word(u32::max));
    check(&atom("min.s32"), WORD, 32, word(|x, y| (x as i32).min(y as i32) as u32));
    check(&atom("max.s32"), WORD, 32, word(|x, y| (x as i32).max(y as i32) as u32));
    check(&atom("and.b32"), WORD, 32, word(|x, y| x & y));
    check(&atom("or.b32"), WORD, 32, word(|x, y| x | y));
    check(&atom("xor.b32"), WORD, 32, word(|x, y| x ^ y));
    check(&atom("exch.b32"), WORD, 32, word(|_, y| y));
    check(&atom("inc.u32"), WORD, 32, word(|x, y| if x >= y { 0 } else { x + 1 }));
    check(&atom("dec.u32"), WORD, 32, word(|x, y| if x == 0 || x > y { y } else { x - 1 }));
    let cas = "atomSPACE.cas.b32 %r15, [%d9], %r1, %r2;";
    check(cas, WORD, 32, |old, a, b| if old == a { b } else { old });
}

#[test]
fn longs_and_halves_are_combined() {
    let atom = |what: &str| format!("atomSPACE.{what} %d15, [%d9], %d1;");
    check(&atom("add.u64"), "", 64, |old, a, _| old.wrapping_add(a));
    check(&atom("min.u64"), "", 64, |old, a, _| old.min(a));
    check(&atom("max.s64"), "", 64, |old, a, _| (old as i64).max(a as i64) as u64);
    check(&atom("xor.b64"), "", 64, |old, a, _| old ^ a);
    check(&atom("exch.b64"), "", 64, |_, a, _| a);
    let cas = |old, a, b| if old == a { b } else { old };
    check("atomSPACE.cas.b64 %d15, [%d9], %d1, %d2;", "", 64, cas);
    check("atomSPACE.cas.b16 %h15, [%d9], %h1, %h2;", HALF, 16, cas);
    // The upper half of a word has its own place.
    let upper =
        "atomSPACE.cas.b16 %h15, [%d9+2], %h1, %h2; shr.u64 %d3, %d0, 16; cvt.u64.u16 %d3, %d3;
    cvt.u64.u16 %d4, %h15; sub.u64 %d3, %d3, %d4; sub.u64 %d15, %d0, %d3;";
    check(
        &upper.replace("cvt.u64.u16 %d3, %d3;", "and.b64 %d3, %d3, 0xffff;"),
        "",
        64,
        |old, a, b| {
            if old >> 16 & 0xffff == a & 0xffff {
                old & !0xffff_0000 | (b & 0xffff) << 16
            } else {
                old
            }
        },
    );
}

#[test]
fn modifiers_change_nothing() {
    for instruction in [
        "atom.relaxed.gpuSPACE.add.u32 %r15, [%d9], %r1;",
        "atom.acq_rel.sysSPACE.add.u32 %r15, [%d9], %r1;",
        "atom.acquire.ctaSPACE.add.u32 %r15, [%d9], %r1;",
        "red.release.gpuSPACE.add.u32 [%d9], %r1; mov.b32 %r15, %r0;",
        "redSPACE.add.u32 [%d9], %r1; mov.b32 %r15, %r0;",
    ] {
        check(instruction, WORD, 32, |old, a, _| old.wrapping_add(a));
    }
}

/// Adds pairs of floats given as bits and compares results and memory bit by bit.
fn float_case(space: &str, instruction: &str, widen: &str, [old, a]: [u64; 2], want: u64) {
    let inputs = [old, a, 0].repeat(32);
    let out =
        results::<u64, [u64; 2]>(&text(space, &format!("{instruction} {widen}")), &inputs, 32);
    assert_eq!(out, [[want, old]; 32], "{instruction} in {space}");
}

#[test]
fn floats_are_added() {
    for space in ["global", "shared", "generic"] {
        let bits = |x: f32| u64::from(x.to_bits());
        let add = "atomSPACE.add.f32 %r15, [%d9], %r1;";
        float_case(space, add, WORD, [bits(1.5), bits(-4.25)], bits(-2.75));
        float_case(space, add, WORD, [bits(f32::INFINITY), bits(f32::NEG_INFINITY)], 0x7fff_ffff);
        // Only global memory flushes.
        let kept = if space == "global" { 0.0f32 } else { f32::from_bits(3) };
        float_case(space, add, WORD, [1, 2], bits(kept));
        let add = "atomSPACE.add.f64 %d15, [%d9], %d1;";
        float_case(space, add, "", [1.5f64.to_bits(), 5e-324f64.to_bits()], 1.5f64.to_bits());
        let half = |x: f32| u64::from(f16::from_f32(x).to_bits());
        let add = "atomSPACE.add.noftz.f16 %h15, [%d9], %h1;";
        float_case(space, add, HALF, [half(2048.0), half(1.0)], half(2048.0));
        float_case(space, add, HALF, [1, 2], 3);
        let wide = |x: f32| u64::from(bf16::from_f32(x).to_bits());
        let add = "atomSPACE.add.noftz.bf16 %h15, [%d9], %h1;";
        float_case(space, add, HALF, [wide(256.0), wide(3.0)], wide(260.0));
        let add = "atomSPACE.add.noftz.f16x2 %r15, [%d9], %r1;";
        let pair = |x, y| half(x) << 16 | half(y);
        float_case(space, add, WORD, [pair(1.0, 2.0), pair(0.5, -3.0)], pair(1.5, -1.0));
        let add = "atomSPACE.add.noftz.bf16x2 %r15, [%d9], %r1;";
        let pair = |x, y| wide(x) << 16 | wide(y);
        float_case(space, add, WORD, [pair(1.0, 2.0), pair(0.5, -3.0)], pair(1.5, -1.0));
    }
}

#[test]
fn vectors_are_combined_element_by_element() {
    let single = |x: f32| u64::from(x.to_bits());
    let pair = |x: f32, y: f32| single(y) << 32 | single(x);
    // Results go where the operands were.
    let swap = "mov.b64 {%r3, %r4}, %d1; atomSPACE.add.v2.f32 {%r4, %r3}, [%d9], {%r3, %r4};
    mov.b64 %d15, {%r4, %r3};";
    float_case("global", swap, "", [pair(1.0, 2.0), pair(0.25, 0.5)], pair(1.25, 2.5));
    let half = |x: f32| u64::from(f16::from_f32(x).to_bits());
    let four = |x: [f32; 4]| x.iter().rev().fold(0, |all, x| all << 16 | half(*x));
    let most = "mov.b64 {%h3, %h4, %h5, %h6}, %d1;
    redSPACE.max.noftz.v4.f16 [%d9], {%h3, %h4, %h5, %h6}; mov.b64 %d15, %d0;";
    let want = four([1.0, 5.0, -1.0, 0.0]);
    let operands = [four([1.0, 2.0, -3.0, -0.0]), four([0.0, 5.0, -1.0, 0.0])];
    float_case("global", most, "", operands, want);
    let least = "mov.b64 {%r3, %r4}, %d1; redSPACE.min.noftz.v2.f16x2 [%d9], {%r3, %r4}; mov.b64 %d15, %d0;";
    float_case("global", least, "", operands, four([0.0, 2.0, -3.0, -0.0]));
}

#[test]
fn lanes_on_one_place_all_count() {
    let body = "    mov.u64 %d9, %out;
    setp.eq.u32 %p0, %idx, 0;
    @%p0 st.global.u32 [%d9], 0;
    bar.sync 0;
    @!%p0 red.global.add.u32 [%d9], %idx;";
    let out = results::<u32, u32>(&kernel(body), &[0], 32);
    assert_eq!(out[0], (0..32).sum::<u32>());
}

#[test]
fn vectors_are_aligned_as_a_whole() {
    let body = "    st.global.b64 [%out], %d0; st.global.b64 [%out+8], %d0;
    setp.eq.u32 %p0, %idx, 0;
    @%p0 red.global.add.v2.f32 [%out+4], {%r0, %r1};";
    assert_violation!(violation(&kernel(body), 32), Violation::Misaligned { bytes: 8, .. });
}
