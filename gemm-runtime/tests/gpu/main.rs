//! Tests that need a GPU. Each passes at once where there is none.

#[path = "../common/mod.rs"]
mod common;

mod auto;
mod batches;
mod chain;
mod float8;
mod invariant;
mod load;
mod nested;
mod outputs;
mod packing;
mod padding;
mod pdl;
mod split_k;
mod tail;
mod tensor_batches;
mod tf32;
mod tuning;

use std::sync::{Arc, OnceLock};

use common::{alignment, arguments, matrices, numbers, operands, run, scaled};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaGraph, CudaStream};
use gemm_codegen::Target;
use gemm_runtime::prelude::*;
use gemm_runtime::{Place, launch};

/// The first GPU; `None` where there is none, and an error where there is one that does not work.
fn gpu() -> Option<Device> {
    match Device::gpu(0) {
        Ok(device) => Some(device),
        Err(error @ (Error::LibraryNotFound { .. } | Error::NoGpu)) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("the GPU does not work: {error}"),
    }
}

/// A device on a stream of its own: cudarc then orders streams by events.
///
/// cudarc synchronises a context before its first stream is created, which no thread may do while another
/// captures. So all tests share a context, whose first stream is never dropped.
fn on_a_stream() -> Option<(Device, Arc<CudaStream>)> {
    static FIRST: OnceLock<Arc<CudaStream>> = OnceLock::new();
    gpu()?;
    let first = FIRST.get_or_init(|| {
        CudaContext::new(0).and_then(|context| context.new_stream()).expect("a stream")
    });
    let stream = first.context().new_stream().expect("a stream");
    Some((Device::from_stream(stream.clone()).expect("its device"), stream))
}

/// The graph of what `launch` enqueues on a stream.
fn captured(stream: &Arc<CudaStream>, launch: impl FnOnce()) -> CudaGraph {
    stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        .expect("a capture");
    launch();
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    stream.end_capture(flags).expect("a graph").expect("it has the launch")
}

/// x · wᵀ + bias by the emulator, which the host's tests have checked.
fn expected(m: usize, n: usize, k: usize) -> Vec<f32> {
    product(&Device::emulator(), m, n, k).to_vec().expect("out")
}

fn product(device: &Device, m: usize, n: usize, k: usize) -> Matrix<f32> {
    let (x, w, bias) = matrices(device, [m, n, k]);
    // The operands are freed before the kernel need have run.
    run(device, &x, &w, &bias, 1.0).expect("it runs")
}

#[test]
fn a_gpu_agrees_with_the_emulator() {
    let Some(device) = gpu() else { return };
    assert!(!device.is_emulator() && device.to_string().starts_with("GPU 0: "), "{device}");
    assert!(matches!(device.place(), Place::Gpu { ordinal: 0, .. }));
    for (m, n, k) in [(1, 1, 1), (7, 9, 5), (130, 70, 33), (64, 64, 0)] {
        let out = product(&device, m, n, k);
        assert_eq!(out.to_vec().expect("out"), expected(m, n, k), "{m}×{n}×{k}");
    }
    device.synchronize().expect("nothing failed");
}

#[test]
fn a_stream_of_its_own_agrees_too() {
    let Some((device, _)) = on_a_stream() else { return };
    for _ in 0..20 {
        assert_eq!(product(&device, 65, 33, 40).to_vec().expect("out"), expected(65, 33, 40));
    }
}

#[test]
fn memory_of_another_stream_is_waited_for() {
    let Some((first, stream)) = on_a_stream() else { return };
    let other = stream.context().new_stream().expect("a stream");
    let second = Device::from_stream(other).expect("its device");
    let (m, n, k) = (300, 200, 100);
    let (_, w, bias) = matrices(&second, [m, n, k]);
    for _ in 0..20 {
        // A chain over two streams: each step reads what the other stream has just written.
        let (x, ..) = matrices(&first, [m, n, k]);
        let once = run(&second, &x, &w, &bias, 1.0).expect("it runs");
        drop(x);
        let identity = identity(&first, n);
        let none = first.vector(&vec![0.0f32; n]).expect("zeros");
        let twice = run(&first, &once, &identity, &none, 1.0).expect("it runs");
        drop(once);
        assert_eq!(twice.to_vec().expect("out"), expected(m, n, k));
    }
}

fn identity(device: &Device, n: usize) -> Matrix<f32> {
    let host: Vec<f32> = (0..n * n).map(|i| if i / n == i % n { 1.0 } else { 0.0 }).collect();
    device.matrix(n, n, &host).expect("a matrix")
}

#[test]
fn slices_of_cudarc_are_operands_and_outputs() {
    let Some((device, stream)) = on_a_stream() else { return };
    let (m, n, k) = (9, 11, 8);
    let upload = |host: &[f32]| stream.clone_htod(host).expect("a slice");
    let (x, w, bias) =
        (upload(&numbers(m * k, 1)), upload(&numbers(n * k, 2)), upload(&numbers(n, 3)));
    let mut out = upload(&vec![9.0; m * 16]);

    let view = |slice, rows| MatrixRef::new(slice, rows, k).expect("it fits");
    let bias = VectorRef::new(&bias, n).expect("bias");
    let output =
        MatrixMut::new(&mut out, m, n).and_then(|out| out.with_leading_dimension(16)).expect("out");
    let arguments = arguments(view(&x, m), view(&w, n), bias, output);
    launch::into(&device, &scaled(), arguments).expect("it runs");

    let all = stream.clone_dtoh(&out).expect("out");
    stream.synchronize().expect("nothing failed");
    let expected = expected(m, n, k);
    for (i, value) in all.iter().enumerate() {
        let (row, column) = (i / 16, i % 16);
        let inside = if column < n { expected[row * n + column] } else { 9.0 };
        assert_eq!(*value, inside, "({row}, {column})");
    }
    assert!(matches!(MatrixRef::new(&x, m + 1, k), Err(Error::BufferTooSmall { .. })));
}

