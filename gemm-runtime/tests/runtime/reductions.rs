//! Outputs that are vectors: what the values of a body are reduced to.

use std::borrow::Cow;

use crate::common::{fractions, halves, numbers};
use gemm_runtime::launch::{self, Choice, Kernels};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, AsVector as _, EmulatorOptions, Kernel};

/// A matrix, and of each row the sum of squares, the largest magnitude and the least value.
#[gemm]
fn rows(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Vector<f32, M>, Vector<f32, M>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h), abs_max(h), min(h))
}

/// Of each column, and nothing else.
#[gemm]
fn columns(x: Mat<f32, M, K>, w: Mat<f32, K, N>) -> Vector<f32, N> {
    max(matmul(x, w))
}

/// Both, of a tile of warpgroups.
#[gemm(tile = [128, 128, 64], mma = wgmma)]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Vector<f32, M>, Mat<f32, M, N>, Vector<f32, N>) {
    let h = matmul(x, w);
    (sum(h), h, min(h))
}

/// Rows alone, as results are staged: the last epilogue tile of an atom of 88 columns begins in the one
/// before.
#[gemm(tile = [128, 88, 64], warpgroups = [2, 1], mma = wgmma)]
fn rows_of_groups(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f32, N>,
) -> (Mat<f16, M, N>, Vector<f32, M>, Vector<f32, M>) {
    let h = matmul(x, w) + bias;
    (h, sum(h), max(h))
}

/// A vector of each matrix of a batch over two indices.
#[gemm]
fn of_a_batch(x: Batched<f16, (B, H), M, K>, w: Batched<f16, H, N, K>) -> Batched<f32, (B, H), N> {
    sum(matmul(x, w))
}

const SHAPES: [[usize; 3]; 4] = [[1, 1, 1], [200, 300, 40], [33, 129, 65], [130, 264, 64]];

fn close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{i}: {got} {expected}");
    }
}

#[test]
fn rows_are_reduced_next_to_their_matrix() {
    let device = Device::emulator();
    for [m, n, k] in SHAPES {
        let (x, w) = (halves(m * k, 1), halves(n * k, 2));
        let (of_x, of_w) =
            (device.matrix(m, k, &x).expect("it fits"), device.matrix(n, k, &w).expect("it fits"));
        let (h, squares, largest, least) = rows(&device, &of_x, &of_w).expect("it runs");
        let expected = rows::reference(Shape { m, n, k }, &x, &w).expect("it is right");
        close(&h.to_vec().expect("it was written"), &expected.0);
        close(&squares.to_vec().expect("it was written"), &expected.1);
        close(&largest.to_vec().expect("it was written"), &expected.2);
        close(&least.to_vec().expect("it was written"), &expected.3);
    }
}

#[test]
fn columns_are_reduced_alone() {
    let device = Device::emulator();
    for [m, n, k] in SHAPES {
        let (x, w) = (numbers(m * k, 1), numbers(n * k, 2));
        let (of_x, of_w) =
            (device.matrix(m, k, &x).expect("it fits"), device.matrix(k, n, &w).expect("it fits"));
        let largest = columns(&device, &of_x, &of_w).expect("it runs");
        let expected = columns::reference(Shape { m, n, k }, &x, &w).expect("it is right");
        close(&largest.to_vec().expect("it was written"), &expected);
    }
}

#[test]
fn warpgroups_reduce_rows_and_columns() {
    let device = Device::emulator();
    for [m, n, k] in SHAPES {
        let (x, w) = (halves(m * k, 1), halves(n * k, 2));
        let (of_x, of_w) =
            (device.matrix(m, k, &x).expect("it fits"), device.matrix(n, k, &w).expect("it fits"));
        let (sums, _, least) = both(&device, &of_x, &of_w).expect("it runs");
        let expected = both::reference(Shape { m, n, k }, &x, &w).expect("it is right");
        close(&sums.to_vec().expect("it was written"), &expected.0);
        close(&least.to_vec().expect("it was written"), &expected.2);
    }
}

#[test]
fn rows_are_reduced_as_results_are_staged() {
    let device = Device::emulator();
    for [m, n, k] in SHAPES {
        let (x, w, bias) = (halves(m * k, 1), halves(n * k, 2), numbers(n, 3));
        let (of_x, of_w) =
            (device.matrix(m, k, &x).expect("it fits"), device.matrix(n, k, &w).expect("it fits"));
        let of_bias = device.vector(&bias).expect("it fits");
        let (_, sums, largest) = rows_of_groups(&device, &of_x, &of_w, &of_bias).expect("it runs");
        let expected = rows_of_groups::reference(Shape { m, n, k }, &x, &w, &bias);
        let expected = expected.expect("it is right");
        close(&sums.to_vec().expect("it was written"), &expected.1);
        close(&largest.to_vec().expect("it was written"), &expected.2);
    }
}

