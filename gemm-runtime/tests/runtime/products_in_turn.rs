//! Several products whose outputs differ in their columns.

use crate::common::{halves, hopper};
use gemm_codegen::{Axis, MAX_EXTENT};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, AsVector as _, Form, launch};

/// Whatever schedule is chosen.
#[gemm]
fn qkv(
    x: Mat<f16, M, K>,
    wq: Mat<f16, Q, K>,
    wk: Mat<f16, N, K>,
    wv: Mat<f16, N, K>,
    bq: Vector<f32, Q>,
    bk: Vector<f32, N>,
    bv: Vector<f32, N>,
) -> (Mat<f32, M, Q>, Mat<f32, M, N>, Mat<f32, M, N>) {
    let q = matmul(x, wq) + bq;
    let k = matmul(x, wk) + bk;
    let v = matmul(x, wv) + bv;
    (q, k, v)
}

/// Of as many columns, where an output of another type keeps them next to each other.
#[gemm]
fn apart(
    x: Mat<f16, M, K>,
    a: Mat<f16, N, K>,
    b: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Mat<f32, M, N>) {
    (matmul(x, a), matmul(x, b))
}

#[gemm]
fn beside(
    x: Mat<f16, M, K>,
    a: Mat<f16, N, K>,
    b: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    (matmul(x, a), matmul(x, b))
}

fn floats(length: usize) -> Vec<f32> {
    (0..length).map(|i| (i * 31 % 17) as f32 - 8.0).collect()
}

fn largest_error(got: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).map(|(y, r)| (y - r).abs() / r.abs().max(1.0)).fold(0.0, f32::max)
}

#[test]
fn a_launch_chooses_a_schedule_of_all_products() {
    for (device, form) in [(Device::emulator(), None), (hopper(), Some(Form::Groups))] {
        for [m, q, n, k] in [[1, 24, 8, 16], [37, 61, 130, 51], [300, 200, 72, 320], [5, 0, 9, 8]] {
            let x = halves(m * k, 1);
            let [wq, wk, wv] = [(q, 2), (n, 3), (n, 4)].map(|(rows, seed)| halves(rows * k, seed));
            let [bq, bk, bv] = [q, n, n].map(floats);
            let shape = Shape { m, n: q, k };
            let expected =
                qkv::reference(shape, &x, &wq, &wk, &wv, &bq, &bk, &bv).expect("it fits");
            let x = device.matrix(m, k, &x).expect("x");
            let weights = [(q, wq), (n, wk), (n, wv)];
            let [wq, wk, wv] =
                weights.map(|(rows, of)| device.matrix(rows, k, &of).expect("it fits"));
            let [bq, bk, bv] = [bq, bk, bv].map(|of| device.vector(&of).expect("it fits"));
            let arguments = [x.argument(), wq.argument(), wk.argument(), wv.argument()];
            let arguments =
                arguments.into_iter().chain([bq.argument(), bk.argument(), bv.argument()]);
            let kernel = launch::choose(&device, &qkv::KERNELS, &arguments.collect::<Vec<_>>());
            let form = form.filter(|_| m > 64);
            assert!(form.is_none_or(|form| kernel.footprint.form == form), "{m} {n} {k}");
            assert_eq!(kernel.launch.columns[..], [Axis::N, Axis::N1, Axis::N1]);
            let (yq, yk, yv) = qkv(&device, &x, &wq, &wk, &wv, &bq, &bk, &bv).expect("it runs");
            let got = [yq, yk, yv].map(|y| y.to_vec().expect("an output"));
            for (got, expected) in got.iter().zip([&expected.0, &expected.1, &expected.2]) {
                assert!(largest_error(got, expected) < 1e-3, "{m} {q} {n} {k}");
            }
        }
    }
}

#[test]
fn products_of_one_number_of_columns_are_in_turn_where_they_can_be() {
    assert_eq!(apart::KERNEL.launch.columns[..], [Axis::N; 2]);
    assert_eq!(apart::KERNEL.launch.products, 1);
    assert!(beside::KERNEL.launch.columns.is_empty());
    assert_eq!(beside::KERNEL.launch.products, 2);
}

#[test]
fn columns_of_each_product_are_compared_and_nothing_is_written() {
    let device = Device::emulator();
    let matrix =
        |rows: usize| device.matrix::<f16>(rows, 16, &halves(rows * 16, 1)).expect("it fits");
    let (x, wq, wk) = (matrix(4), matrix(8), matrix(3));
    let [bq, bk] = [8, 3].map(|length| device.vector(&floats(length)).expect("it fits"));
    let mut outputs = [8, 3, 3]
        .map(|columns| device.matrix::<f32>(4, columns, &vec![7.0; 4 * columns]).expect("it fits"));
    let mut error = |wv: &Matrix<f16>, bv: &DeviceVector<f32>| {
        let [q, k, v] = &mut outputs;
        let written = qkv::into(&device, &x, &wq, &wk, wv, &bq, &bk, bv, q, k, v);
        let message = written.expect_err("columns differ").to_string();
        assert!(
            outputs.iter().all(|of| of.to_vec().expect("it is there").iter().all(|y| *y == 7.0))
        );
        message
    };
    assert_eq!(error(&matrix(5), &bk), "qkv: wv: expected 3 rows (N of wk), got 5");
    assert_eq!(error(&matrix(3), &bq), "qkv: bv: expected 3 elements (N of wk), got 8");
    let [q, k, v] = &mut outputs;
    let swapped = qkv::into(&device, &x, &wq, &wk, &wk, &bq, &bk, &bk, k, q, v);
    assert!(matches!(swapped, Err(Error::ShapeMismatch { .. })), "{swapped:?}");
}

#[test]
fn columns_of_all_products_are_counted() {
    let device = Device::emulator();
    let empty = |rows: usize| device.matrix::<f16>(rows, 0, &[]).expect("it has no elements");
    let half = MAX_EXTENT as usize / 2 + 1;
    let factor = empty(half);
    let error = apart(&device, &empty(1), &factor, &factor).map(|_| ());
    assert!(matches!(error, Err(Error::DimensionTooLarge { axis: Axis::N, .. })), "{error:?}");
}
