//! Launches on the emulator.

use std::sync::{Arc, Mutex};

use crate::common::{alignment, arguments, matrices, numbers, operands, run, scaled};
use gemm_codegen::{Axis, Target};
use gemm_runtime::prelude::*;
use gemm_runtime::reference::{HostMatrix, HostVector, reference};
use gemm_runtime::{Kernel, launch};

/// What the kernel should give, by the host.
fn expected(shape: Shape, x: &[f32], w: &[f32], bias: &[f32], alpha: f32) -> Vec<f32> {
    let x = HostMatrix::new("x", x, [Axis::M, Axis::K], shape).expect("x");
    let w = HostMatrix::new("w", w, [Axis::N, Axis::K], shape).expect("w");
    let bias = HostVector::new("bias", bias, Axis::N, shape).expect("bias");
    reference(shape, x, &[w], [Axis::M, Axis::N], |acc: &[f32], m, n| {
        alpha * acc[0] + bias.at(m, n)
    })
    .expect("it is small")
}

#[test]
fn a_launch_agrees_with_the_host() {
    let device = Device::emulator();
    for (m, n, k) in [(1, 1, 1), (4, 8, 16), (7, 9, 5), (13, 17, 3)] {
        let (x, w, bias) = matrices(&device, [m, n, k]);
        let out = run(&device, &x, &w, &bias, 0.5).expect("it runs");
        assert_eq!((out.rows(), out.columns()), (m, n));
        let (x, w, bias) = (numbers(m * k, 1), numbers(n * k, 2), numbers(n, 3));
        assert_eq!(out.to_vec().expect("out"), expected(Shape { m, n, k }, &x, &w, &bias, 0.5));
    }
}

#[test]
fn without_an_output_element_nothing_is_compiled_or_launched() {
    let device = Device::emulator();
    let kernel = Kernel { text: "this does not compile".into(), ..scaled() };
    for (m, n) in [(0, 5), (5, 0), (0, 0)] {
        let x = device.zeros::<f32>(m, 3).expect("x");
        let w = device.zeros::<f32>(n, 3).expect("w");
        let bias = device.vector(&vec![0.0f32; n]).expect("bias");
        let out = launch::run::<f32>(&device, &kernel, operands(&x, &w, &bias, 1.0));
        assert!(out.expect("nothing to do").to_vec().expect("out").is_empty());
    }
    let x = device.zeros::<f32>(1, 3).expect("x");
    let bias = device.vector(&[0.0f32; 1]).expect("bias");
    let failed = launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0));
    assert!(matches!(failed, Err(Error::Compile(_))));
}

