//! Several products that share a factor.

use crate::common::{halves, hopper};
use gemm_codegen::{Axis, MAX_EXTENT};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, Form, launch};

/// Whatever schedule is chosen.
#[gemm]
fn swiglu(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f32, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

/// The same of weights of 4 bits in groups of 128, packed or not.
#[gemm(W = [i4x2, i4x32])]
fn swiglu_scaled<W>(
    x: Mat<f16, M, K>,
    wg: Mat<W, N, K>,
    sg: Tiled<f16, N, K, 1, 128>,
    wu: Mat<W, N, K>,
    su: Tiled<f16, N, K, 1, 128>,
) -> Mat<f32, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

fn largest_error(got: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).map(|(y, r)| (y - r).abs() / r.abs().max(1.0)).fold(0.0, f32::max)
}

#[test]
fn a_launch_chooses_a_schedule_of_both_products() {
    for (device, form) in [(Device::emulator(), None), (hopper(), Some(Form::Groups))] {
        for [m, n, k] in [[1, 8, 16], [37, 61, 51], [500, 200, 320]] {
            let (x, gate, up) = (halves(m * k, 1), halves(n * k, 2), halves(n * k, 3));
            let expected = swiglu::reference(Shape { m, n, k }, &x, &gate, &up).expect("it fits");
            let x = device.matrix(m, k, &x).expect("x");
            let [gate, up] = [gate, up].map(|of| device.matrix(n, k, &of).expect("it fits"));
            let arguments = [x.argument(), gate.argument(), up.argument()];
            let kernel = launch::choose(&device, &swiglu::KERNELS, &arguments);
            let form = form.filter(|_| m > 64);
            assert!(form.is_none_or(|form| kernel.footprint.form == form), "{m} {n} {k}");
            assert_eq!((kernel.launch.products, kernel.footprint.side_by_side), (2, 2));
            let y = swiglu(&device, &x, &gate, &up).expect("it runs").to_vec().expect("y");
            assert!(largest_error(&y, &expected) < 1e-3, "{m} {n} {k}");
        }
    }
}

#[test]
fn extents_of_all_factors_are_compared() {
    let device = Device::emulator();
    let matrix = |rows: usize, columns: usize| {
        device.matrix::<f16>(rows, columns, &halves(rows * columns, 1)).expect("it fits")
    };
    let error = |up: &Matrix<f16>| {
        let error = swiglu(&device, &matrix(4, 16), &matrix(8, 16), up).map(|_| ());
        error.expect_err("the extents differ").to_string()
    };
    assert_eq!(error(&matrix(9, 16)), "swiglu: up: expected 8 rows (N of gate), got 9");
    assert_eq!(error(&matrix(8, 24)), "swiglu: up: expected 16 columns (K of x), got 24");
}

#[test]
fn columns_of_all_products_are_counted() {
    let device = Device::emulator();
    let empty = |rows: usize| device.matrix::<f16>(rows, 0, &[]).expect("it has no elements");
    let limit = MAX_EXTENT as usize / 2;
    let factor = empty(limit + 1);
    let error = swiglu(&device, &empty(1), &factor, &factor).map(|_| ());
    assert!(matches!(
        error,
        Err(Error::DimensionTooLarge { axis: Axis::N, extent, limit: of, .. })
            if (extent, of) == (limit + 1, limit)
    ));
}

/// Weights of a type, in matrices of this many rows and columns, of elements of this many bytes.
macro_rules! check_scaled {
    ($W:ty, $shape:expr, [$rows:expr, $columns:expr], $bytes:literal) => {
        let (device, Shape { m, n, k }) = (Device::emulator(), $shape);
        let weights = |seed: usize| -> Vec<$W> {
            let count = $rows * $columns * $bytes;
            let bytes: Vec<u8> = (0..count).map(|i| ((i + seed) * 89 % 251) as u8).collect();
            bytes.chunks_exact($bytes).map(bytemuck::pod_read_unaligned).collect()
        };
        let (x, [wg, wu]) = (halves(m * k, 1), [2, 3].map(weights));
        let [sg, su] = [4, 5].map(|seed| halves(n * k / 128, seed));
        let expected = swiglu_scaled::reference($shape, &x, &wg, &sg, &wu, &su).expect("it fits");
        let x = device.matrix(m, k, &x).expect("x");
        let [wg, wu] = [wg, wu].map(|of| device.matrix($rows, $columns, &of).expect("it fits"));
        let [sg, su] = [sg, su].map(|of| device.matrix(n, k / 128, &of).expect("it fits"));
        let y = swiglu_scaled(&device, &x, &wg, &sg, &wu, &su).expect("it runs");
        let y = y.to_vec().expect("y");
        assert!(largest_error(&y, &expected) < 1e-3, "{:?}", $shape);
    };
}

#[test]
fn a_launch_chooses_a_schedule_of_products_with_scales() {
    for [m, n, k] in [[1, 64, 256], [16, 208, 512], [133, 80, 128]] {
        check_scaled!(i4x2, Shape { m, n, k }, [n, k / 2], 1);
        check_scaled!(i4x32, Shape { m, n, k }, [n / 16, k / 2], 16);
    }
}
