//! `mma.sync` in all forms, against sums in integers.

pub(crate) mod forms;
mod layouts;
pub(crate) mod reference;
pub(crate) mod rule;

use forms::Form;
use gemm_emulator::{Launch, Memory, Module};
use half::f16;
use reference::Problem;

use crate::device::Value;

/// Runs a form's kernel on the registers of its lanes.
fn run(form: &Form, input: &[u8]) -> Vec<u8> {
    let text = form.text();
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let memory = Memory::new();
    let from = memory.allocate(input.len() as u64).expect("allocates");
    memory.write(from, input).expect("writes");
    let bytes = 32 * form.registers()[2] as u64 * form.register_bytes();
    let to = memory.allocate(bytes).expect("allocates");
    let arguments = [from.bytes(), to.bytes()];
    let launch = Launch { arguments: &arguments, ..Launch::new("multiply", [1, 1, 1], [32, 1, 1]) };
    let statistics = module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(statistics.matrix_multiplies, 1);
    let mut out = vec![0; bytes as usize];
    memory.read(to, &mut out).expect("reads");
    out
}

#[test]
fn random_fragments_give_the_sums_of_every_form_on_every_target() {
    let forms = forms::all();
    assert_eq!(forms.len(), 76);
    let later = forms.iter().flat_map(|form| {
        let targets = ["sm_89", "sm_90", "sm_100", "sm_120"].into_iter();
        let later =
            targets.filter(|_| rule::has_rule(form.a)).filter(|target| *target != form.target);
        later.map(|target| Form { target, ..*form })
    });
    for form in forms.iter().copied().chain(later) {
        for seed in 0..8 {
            let problem = Problem::random(&form, seed);
            let got = run(&form, &problem.pack(&form));
            assert!(got == problem.expected(&form), "{form:?}, seed {seed}");
        }
    }
}

/// The form with these types and shape.
fn form(a: &str, accumulator: &str, shape: (usize, usize), clamp: &str) -> Form {
    let found = forms::all().into_iter().find(|form| {
        (form.a, form.b, form.accumulator) == (a, a, accumulator)
            && (form.rows, form.k) == shape
            && form.clamp == clamp
    });
    found.expect("a form")
}

/// Runs a form on constant matrices; gives the bits of d in lane 0.
fn constant(form: &Form, a: u64, b: u64, c: u64) -> u64 {
    let matrix = |rows: usize, columns, bits| vec![vec![bits; columns]; rows];
    let problem = Problem {
        a: matrix(form.rows, form.k, a),
        b: matrix(form.k, 8, b),
        c: matrix(form.rows, 8, c),
    };
    let out = run(form, &problem.pack(form));
    let bytes = forms::bits(form.accumulator) / 8;
    let first: Vec<u8> = out[..bytes].iter().copied().chain([0; 8]).take(8).collect();
    u64::from_le_bytes(first.try_into().expect("8 bytes"))
}

#[test]
fn integers_wrap_or_saturate() {
    let (most, least) = (i32::MAX as u32 as u64, i32::MIN as u32 as u64);
    let wrapping = form("s8", "s32", (16, 32), "");
    let clamping = form("s8", "s32", (16, 32), ".satfinite");
    let product = 32 * 128 * 128u32;
    assert_eq!(constant(&wrapping, 0x80, 0x80, most) as u32, i32::MAX as u32 + product);
    assert_eq!(constant(&clamping, 0x80, 0x80, most), most);
    assert_eq!(constant(&clamping, 0x7f, 0x80, least), least);
    assert_eq!(constant(&clamping, 0x7f, 0x7f, 0) as u32, 32 * 127 * 127);
    let unsigned = form("u8", "s32", (16, 32), ".satfinite");
    assert_eq!(constant(&unsigned, 0xff, 0xff, most - 1), most);
}

#[test]
fn infinities_and_nan_go_through() {
    let f16_form = form("f16", "f32", (16, 16), "");
    let (one, infinity, nan) = (0x3c00, 0x7c00, 0x7e00);
    let single = |bits: u64| f32::from_bits(bits as u32);
    assert_eq!(single(constant(&f16_form, infinity, one, 0)), f32::INFINITY);
    assert!(single(constant(&f16_form, infinity, 0, 0)).is_nan());
    assert_eq!(constant(&f16_form, nan, one, 0), 0x7fff_ffff);
    let fp8 = form("e4m3", "f32", (16, 32), "");
    assert_eq!(constant(&fp8, 0x7f, 0x38, 0), 0x7fff_ffff);
    assert_eq!(single(constant(&fp8, 0x7e, 0x7e, 0)), 32.0 * 448.0 * 448.0);
    let fp8 = form("e5m2", "f32", (16, 32), "");
    assert_eq!(single(constant(&fp8, 0xfc, 0x3c, 0)), f32::NEG_INFINITY);
    // 16 products of 65504 are too much for an f16.
    let halves = form("f16", "f16", (16, 16), "");
    assert_eq!(constant(&halves, 0x7bff, one, 0), u64::from(f16::INFINITY.to_bits()));
    assert_eq!(constant(&halves, 0x7e00, one, 0), 0x7fff);
}

#[test]
fn a_target_has_its_bits_and_halves() {
    let f16_form = form("f16", "f32", (16, 16), "");
    let of = |target, [a, b]: [i32; 2]| {
        let [a, b] = [a, b].map(|power| u64::from(f16::from_f32(2f32.powi(power)).to_bits()));
        let form = Form { target, ..f16_form };
        f32::from_bits(constant(&form, a, b, 1f32.to_bits().into()) as u32)
    };
    // 16 products of 2^-24 added to 1 one by one would be lost in f32.
    for target in ["sm_80", "sm_90", "sm_90a", "sm_120"] {
        assert_eq!(of(target, [-12, -12]), 1.0 + 2f32.powi(-20), "{target}");
    }
    // Those of 2^-25 are below the bits that sm_80 keeps.
    assert_eq!(of("sm_80", [-12, -13]), 1.0);
    assert_eq!(of("sm_90", [-12, -13]), 1.0 + 2f32.powi(-21));
    assert_eq!(of("sm_90", [-13, -13]), 1.0);
    // Subnormal halves count.
    let sum = constant(&f16_form, 1, 0x3c00, 0);
    assert_eq!(f32::from_bits(sum as u32), 16.0 * 2f32.powi(-24));
}

#[test]
fn each_step_on_f64_is_fused() {
    let doubles = form("f64", "f64", (8, 4), "");
    let (a, b) = (1.0 + 2f64.powi(-30), 1.0 - 2f64.powi(-30));
    // The product is 1 - 2^-60. Three steps round -4 up to -1; the last one is exact, for it is fused.
    let sum = constant(&doubles, a.to_bits(), b.to_bits(), (-4f64).to_bits());
    assert_eq!(f64::from_bits(sum), -2f64.powi(-60));
}