#[test]
fn k_of_zero_applies_the_body_to_zero() {
    let device = Device::emulator();
    let x = device.zeros::<f32>(3, 0).expect("x");
    let w = device.zeros::<f32>(2, 0).expect("w");
    let bias = device.vector(&[1.0f32, 2.0]).expect("bias");
    let out = run(&device, &x, &w, &bias, 1.0).expect("it runs");
    assert_eq!(out.to_vec().expect("out"), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
}

#[test]
fn parts_are_read_and_written_and_the_rest_left_alone() {
    let device = Device::emulator();
    let (x, w, bias) = (numbers(8 * 10, 1), numbers(6 * 10, 2), numbers(9, 3));
    let dx = device.matrix(8, 10, &x).expect("x");
    let dw = device.matrix(6, 10, &w).expect("w");
    let db = device.vector(&bias).expect("bias");
    let mut out = device.matrix(7, 11, &[9.0f32; 77]).expect("out");

    let arguments = arguments(
        dx.submatrix(1..6, 2..9).expect("a part"),
        dw.submatrix(2..6, 3..10).expect("a part"),
        db.slice(3..7).expect("a part"),
        out.submatrix_mut(1..6, 4..8).expect("a part"),
    );
    launch::into(&device, &scaled(), arguments).expect("it runs");

    let dense = |host: &[f32], ld: usize, rows: std::ops::Range<usize>, start: usize| {
        rows.flat_map(|r| host[r * ld + start..r * ld + start + 7].to_vec()).collect::<Vec<_>>()
    };
    let shape = Shape { m: 5, n: 4, k: 7 };
    let product =
        expected(shape, &dense(&x, 10, 1..6, 2), &dense(&w, 10, 2..6, 3), &bias[3..7], 1.0);
    let all = out.to_vec().expect("out");
    for (i, value) in all.iter().enumerate() {
        let (row, column) = (i / 11, i % 11);
        let inside = (1..6).contains(&row) && (4..8).contains(&column);
        let expected = if inside { product[(row - 1) * 4 + column - 4] } else { 9.0 };
        assert_eq!(*value, expected, "({row}, {column})");
    }
}

#[test]
fn a_prepared_launch_runs_each_time() {
    let device = Device::emulator();
    let x = device.matrix(2, 2, &[1.0f32, 2.0, 3.0, 4.0]).expect("x");
    let bias = device.vector(&[0.0f32; 2]).expect("bias");
    let mut out = device.zeros::<f32>(2, 2).expect("out");
    let arguments = arguments(&x, &x, &bias, &mut out);
    let mut prepared = launch::prepare(&device, &scaled(), arguments).expect("it is right");
    prepared.launch().expect("it runs");
    prepared.launch().expect("it runs again");
    drop(prepared);
    assert_eq!(out.to_vec().expect("out"), [5.0, 11.0, 11.0, 25.0]);
}

#[test]
fn the_variant_follows_pointer_and_row_pitch() {
    let device = Device::emulator();
    let buffer = device.vector(&numbers(200, 1)).expect("a vector");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    // A start and a leading dimension of x and of w, in elements of 4 bytes, and what is promised.
    for ((x_at, x_ld), (w_at, w_ld), promised) in [
        ((0, 4), (0, 8), 1616.0),
        ((0, 6), (4, 8), 816.0),
        ((2, 4), (0, 5), 804.0),
        ((1, 4), (3, 8), 404.0),
    ] {
        let view = |at: usize, ld: usize| {
            MatrixRef::new(buffer.slice(at..at + 100).expect("a part"), 4, 4)
                .and_then(|view| view.with_leading_dimension(ld))
                .expect("it fits")
        };
        let mut out = device.zeros::<f32>(4, 4).expect("out");
        let arguments = arguments(view(x_at, x_ld), view(w_at, w_ld), &bias, &mut out);
        launch::into(&device, &alignment(), arguments).expect("it runs");
        assert_eq!(out.to_vec().expect("out")[0], promised);
    }
}

#[test]
fn a_report_says_what_a_kernel_costs() {
    let report = launch::report(&Device::emulator(), &scaled()).expect("it compiles");
    assert_eq!((report.entry.as_str(), report.architecture.as_str()), ("scaled", "sm_80"));
    assert_eq!((report.threads, report.shared_bytes, report.local_bytes), (32, 0, 0));
    assert!(report.registers > 8 && !report.spills());
    assert_eq!(report.blocks_per_sm, 32);
    assert!(report.to_string().starts_with("scaled (sm_80): 32 threads, "), "{report}");
}

#[test]
fn more_shared_memory_than_there_is_is_refused() {
    let mut kernel = scaled();
    kernel.launch.shared_bytes = 200_000;
    let error = launch::report(&Device::emulator(), &kernel).expect_err("sm_80 has less");
    assert_eq!(
        error.to_string(),
        "scaled needs 200000 B of shared memory per block, but the device has 166912 B"
    );
    kernel.launch.targets = vec![Target::Sm90].into();
    let report = launch::report(&Device::emulator(), &kernel).expect("sm_90 has enough");
    assert_eq!((report.architecture.as_str(), report.blocks_per_sm), ("sm_90", 1));
}

#[test]
fn progress_reaches_the_end() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let seen = calls.clone();
    let device = Device::emulator().with_progress(move |progress| {
        assert_eq!((progress.kernel, progress.blocks), ("scaled", 600));
        seen.lock().expect("not poisoned").push((progress.finished, progress.elapsed));
    });
    let x = device.zeros::<f32>(4 * 30, 2).expect("x");
    let w = device.zeros::<f32>(8 * 20, 2).expect("w");
    let bias = device.vector(&[0.0f32; 8 * 20]).expect("bias");
    for _ in 0..2 {
        run(&device, &x, &w, &bias, 1.0).expect("it runs");
        let calls = std::mem::take(&mut *calls.lock().expect("not poisoned"));
        assert!(
            calls.is_sorted() && calls.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "{calls:?}"
        );
        assert_eq!(calls.last().map(|(finished, _)| *finished), Some(600));
    }
}

#[test]
fn a_fault_says_where_in_the_source() {
    let device = Device::emulator();
    let mut kernel = scaled();
    kernel.text = kernel.text.replace("row >= m ||", "").into();
    let x = device.zeros::<f32>(3, 2).expect("x");
    let bias = device.vector(&[0.0f32; 3]).expect("bias");
    let error = launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0));
    let error = error.expect_err("the fourth row is out of bounds");
    assert!(matches!(error, Error::Fault { .. }));
    let shown = error.to_string();
    assert!(shown.starts_with("scaled: ") && shown.contains("scaled.cu:"), "{shown}");
}

#[test]
fn there_is_a_device_on_every_machine_and_it_says_which() {
    let device = Device::auto().expect("the emulator needs nothing");
    assert_eq!(device.is_emulator(), device.stream().is_none());
    let shown = device.to_string();
    assert!(shown.starts_with(if device.is_emulator() { "emulator " } else { "GPU 0" }), "{shown}");
}

#[test]
fn an_explicit_gpu_is_never_the_emulator() {
    match Device::gpu(0) {
        Ok(device) => assert!(!device.is_emulator()),
        Err(error) => assert!(
            matches!(error, Error::LibraryNotFound { name: "libcuda", .. } | Error::NoGpu),
            "{error}"
        ),
    }
}
