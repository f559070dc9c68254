//! `row()` and `column()` of a body: exact numbers, in the kernel and in `reference`.

use gemm_runtime::prelude::*;

const SHAPE: Shape = Shape { m: 19, n: 37, k: 5 };

/// What neither means in a body.
#[allow(dead_code)]
fn row() -> f32 {
    -1.0
}

#[gemm(tile = [16, 16, 16], warps = [1, 1], stages = 2)]
fn places(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b) + (100 * row() + column()) as f32
}

#[gemm(tile = [16, 16, 16], warps = [1, 1], stages = 2)]
fn transposed(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, N, M> {
    matmul(a, b) + (100 * row() + column()) as f32
}

/// Of the name of one, which it calls where a `let` has the name afterwards.
#[gemm(tile = [16, 16, 16], warps = [1, 1], split_k = 2, stages = 2)]
fn column(
    a: Batched<f16, B, M, K>,
    b: Mat<f16, N, K>,
    old: Batched<f32, B, M, N>,
) -> (Batched<f32, B, M, N>, Batched<i32, B, M, N>) {
    let column = column();
    let row = 100 * row();
    (matmul(a, b) + old + row as f32, row + column)
}

#[gemm(tile = [16, 16, 16], warps = [1, 1], stages = 2)]
fn lower(c: &mut Mat<f32, M, N>, a: Mat<f16, M, K>, b: Mat<f16, N, K>) {
    *c = if column() > row() { *c } else { f32::NEG_INFINITY + matmul(a, b) }
}

/// 100 times the row plus the column, of each element.
fn expected(rows: usize, columns: usize) -> Vec<f32> {
    (0..rows * columns).map(|at| (100 * (at / columns) + at % columns) as f32).collect()
}

#[test]
fn rows_and_columns_are_those_of_the_type_of_the_output() {
    let device = Device::emulator();
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (vec![f16::ZERO; m * k], vec![f16::ZERO; n * k]);
    let da = device.matrix(m, k, &a).expect("a");
    let db = device.matrix(n, k, &b).expect("b");
    let y = places(&device, &da, &db).expect("it runs").to_vec().expect("y");
    assert_eq!(y, expected(m, n));
    assert_eq!(places::reference(SHAPE, &a, &b).expect("it fits"), expected(m, n));
    let y = transposed(&device, &da, &db).expect("it runs").to_vec().expect("y");
    assert_eq!(y, expected(n, m));
    assert_eq!(transposed::reference(SHAPE, &a, &b).expect("it fits"), expected(n, m));
}

#[test]
fn each_matrix_of_a_batch_begins_at_row_0() {
    let device = Device::emulator();
    let Shape { m, n, k } = SHAPE;
    let (a, b, old) = (vec![f16::ZERO; 3 * m * k], vec![f16::ZERO; n * k], vec![0.0; 3 * m * n]);
    let da = device.batched(3, m, k, &a).expect("a");
    let db = device.matrix(n, k, &b).expect("b");
    let dold = device.batched(3, m, n, &old).expect("old");
    let (rows, places) = column(&device, &da, &db, &dold).expect("it runs");
    let of_all: Vec<f32> = (0..3).flat_map(|_| expected(m, n)).collect();
    let of_rows: Vec<f32> = of_all.iter().map(|place| (place / 100.0).floor() * 100.0).collect();
    let of_all: Vec<i32> = of_all.iter().map(|place| *place as i32).collect();
    assert_eq!(rows.to_vec().expect("rows"), of_rows);
    assert_eq!(places.to_vec().expect("places"), of_all);
    let reference = column::reference(3, SHAPE, &a, &b, &old).expect("it fits");
    assert_eq!(reference, (of_rows, of_all));
}

#[test]
fn a_mask_in_place_keeps_what_it_does_not_select() {
    let device = Device::emulator();
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (vec![f16::ONE; m * k], vec![f16::ONE; n * k]);
    let da = device.matrix(m, k, &a).expect("a");
    let db = device.matrix(n, k, &b).expect("b");
    let mut c = device.matrix(m, n, &vec![2.0; m * n]).expect("c");
    lower(&device, &mut c, &da, &db).expect("it runs");
    let of = |at: usize| if at % n > at / n { 2.0 } else { f32::NEG_INFINITY };
    let masked: Vec<f32> = (0..m * n).map(of).collect();
    assert_eq!(c.to_vec().expect("c"), masked);
    assert_eq!(lower::reference(SHAPE, &vec![2.0; m * n], &a, &b).expect("it fits"), masked);
}