#[test]
fn a_prepared_launch_can_be_captured_and_replayed() {
    let Some((device, stream)) = on_a_stream() else { return };
    let (m, n, k) = (40, 30, 20);
    let (x, w, bias) = matrices(&device, [m, n, k]);
    let mut out = device.zeros::<f32>(m, n).expect("out");
    let arguments = arguments(&x, &w, &bias, &mut out);
    let mut prepared = launch::prepare(&device, &scaled(), arguments).expect("it is right");
    let graph = captured(&stream, || prepared.launch().expect("it is captured"));
    drop(prepared);
    assert!(out.to_vec().expect("out").iter().all(|value| *value == 0.0), "nothing ran yet");

    for _ in 0..3 {
        graph.launch().expect("it runs");
    }
    stream.synchronize().expect("nothing failed");
    assert_eq!(out.to_vec().expect("out"), expected(m, n, k));
}

#[test]
fn into_can_be_captured_once_its_kernel_is_loaded() {
    let Some((device, stream)) = on_a_stream() else { return };
    let x = device.matrix(4, 4, &numbers(16, 1)).expect("x");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    let mut out = device.zeros::<f32>(4, 4).expect("out");
    launch::report(&device, &scaled()).expect("it loads");
    let graph = captured(&stream, || {
        let arguments = arguments(&x, &x, &bias, &mut out);
        launch::into(&device, &scaled(), arguments).expect("it is captured");
    });
    graph.launch().expect("it runs");
    stream.synchronize().expect("nothing failed");
    assert!(out.to_vec().expect("out").iter().any(|value| *value != 0.0));
}

#[test]
fn many_threads_compile_once_and_launch_in_parallel() {
    let Some(device) = gpu() else { return };
    let expected = expected(50, 60, 70);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let device = device.clone();
                for _ in 0..10 {
                    assert_eq!(product(&device, 50, 60, 70).to_vec().expect("out"), expected);
                }
            });
        }
    });
}

#[test]
fn the_variant_follows_the_pointer() {
    let Some(device) = gpu() else { return };
    let buffer = device.vector(&numbers(100, 1)).expect("a vector");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    for (start, promised) in [(0, 1616.0), (2, 816.0), (1, 416.0)] {
        let x = MatrixRef::new(buffer.slice(start..start + 16).expect("a part"), 4, 4);
        let w = MatrixRef::new(&buffer, 4, 4).expect("it fits");
        let arguments = operands(x.expect("it fits"), w, &bias, 1.0);
        let out = launch::run::<f32>(&device, &alignment(), arguments).expect("it runs");
        assert_eq!(out.to_vec().expect("out")[0], promised);
    }
}

#[test]
fn more_than_48_kib_of_shared_memory_can_be_used_and_too_much_is_refused() {
    let Some(device) = gpu() else { return };
    let mut kernel = scaled();
    kernel.launch.shared_bytes = 90_000;
    let x = device.matrix(4, 4, &numbers(16, 1)).expect("x");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    let out = launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0));
    assert_eq!(out.expect("it runs").to_vec().expect("out").len(), 16);
    let report = launch::report(&device, &kernel).expect("it is loaded");
    assert!(report.shared_bytes >= 90_000 && report.registers > 0, "{report}");
    assert!(report.blocks_per_sm >= 1 && report.architecture.starts_with("sm_"), "{report}");

    kernel.launch.shared_bytes = 1 << 20;
    let refused = launch::report(&device, &kernel);
    assert!(matches!(refused, Err(Error::SharedMemory { needed: 1_048_576, .. })), "{refused:?}");
}

#[test]
fn a_kernel_for_newer_devices_only_is_refused() {
    let Some(device) = gpu() else { return };
    let newest = Target::ALL.into_iter().last().expect("there are targets");
    let mut kernel = scaled();
    kernel.launch.targets = vec![newest].into();
    match launch::report(&device, &kernel) {
        Err(Error::UnsupportedArchitecture { lowest, .. }) => assert_eq!(lowest, newest),
        Ok(report) => assert_eq!(report.architecture, newest.name()),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn operands_elsewhere_are_refused() {
    let Some(device) = gpu() else { return };
    let elsewhere = Device::emulator().zeros::<f32>(4, 4).expect("x");
    let w = device.zeros::<f32>(4, 4).expect("w");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    let error = run(&device, &elsewhere, &w, &bias, 1.0).expect_err("x is elsewhere");
    assert!(error.to_string().ends_with("but the kernel runs on GPU 0"), "{error}");
    let missing = Device::gpu(4711).expect_err("there are fewer");
    assert!(matches!(missing, Error::NoSuchGpu { ordinal: 4711, .. }));
}

#[test]
fn nothing_is_launched_for_an_empty_output() {
    let Some(device) = gpu() else { return };
    let x = device.zeros::<f32>(0, 4).expect("x");
    let w = device.zeros::<f32>(4, 4).expect("w");
    let bias = device.vector(&[0.0f32; 4]).expect("bias");
    let out = run(&device, &x, &w, &bias, 1.0).expect("nothing to do");
    assert!(out.to_vec().expect("nothing").is_empty());
}
