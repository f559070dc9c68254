//! What a launch does not read, as a scalar says so: it is not accessed. Here it was never written,
//! which the emulator reports when it is read.

use crate::common::{halves, hopper};
use gemm_runtime::EmulatorOptions;
use gemm_runtime::emulator::Class;
use gemm_runtime::prelude::*;

/// A function `c = alpha · a · bᵀ + beta · c` as BLAS has it, for each schedule.
macro_rules! products {
    ($($name:ident($element:ident)[$($schedule:tt)*];)*) => {$(
        #[gemm($($schedule)*)]
        fn $name(
            a: Mat<f16, M, K>,
            b: Mat<f16, N, K>,
            alpha: f32,
            beta: f32,
            c: &mut Mat<$element, M, N>,
        ) {
            let z = alpha * matmul(a, b);
            *c = if beta == 0.0 { z } else { z + beta * *c }
        }
    )*};
}

products! {
    tile_of_warps(f32)[tile = [32, 16, 32], warps = [1, 1], stages = 2];
    lanes(f32)[tile = [64, 64, 16], mma = fma(8, 4), warps = [1, 2]];
    split(f32)[tile = [32, 16, 32], warps = [1, 1], stages = 2, split_k = 2];
    one_tile(f32)[tile = [64, 64, 64], warpgroups = [1, 1], mma = wgmma, stages = 2];
    brought(f16)[tile = [64, 64, 64], warpgroups = [1, 1], mma = wgmma, stages = 2];
    brought_to_two(f16)[tile = [64, 128, 64], schedule = pingpong, mma = wgmma, stages = 2];
    walked(f32)[tile = [64, 80, 64], schedule = cooperative, mma = wgmma, stages = 2];
    shared_k(f16)[tile = [64, 64, 64], mma = wgmma, stages = 2, split_k = 2];
}

/// Neither is the bias, nor what scales it.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn switched(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    columns: Vector<f32, N>,
    rows: Vector<f32, M>,
    scale: Scalar<f32>,
    with: i32,
) -> Mat<f32, M, N> {
    let z = matmul(x, w);
    if with == 0 { z } else { z + scale * (columns + rows) }
}

/// Rows of c that copies move, and others.
const EVEN: Shape = Shape { m: 67, n: 72, k: 136 };
const ODD: Shape = Shape { n: 71, ..EVEN };

/// `0.5 · a · bᵀ`, and its factors on a device.
fn product(device: &Device, shape: Shape) -> (Vec<f32>, Matrix<f16>, Matrix<f16>) {
    let Shape { m, n, k } = shape;
    let (a, b) = (halves(m * k, 1), halves(n * k, 2));
    let old = vec![f32::NAN; m * n];
    let expected = tile_of_warps::reference(shape, &a, &b, 0.5, 0.0, &old).expect("it fits");
    let on_device = |rows, host| device.matrix(rows, k, host).expect("it fits");
    (expected, on_device(m, &a), on_device(n, &b))
}

#[track_caller]
fn assert_close(of: &str, found: &[impl Copy + Into<f64>], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (&found, &expected) in found.iter().zip(expected) {
        let found: f64 = found.into();
        let close = (found - expected).abs() <= 4e-3 * (1.0 + expected.abs());
        assert!(close, "{of}: {found}, expected {expected}");
    }
}

/// Launches a function on an output that was never written, then on its result.
macro_rules! launched {
    ($name:ident, $shape:ident) => {{
        let (of, device) = (stringify!($name), hopper());
        let (expected, a, b) = product(&device, $shape);
        let new = || device.uninitialized($shape.m, $shape.n).expect("it fits");
        let mut c = new();
        $name(&device, &a, &b, 0.5, 0.0, &mut c).unwrap_or_else(|error| panic!("{of}: {error}"));
        let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
        assert_close(of, &c.to_vec().expect("it was written"), &expected);
        // z - 2 z
        $name(&device, &a, &b, 0.5, -2.0, &mut c).unwrap_or_else(|error| panic!("{of}: {error}"));
        let negated: Vec<f64> = expected.into_iter().map(|z| -z).collect();
        assert_close(of, &c.to_vec().expect("it was written"), &negated);
        let fault = $name(&device, &a, &b, 0.5, -2.0, &mut new()).expect_err("c was never written");
        assert!(fault.to_string().contains("never written"), "{of}: {fault}");
    }};
}

#[test]
fn warps_do_not_access_an_output_that_is_not_read() {
    launched!(tile_of_warps, ODD);
    launched!(lanes, ODD);
    launched!(split, ODD);
}

#[test]
fn warpgroups_do_not_access_an_output_that_is_not_read() {
    launched!(one_tile, ODD);
    launched!(walked, ODD);
    launched!(shared_k, ODD);
}

#[test]
fn copies_do_not_bring_an_output_that_is_not_read() {
    let is_brought =
        |kernel: &gemm_runtime::Kernel| kernel.text.contains("if (reads_out) global_to_tile(out,");
    assert!(is_brought(&brought::KERNEL) && is_brought(&brought_to_two::KERNEL));
    launched!(brought, EVEN);
    launched!(brought, ODD);
    launched!(brought_to_two, EVEN);
}

/// Bytes of global memory that a launch of `switched` loads.
fn loaded(with: i32) -> u64 {
    let device = Device::emulator_with(EmulatorOptions::default().profile(true));
    let (expected, x, w) = product(&device, EVEN);
    let Shape { m, n, .. } = EVEN;
    let written = |length| device.vector(&vec![1.5f32; length]).expect("it fits");
    let (columns, rows) = (written(n), written(m));
    let scale = device.scalar(2.0f32).expect("it fits");
    let y = switched(&device, &x, &w, &columns, &rows, &scale, with).expect("it runs");
    let more = if with == 0 { 0.0 } else { 6.0 };
    let expected: Vec<f64> = expected.iter().map(|z| 2.0 * f64::from(*z) + more).collect();
    assert_close("switched", &y.to_vec().expect("y"), &expected);
    let launch = device.last_profile().expect("it ran");
    let counts = launch.statistics.profile.as_ref().expect("it was asked for");
    counts.of_class(Class::LoadGlobal).global.bytes
}

#[test]
fn vectors_and_scalars_that_are_not_read_are_not_accessed() {
    assert_eq!(loaded(0), 0);
    assert_ne!(loaded(1), 0);
}