#[test]
fn the_vectors_of_a_batch_are_a_batch_of_rows() {
    let (device, [b, h, m, n, k]) = (Device::emulator(), [2, 3, 40, 70, 20]);
    let (x, w) = (halves(b * h * m * k, 1), halves(h * n * k, 2));
    let of_x = device.batched([b, h], m, k, &x).expect("it fits");
    let of_w = device.batched(h, n, k, &w).expect("it fits");
    let sums = of_a_batch(&device, &of_x, &of_w).expect("it runs");
    assert_eq!([sums.batch(), sums.rows(), sums.columns()], [b, h, n]);
    let expected = of_a_batch::reference([b, h], Shape { m, n, k }, &x, &w).expect("it is right");
    close(&sums.to_vec().expect("it was written"), &expected);
}

#[test]
fn a_launch_writes_the_same_bits_each_time() {
    let (device, [m, n, k]) = (Device::emulator(), [300, 400, 24]);
    let of_x = device.matrix(m, k, &halves(m * k, 1)).expect("it fits");
    let of_w = device.matrix(n, k, &halves(n * k, 2)).expect("it fits");
    let mut h = device.zeros(m, n).expect("it fits");
    let [mut squares, mut largest, mut least] =
        [(); 3].map(|()| device.vector_zeros(m).expect("it fits"));
    let first = rows(&device, &of_x, &of_w).expect("it runs");
    for _ in 0..2 {
        rows::into(&device, &of_x, &of_w, &mut h, &mut squares, largest.view_mut(), &mut least)
            .expect("it runs");
        let bits = |vector: &DeviceVector<f32>| {
            vector
                .to_vec()
                .expect("it was written")
                .into_iter()
                .map(f32::to_bits)
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&squares), bits(&first.1));
        assert_eq!(bits(&largest), bits(&first.2));
    }
}

/// The bits of the sums of squares by a kernel with this text, whose blocks run from the first to the last or the
/// other way round.
fn bits_of(kernel: &Kernel, text: &str, descending: bool) -> Vec<u32> {
    let options = EmulatorOptions::default().descending_blocks(descending);
    let (device, [m, n, k]) = (Device::emulator_with(options), [150, 700, 24]);
    let (x, w) = (fractions(m * k, 1), fractions(n * k, 2));
    let of_x = device.matrix(m, k, &x).expect("it fits");
    let of_w = device.matrix(n, k, &w).expect("it fits");
    let bias = device.vector(&numbers(n, 3)).expect("it fits");
    let mut operands = vec![of_x.argument(), of_w.argument(), bias.argument()];
    operands.truncate(kernel.parameters.len() - kernel.outputs);
    let kernel = Kernel { text: Cow::Owned(text.to_owned()), ..kernel.clone() };
    let sums = match kernel.name.as_ref() {
        "rows" => {
            type Outputs = (Matrix<f32>, DeviceVector<f32>, DeviceVector<f32>, DeviceVector<f32>);
            launch::run_several::<Outputs>(&device, &kernel, operands).expect("it runs").1
        }
        _ => {
            type Outputs = (Matrix<f16>, DeviceVector<f32>, DeviceVector<f32>);
            launch::run_several::<Outputs>(&device, &kernel, operands).expect("it runs").1
        }
    };
    sums.to_vec().expect("it was written").into_iter().map(f32::to_bits).collect()
}

#[test]
fn the_order_of_blocks_changes_no_bit() {
    for kernel in [&rows::KERNEL, &rows_of_groups::KERNEL] {
        let text = &kernel.text;
        assert_eq!(bits_of(kernel, text, false), bits_of(kernel, text, true));
        // Parts in an order that begins with that of the block which arrives last.
        let in_order = "of.partials.at(number, part, line)";
        assert!(text.contains(in_order));
        let rotated = "of.partials.at(number, (blockIdx.x + part) % of.partials.parts, line)";
        let text = text.replace(in_order, rotated);
        assert_ne!(
            bits_of(kernel, &text, false),
            bits_of(kernel, &text, true),
            "this test can tell"
        );
    }
}

