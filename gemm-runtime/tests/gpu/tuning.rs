//! Choosing by measurement, with the clock of a GPU.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUevent_flags;
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, Kernel, Tuning, launch};

use super::{captured, gpu, on_a_stream};
use crate::common::{factors, halves};

#[gemm(auto)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(auto)]
fn accumulate(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c += matmul(a, b)
}

/// The median of milliseconds of a launch, each after a write over the L2 cache; `None` where the
/// kernel cannot run.
fn milliseconds(device: &Device, kernel: &Kernel, [a, b]: &[Matrix<f16>; 2]) -> Option<f32> {
    let stream: &Arc<CudaStream> = device.stream().expect("it is a GPU");
    let mut written = stream.alloc_zeros::<u8>(256 << 20).expect("there is room");
    let mut out = device.zeros::<f32>(a.rows(), b.rows()).expect("out");
    let arguments = [a.argument(), b.argument(), AsMatrixMut::argument(&mut out)];
    let mut prepared = launch::prepare(device, kernel, arguments).ok()?;
    let mut sample = || {
        stream.memset_zeros(&mut written).expect("it is written");
        let start = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).expect("an event");
        prepared.launch().expect("it runs");
        let end = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).expect("an event");
        start.elapsed_ms(&end).expect("both have passed")
    };
    sample();
    let mut samples: Vec<f32> = (0..31).map(|_| sample()).collect();
    samples.sort_by(f32::total_cmp);
    Some(samples[samples.len() / 2])
}

#[test]
fn the_chosen_kernel_is_right_and_about_the_fastest() {
    let Some(plain) = gpu() else { return };
    let device = plain.clone().with_tuning(Tuning::new());
    for shape in [[1, 4096, 4096], [64, 4096, 4096], [512, 512, 512], [2048, 2048, 2048]] {
        let operands = factors(&device, shape, halves);
        let [a, b] = &operands;
        let chosen = launch::choose(&device, &product::KERNELS, &[a.argument(), b.argument()]);
        let time = |kernel| milliseconds(&plain, kernel, &operands);
        let all = product::KERNELS.iter().filter_map(time);
        let least = all.min_by(f32::total_cmp).expect("one can run");
        let got = time(chosen).expect("it can run");
        // Other tests use the GPU at the same time; alone the difference is some per cent.
        assert!(got <= 1.2 * least + 2e-3, "{shape:?}: {got} ms, the fastest {least} ms");
        let first = launch::run::<f32>(&plain, &product::KERNEL, [a.argument(), b.argument()]);
        let expected = first.expect("it runs").to_vec().expect("out");
        let tuned = product(&device, a, b).expect("it runs").to_vec().expect("out");
        assert!(tuned == expected, "{shape:?}");
    }
}

#[test]
fn a_record_that_is_loaded_is_followed_without_a_measurement() {
    let Some(plain) = gpu() else { return };
    let measuring = plain.clone().with_tuning(Tuning::new());
    let [a, b] = factors(&plain, [96, 1000, 2000], halves);
    let arguments = [a.argument(), b.argument()];
    let chosen = launch::choose(&measuring, &product::KERNELS, &arguments);
    let record = measuring.tuning().expect("it has one").record();
    // The id of a schedule begins with its tile, of swapped sides with N first.
    let [m, n, _] = chosen.launch.block_tile;
    let names = |[x, y]: [u32; 2]| record.contains(&format!("fastest = \"{x}x{y}x"));
    assert!(names([m, n]) || names([n, m]), "{record}");
    let loaded = Tuning::load(&record).expect("it is whole").only_loaded();
    let following = plain.with_tuning(loaded);
    assert_eq!(launch::choose(&following, &product::KERNELS, &arguments), chosen);
}

#[test]
fn outputs_in_place_are_untouched_by_a_measurement() {
    let Some(plain) = gpu() else { return };
    let device = plain.with_tuning(Tuning::new());
    let [m, n, k] = [130, 140, 1024];
    let [a, b] = factors(&device, [m, n, k], halves);
    let old = vec![3.0; m * n];
    let mut c = device.matrix(m, n, &old).expect("c");
    accumulate(&device, &a, &b, &mut c).expect("it runs");
    let shape = Shape { m, n, k };
    let expected = accumulate::reference(shape, &halves(m * k, 1), &halves(n * k, 2), &old);
    assert!(c.to_vec().expect("c") == expected.expect("it fits"));
}

#[test]
fn nothing_is_measured_while_a_stream_is_captured() {
    let Some((plain, stream)) = on_a_stream() else { return };
    let [a, b] = factors(&plain, [77, 88, 999], halves);
    let mut out = plain.zeros::<f32>(77, 88).expect("out");
    product::into(&plain, &a, &b, &mut out).expect("it is loaded");
    let expected = out.to_vec().expect("out");
    plain.synchronize().expect("nothing failed");

    let estimated = launch::choose(&plain, &product::KERNELS, &[a.argument(), b.argument()]);
    let arguments = [a.argument(), b.argument(), AsMatrixMut::argument(&mut out)];
    let mut prepared = launch::prepare(&plain, estimated, arguments).expect("it is legal");
    let device = plain.clone().with_tuning(Tuning::new());
    let graph = captured(&stream, || {
        // Measuring would end the capture with an error.
        launch::choose(&device, &product::KERNELS, &[a.argument(), b.argument()]);
        prepared.launch().expect("it is captured");
    });
    graph.launch().expect("it runs");
    drop(prepared);
    assert!(out.to_vec().expect("out") == expected);
}
