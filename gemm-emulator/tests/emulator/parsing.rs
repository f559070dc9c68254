//! What is parsed, and what is refused. Needs no NVRTC.

use gemm_emulator::Module;

use crate::handwritten::refuses;

const FIXTURES: [&str; 3] = [
    include_str!("../fixtures/gemm_f16.sm_80.ptx"),
    include_str!("../fixtures/gemm_bf16_transposed.sm_90.ptx"),
    include_str!("../fixtures/warps.sm_80.ptx"),
];

#[test]
fn the_fixtures_parse() {
    let names = FIXTURES.map(|ptx| {
        let module = Module::parse(ptx).unwrap_or_else(|error| panic!("{error}"));
        module.entries().map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(names[0], ["gemm"]);
    assert_eq!(names[1], ["gemm"]);
    assert!(names[2].contains(&"calls".to_owned()));
}

/// Instructions, each with what is said of it.
const REFUSED: &str = "
    tcgen05.alloc.b32 %r0, 32; -> unknown instruction tcgen05
    tex.2d.v4.f32.f32 {%r0}, [%d0]; -> unknown instruction tex
    add.bogus.s32 %r0, %r1, %r2; -> unknown modifier .bogus
    mul.wide.ftz.u32 %d0, %r1, %r2; -> unknown modifier .ftz
    ld.global.v8.u32 {%r0}, [%d0]; -> unknown modifier .v8
    mov.u32 %r0, %made_up; -> unknown special register %made_up
    mov.u64 %d0, nowhere; -> unknown name nowhere
    bra NOWHERE; -> label NOWHERE is missing
    add.s32 %r0, %r1; -> expected 3 operands, found 2
    add.s32 %d0, %r1, %r2; -> destination has the wrong size
    add.s32 %r0, %d1, %r2; -> operand has the wrong size
    add.s32 5, %r1, %r2; -> destination is not a register
    mul.wide.u64 %d0, %d1, %d2; -> type does not fit this instruction
    lop3.b64 %d0, %d1, %d2, %d3, 1; -> type does not fit this instruction
    vote.sync.any.b32 %r0, %p1, -1; -> type does not fit this instruction
    bar.red.popc.pred %p0, 0, %p1; -> type does not fit this instruction
    testp.finite.b64 %p0, %d1; -> type does not fit this instruction
    cvt.u64.u32 %r0, %r1; -> destination has the wrong size
    cvt.rn.f32.f64 %d0, %d1; -> destination has the wrong size
    cvt.f16.f32 %h0, %r0; -> this conversion needs a rounding modifier
    cvt.s32.f32 %r0, %r0; -> this conversion needs an integer rounding modifier
    cvt.rs.f16x2.f32 %r0, %r1, %r2, %r3; -> this conversion needs a rounding modifier
    cvt.rn.e4m3x2.f32 %h0, %r1, %r2; -> this conversion needs .satfinite
    cvt.rz.satfinite.e4m3x2.f32 %h0, %r1, %r2; -> this conversion has no such rounding
    cvt.rn.satfinite.e2m1x2.f32 %h0, %r1, %r2; -> type is missing
    cvt.rna.f16.f32 %h0, %r1; -> this conversion has no such rounding
    cvt.rn.u32.u64 %r0, %d1; -> this conversion has no such rounding
    cvt.rn.relu.f32.f64 %r0, %d1; -> this conversion takes neither .satfinite nor .relu
    cvt.rn.tf32.f16 %r0, %h1; -> unsupported pair of types of cvt
    cp.async.cg.shared.global [%r0], [%d0], 8; -> cp.async cannot copy 8 bytes
    add.rp.f64 %d0, %d1, %d2; -> f64 sums are only rounded to nearest and towards zero
    mul.rz.f64 %d0, %d1, %d2; -> f64 arithmetic is only rounded to nearest
    shfl.bfly.b32 %r0, %r1, 1, 31; -> only the .sync form is supported
    mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 {%r0}, {%r0}, {%r0}, {%r0}; -> unsupported shape or layout of mma
    mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%r0}, {%r0}, {%r0}, {%r0}; -> unsupported pair of input types of mma
    mma.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r0}, {%r0}, {%r0}, {%r0}; -> mma has no such shape for its input type
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 {%r0}, {%r0}, {%r0}, {%r0}; -> unsupported accumulator type of mma
    mma.sync.aligned.m16n8k32.row.col.s32.b1.b1.s32.and.popc {%r0}, {%r0}, {%r0}, {%r0}; -> unsupported input type of mma
    match.any.sync.b32 %r0, %r0, -1; -> unknown instruction match
    redux.sync.add.u32 %r0, %r0, -1; -> unknown instruction redux
    mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d0, %d1}; -> unknown modifier .rz
    mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%r0}, {%r2}, {%r3}, {%r0}; -> wrong number of registers in a fragment
    .surfref surface; -> unknown directive .surfref
";

#[test]
fn what_is_not_modelled_is_named_with_its_line() {
    refuses(REFUSED);
}

#[test]
fn malformed_texts_are_errors_too() {
    for (text, what) in [
        (".version 8.0\n.target sm_80\n.address_size 32", "only 64-bit addresses are supported"),
        (".entry f() { ret; ", "function without end"),
        (".entry f() { .reg .b32 %r<99999999>; ret; }", "too many registers"),
        (".entry f() { /* ", "comment without end"),
        (".entry f() { ret }", "expected an operand"),
        (".global .b8 a[99999999999];", "number out of range"),
        (".texref t;", "unknown directive .texref"),
        (".entry f() { A: A: ret; }", "label A is there twice"),
        (
            ".func f() { call f; ret; } .entry g() { call f; ret; }",
            "calls are nested too deeply or recursive",
        ),
        (".global .b32 a[4] = {{{{{{{{{{1}}}}}}}}}};", "initializer is nested too deeply"),
        (".entry f() { .local .b8 a[1000000]; ret; }", "kernel needs too much local memory"),
        ("\u{1F980}", "unexpected character"),
    ] {
        assert_eq!(Module::parse(text).expect_err(text).what, what, "{text}");
    }
}

#[test]
fn any_cut_of_a_real_text_is_parsed_or_refused() {
    let text = FIXTURES[2];
    for cut in (0..text.len()).step_by(197) {
        let _ = Module::parse(&text[..cut]);
        let _ = Module::parse(&text[cut..]);
    }
}