#[test]
fn a_count_that_is_left_is_found_by_the_emulator() {
    let (device, [m, n, k]) = (Device::emulator(), [20, 300, 24]);
    let of_x = device.matrix(m, k, &halves(m * k, 1)).expect("it fits");
    let of_w = device.matrix(n, k, &halves(n * k, 2)).expect("it fits");
    let right = "count_in(of.partials.arrivals + first / Of::LINES, last)";
    assert!(rows::SOURCE.contains(right));
    let wrong = "atomicAdd(of.partials.arrivals + first / Of::LINES, 1u)";
    let text = rows::SOURCE.replace(right, wrong);
    let kernel = Kernel { text: text.into(), ..rows::KERNEL.clone() };
    type Outputs = (Matrix<f32>, DeviceVector<f32>, DeviceVector<f32>, DeviceVector<f32>);
    let operands = vec![of_x.argument(), of_w.argument()];
    let error = launch::run_several::<Outputs>(&device, &kernel, operands).map(drop);
    let error = error.expect_err("the count is left");
    assert!(matches!(error, Error::CountLeft { tile: 0, .. }), "{error}");
}

#[test]
fn nan_reaches_sums_and_no_maximum() {
    let (device, [m, n, k]) = (Device::emulator(), [3, 5, 1]);
    let x = [1.0, f32::NAN, f32::INFINITY].map(f16::from_f32);
    let w = [1.0, -2.0, 3.0, 0.5, -1.0].map(f16::from_f32);
    let (of_x, of_w) =
        (device.matrix(m, k, &x).expect("it fits"), device.matrix(n, k, &w).expect("it fits"));
    let (_, squares, largest, _) = rows(&device, &of_x, &of_w).expect("it runs");
    let (squares, largest) =
        (squares.to_vec().expect("it was written"), largest.to_vec().expect("it was written"));
    assert!(squares[1].is_nan() && squares[2] == f32::INFINITY, "{squares:?}");
    assert_eq!(largest, [3.0, 0.0, f32::INFINITY]);
}

#[test]
fn a_vector_of_another_length_is_refused_and_nothing_is_written() {
    let (device, [m, n, k]) = (Device::emulator(), [3, 5, 4]);
    let of_x = device.matrix(m, k, &halves(m * k, 1)).expect("it fits");
    let of_w = device.matrix(n, k, &halves(n * k, 2)).expect("it fits");
    let mut h = device.matrix(m, n, &[7.0; 15]).expect("it fits");
    let mut squares = device.vector(&[7.0; 3]).expect("it fits");
    let mut largest = device.vector(&[7.0; 4]).expect("it fits");
    let mut least = device.vector_zeros(3).expect("it fits");
    let error = rows::into(&device, &of_x, &of_w, &mut h, &mut squares, &mut largest, &mut least);
    let error = error.expect_err("it has four elements").to_string();
    assert_eq!(error, "rows: out2: expected 3 elements (M of x), got 4");
    assert_eq!(h.to_vec().expect("it was written"), [7.0; 15]);
    assert_eq!(squares.to_vec().expect("it was written"), [7.0; 3]);
}

#[test]
fn nothing_is_reduced_of_no_elements() {
    let device = Device::emulator();
    let of_x = device.matrix(3, 4, &halves(12, 1)).expect("it fits");
    let of_w = device.matrix::<f16>(0, 4, &[]).expect("it fits");
    let error = rows(&device, &of_x, &of_w).expect_err("N is 0").to_string();
    assert_eq!(error, "rows: out1: nothing to reduce, N is 0");
    let (shape, zeros) = (Shape { m: 3, n: 0, k: 4 }, [f16::ZERO; 12]);
    let error = rows::reference(shape, &zeros, &[]).expect_err("N is 0").to_string();
    assert_eq!(error, "rows: out1: nothing to reduce, N is 0");
    assert!(rows::reference(Shape { m: 0, ..shape }, &[], &[]).is_ok());
    // There is nothing to be written either.
    let of_x = device.matrix::<f16>(0, 4, &[]).expect("it fits");
    let of_w = device.matrix::<f16>(0, 4, &[]).expect("it fits");
    assert!(rows(&device, &of_x, &of_w).is_ok());
}

/// The choice by shape counts what is written of each element.
#[test]
fn a_reduction_is_not_counted_as_a_matrix() {
    let written = |kernels: &Kernels<'_>| {
        let of = |choice: &Choice<'_>| choice.footprint().element_bytes()[2];
        kernels.choices().map(of).collect::<Vec<f64>>()
    };
    assert!(written(&rows::KERNELS).iter().all(|bytes| *bytes == 4.0));
    assert!(written(&columns::KERNELS).iter().all(|bytes| *bytes == 0.0));
}
