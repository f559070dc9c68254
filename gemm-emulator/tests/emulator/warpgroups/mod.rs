//! `wgmma` in all forms, against sums in integers; and its wrong uses. Needs no NVRTC.

mod faults;
mod forms;
mod reference;
mod registers;

use forms::{Form, Layout, WAIT};
use gemm_emulator::{Fault, Launch, Memory, Module, Statistics};
use reference::Input;

use crate::device::Value;

/// A matrix in the swizzle of 128 bytes, with contiguous K.
const K_MAJOR: Layout =
    Layout { transposed: false, swizzle: 128, leading: 16, stride: 1024, offset: 0 };

const FORM: Form = Form {
    columns: 16,
    a: "f16",
    b: "f16",
    accumulator: "f32",
    clamp: "",
    layouts: [K_MAJOR; 2],
    negated: [false; 2],
    adds: true,
};

/// Runs a kernel of a form with this input and gives what it writes.
fn run(text: &str, form: &Form, input: &[u8], seed: u64) -> Result<(Vec<u8>, Statistics), Fault> {
    run_threads(text, form, input, (128, seed))
}

/// As [`run`], with a number of threads and a seed.
fn run_threads(
    text: &str,
    form: &Form,
    input: &[u8],
    (threads, seed): (u32, u64),
) -> Result<(Vec<u8>, Statistics), Fault> {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let memory = Memory::new();
    let from = memory.allocate(input.len() as u64).expect("allocates");
    memory.write(from, input).expect("writes");
    let bytes = 128 * 4 * form.registers() as u64;
    let to = memory.allocate(2 * bytes).expect("allocates");
    let arguments = [from.bytes(), to.bytes()];
    let launch =
        Launch { arguments: &arguments, seed, ..Launch::new("warpgroup", [1; 3], [threads, 1, 1]) };
    let statistics = module.launch(&memory, &launch)?;
    let mut out = vec![0; bytes as usize];
    memory.read(to, &mut out).expect("reads");
    Ok((out, statistics))
}

fn check(form: &Form) {
    let seed = form.columns as u64;
    let input = Input::random(form, seed);
    let ran = run(&form.text(), form, &input.bytes(form), seed);
    let (got, statistics) = ran.unwrap_or_else(|fault| panic!("{fault}\n{form:?}"));
    assert!(got == input.expected(form), "{form:?}");
    assert_eq!(statistics.matrix_multiplies, 1);
}

/// The types that are multiplied, with those of their sums.
fn types() -> Vec<[&'static str; 3]> {
    let mut types = vec![
        ["f16", "f16", "f32"],
        ["f16", "f16", "f16"],
        ["bf16", "bf16", "f32"],
        ["tf32", "tf32", "f32"],
    ];
    for a in ["e4m3", "e5m2"] {
        for b in ["e4m3", "e5m2"] {
            types.extend([[a, b, "f32"], [a, b, "f16"]]);
        }
    }
    for a in ["s8", "u8"] {
        types.extend([[a, "s8", "s32"], [a, "u8", "s32"]]);
    }
    types
}

#[test]
fn every_type_gives_its_sums() {
    for [a, b, accumulator] in types() {
        let form = Form { a, b, accumulator, ..FORM };
        check(&form);
        check(&Form { columns: 48, adds: false, ..form });
        if accumulator == "s32" {
            check(&Form { clamp: ".satfinite", ..form });
        } else {
            check(&Form { negated: [true, false], ..form });
            check(&Form { negated: [true, true], adds: false, ..form });
        }
    }
}

#[test]
fn a_may_be_in_registers() {
    for [a, b, accumulator] in types() {
        let form = Form { a, b, accumulator, columns: 24, ..FORM };
        for form in [form, Form { columns: 8, negated: [accumulator != "s32", false], ..form }] {
            let seed = form.columns as u64;
            let (input, multiply) = (Input::random(&form, seed), form.instruction_of_registers());
            let body = format!("{}\nwgmma.fence.sync.aligned;\n{multiply}\n{WAIT}", form.loads());
            let ran = run(&form.text_with(&body), &form, &input.bytes(&form), seed);
            let (got, _) = ran.unwrap_or_else(|fault| panic!("{fault}\n{form:?}"));
            assert!(got == input.expected(&form), "{form:?}");
        }
    }
}

#[test]
fn b_has_any_multiple_of_8_columns() {
    for columns in (8..=256).step_by(8) {
        check(&Form { columns, ..FORM });
    }
    check(&Form { columns: 24, a: "s8", b: "u8", accumulator: "s32", ..FORM });
}

/// Layouts of 64 rows or columns, whatever the size of the elements.
fn layouts(transposed: bool) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for swizzle in [0usize, 32, 64, 128] {
        let row = swizzle.max(16);
        let layout = Layout { transposed, swizzle, leading: 0, stride: 8 * row, offset: 0 };
        if transposed && swizzle != 0 {
            // 8 columns of K, then the next ones, then the next rows of the swizzle.
            layouts.push(Layout { leading: 16 * row, ..layout });
            // The same with the two exchanged.
            let parts = 128usize.div_ceil(swizzle);
            layouts.push(Layout { leading: 8 * row, stride: parts * 8 * row, ..layout });
            continue;
        }
        let leading = if swizzle == 0 { 8 * 128 } else { 0 };
        layouts.push(Layout { leading, ..layout });
        layouts.push(Layout { leading: 128, stride: 512.max(8 * row), ..layout });
        for offset in (32..row).step_by(32) {
            layouts.push(Layout { leading, offset, ..layout });
        }
    }
    layouts
}

#[test]
fn matrices_lie_in_every_canonical_layout() {
    for a in layouts(false) {
        for [ty, accumulator] in [["f16", "f32"], ["tf32", "f32"], ["e4m3", "f16"], ["u8", "s32"]] {
            let form = Form { a: ty, b: ty, accumulator, columns: 32, ..FORM };
            check(&Form { layouts: [a, K_MAJOR], ..form });
            check(&Form { layouts: [K_MAJOR, a], ..form });
        }
    }
    for a in layouts(true) {
        for ty in ["f16", "bf16"] {
            for columns in [8, 24, 64, 72] {
                let form = Form { a: ty, b: ty, columns, ..FORM };
                check(&Form { layouts: [a, K_MAJOR], ..form });
                check(&Form { layouts: [K_MAJOR, a], ..form });
            }
        }
    }
}
