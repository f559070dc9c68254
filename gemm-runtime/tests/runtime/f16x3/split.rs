//! Factors that are split once.

use super::{across, product, random, transposed};
use crate::common::hopper;
use gemm_runtime::prelude::*;
use gemm_runtime::{Planes, SplitBy, SplitMatrix};

/// The same product in f32.
#[gemm]
fn exact(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = f16x3)]
fn chosen(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

const SHAPE: Shape = Shape { m: 65, n: 34, k: 70 };

fn factors() -> [Vec<f32>; 2] {
    let (Shape { m, n, k }, mut rng) = (SHAPE, fastrand::Rng::with_seed(8));
    [m * k, n * k].map(|count| random(&mut rng, count, 12))
}

#[test]
fn a_split_factor_gives_the_bits_of_its_matrix() {
    let (device, Shape { m, n, k }, [x, w]) = (hopper(), SHAPE, factors());
    let of_x = device.matrix(m, k, &x).expect("it fits");
    let of_w = device.matrix(n, k, &w).expect("it fits");
    let split = [&of_x, &of_w].map(|of| device.split_rows(of, Planes::F16x3).expect("it fits"));
    let by_columns = [(m, &x), (n, &w)].map(|(rows, elements)| {
        let matrix = device.matrix(k, rows, &transposed(elements, k)).expect("it fits");
        device.split_columns(&matrix, Planes::F16x3).expect("it fits")
    });
    let get = |out: Result<Matrix<f32>, Error>| out.expect("it runs").to_vec().expect("a copy");
    let expected = get(product(&device, &of_x, &of_w));
    assert_eq!(get(product(&device, &split[0], &of_w)), expected);
    assert_eq!(get(product(&device, &of_x, &split[1])), expected);
    assert_eq!(get(product(&device, &split[0], &split[1])), expected);
    assert_eq!(get(across(&device, &by_columns[0], &by_columns[1])), expected);
    let [_, w] = &split;
    assert_eq!((w.rows(), w.columns(), w.by()), (n, k, SplitBy::Rows));
    assert_eq!(w.bytes(), n * 96 * 4 + n * 4);
}

#[test]
fn a_prepared_launch_copies_what_is_not_split() {
    let (device, Shape { m, n, k }, [x, w]) = (hopper(), SHAPE, factors());
    let of_x = device.matrix(m, k, &x).expect("it fits");
    let w = device
        .matrix(n, k, &w)
        .and_then(|w| device.split_rows(&w, Planes::F16x3))
        .expect("it fits");
    let mut out = device.zeros(m, n).expect("it fits");
    let mut prepared = chosen::prepare(&device, &of_x, &w, &mut out).expect("it is legal");
    // The matrix was dropped, and so is this handle.
    drop(w);
    let copied: Vec<&str> =
        prepared.report().copies.iter().map(|copy| copy.operand.as_str()).collect();
    assert_eq!(copied, ["x"]);
    (0..2).for_each(|_| prepared.launch().expect("it runs"));
}

#[test]
fn a_split_matrix_of_another_kind_place_or_shape_is_refused() {
    let (device, Shape { m, n, k }, [x, w]) = (hopper(), SHAPE, factors());
    let x = device.matrix(m, k, &x).expect("it fits");
    let matrix = device.matrix(n, k, &w).expect("it fits");
    let by_rows = device.split_rows(&matrix, Planes::F16x3).expect("it fits");
    let refused = |w: &SplitMatrix| product(&device, &x, w).expect_err("it differs").to_string();
    let by_columns = device.split_columns(&matrix, Planes::F16x3).expect("it fits");
    let expected = "product: w: expected a matrix split by rows for f16x3, got a matrix split by columns for f16x3";
    assert_eq!(refused(&by_columns), expected);
    let longer = device.matrix(n, k + 1, &vec![0.0; n * (k + 1)]).expect("it fits");
    let longer = device.split_rows(&longer, Planes::F16x3).expect("it fits");
    let message = refused(&longer);
    assert!(message.starts_with("product: w: expected 70 columns"), "{message}");
    let elsewhere = hopper();
    let other = elsewhere.matrix(n, k, &w).expect("it fits");
    let message =
        device.split_rows(&other, Planes::F16x3).expect_err("it is elsewhere").to_string();
    assert!(message.starts_with("the matrix: "), "{message}");
    let other = elsewhere.split_rows(&other, Planes::F16x3).expect("it fits");
    assert!(matches!(product(&device, &x, &other), Err(Error::DeviceMismatch { .. })));
    let error = exact(&device, &x, &by_rows).expect_err("it multiplies f32").to_string();
    assert_eq!(error, "exact: w: expected a matrix, got a matrix split by rows for f16x3");
}

#[test]
fn a_matrix_without_elements_is_split() {
    let device = hopper();
    for [rows, columns] in [[0, 5], [5, 0], [0, 0]] {
        let matrix = device.zeros::<f32>(rows, columns).expect("it fits");
        for split in [
            device.split_rows(&matrix, Planes::F16x3),
            device.split_columns(&matrix, Planes::F16x3),
        ] {
            let split = split.expect("nothing is read");
            assert_eq!([split.rows(), split.columns()], [rows, columns]);
        }
    }
    let x = device.zeros::<f32>(3, 0).expect("it fits");
    let w = device
        .zeros::<f32>(4, 0)
        .and_then(|w| device.split_rows(&w, Planes::F16x3))
        .expect("it fits");
    let out = product(&device, &x, &w).expect("it runs").to_vec().expect("a copy");
    assert_eq!(out, [0.0; 12]);
}
