//! `#[gemm(invariant)]`: a row has the same bits whatever the other rows are.

use std::marker::PhantomData;

use crate::common::invariant::{
    Function, assert_another_order_gives_other_bits, product, with_epilogue,
};
use crate::common::rows::Rows;
use crate::common::{fractions, hopper, one_in};
use gemm_runtime::launch::Choice;
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, AsMatrixMut, Element, launch};

#[gemm(invariant)]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same where any candidate may be chosen: the proof that the data tells orders apart.
#[gemm]
fn free(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same with the rows of the result along N of the kernel.
#[gemm(invariant)]
fn turned(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(w, x)
}

#[gemm(invariant)]
fn of_a_batch(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

/// A sum of floats along N is added in parts of a tile, so there is one schedule.
#[gemm(invariant)]
fn squares(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    let h = matmul(x, w);
    sum(h * h)
}

/// Whose order does not matter.
#[gemm(invariant)]
fn largest(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    abs_max(matmul(x, w))
}

/// N and K: rows of K are aligned to 16 bytes, as tensor copies need it.
const LAYER: [usize; 2] = [72, 1160];

/// The bits of a matrix.
fn bits(y: &[f32]) -> Vec<u32> {
    y.iter().map(|y| y.to_bits()).collect()
}

/// Of each kernel its class, and the bits of the same product.
fn of_kernels<'k>(kernels: impl Iterator<Item = &'k Choice<'k>>) -> Vec<(usize, Vec<u32>)> {
    let (device, [n, k], m) = (hopper(), LAYER, 37);
    let x = device.matrix(m, k, &fractions(m * k, 1)).expect("x");
    let w = device.matrix(n, k, &fractions(n * k, 2)).expect("w");
    let run = |choice: &Choice<'_>| {
        let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("y");
        let arguments = [x.argument(), w.argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, choice.kernel(), arguments).expect("it runs");
        (choice.class(), bits(&y.to_vec().expect("y")))
    };
    kernels.map(run).collect()
}

#[test]
fn all_kernels_of_a_class_give_the_same_bits() {
    let all = of_kernels(one_in(16, linear::KERNELS.choices()));
    for (class, bits) in &all {
        let first = all.iter().find(|(other, _)| other == class).map(|(_, bits)| bits);
        assert!(Some(bits) == first, "class {class}");
    }
    assert!(all.iter().filter(|(class, _)| *class == all[0].0).count() > 3);
    assert!(all.iter().any(|(_, bits)| *bits != all[0].1), "the data shows an order");
    assert!(free::KERNELS.choices().all(|choice| choice.class() == 0));
}

/// Blocks that share the K of each tile in the kernel that is chosen for these operands.
fn splits(device: &Device, x: &Matrix<f16>, w: &Matrix<f16>) -> u32 {
    let launch = &launch::choose(device, &linear::KERNELS, &[x.argument(), w.argument()]).launch;
    launch.split_k.map_or(launch.cluster[2], |split_k| split_k.splits)
}

/// A product of f16, as it is.
fn product_of_f16() -> Function<f16, f32> {
    Function {
        kernels: &linear::KERNELS,
        of_a_batch: &of_a_batch::KERNELS,
        has_bias: false,
        rounded: f16::from_f32,
        output: PhantomData,
    }
}

/// This number of blocks share the K of each tile.
#[track_caller]
fn assert_rows_keep_their_bits<X: Element, Y: Element>(
    device: &Device,
    function: Function<X, Y>,
    [n, k]: [usize; 2],
    shared_by: u32,
) {
    let rows = Rows::new(device, function, [300, n, k]);
    assert_eq!(rows.shared_by, shared_by);
    rows.assert_keep_their_bits(&[1, 2, 16, 17, 64, 65, 128, 200]);
}

#[test]
fn rows_keep_their_bits_beside_any_others() {
    assert_rows_keep_their_bits(&Device::emulator(), product_of_f16(), LAYER, 1);
}

#[test]
fn rows_keep_their_bits_where_the_blocks_of_a_cluster_share_k() {
    assert_rows_keep_their_bits(&hopper(), product_of_f16(), LAYER, 4);
}

#[test]
fn rows_keep_their_bits_where_blocks_share_k_through_a_workspace() {
    assert_rows_keep_their_bits(&Device::emulator(), product_of_f16(), [8, 4104], 2);
}

#[test]
fn rows_keep_their_bits_of_bf16_and_through_an_epilogue() {
    assert_rows_keep_their_bits(&hopper(), product(), [40, 1160], 4);
    assert_rows_keep_their_bits(&hopper(), with_epilogue(), [40, 1160], 4);
}

#[test]
fn rows_keep_their_bits_along_n_of_the_kernel() {
    let (device, [n, k]) = (hopper(), LAYER);
    let (host, w) = (fractions(100 * k, 1), fractions(n * k, 2));
    let w = device.matrix(n, k, &w).expect("w");
    let of = |m: usize| {
        let x = device.matrix(m, k, &host[..m * k]).expect("x");
        bits(&turned(&device, &x, &w).expect("it runs").to_vec().expect("y"))
    };
    assert!(of(5) == of(100)[..5 * n]);
}

#[test]
fn the_data_tells_orders_apart() {
    assert_another_order_gives_other_bits(&hopper(), [16, 40, 520]);
}

#[test]
fn rows_keep_their_bits_at_odd_addresses_and_in_another_order() {
    // The second has candidates with tensor copies alone: launches copy what these cannot read.
    [(LAYER, 4), ([72, 2048], 8)].into_iter().for_each(assert_addresses_do_not_matter);
}

#[track_caller]
fn assert_addresses_do_not_matter(([n, k], shared_by): ([usize; 2], u32)) {
    let (device, m) = (hopper(), 40);
    let host = fractions(m * k, 1);
    let w = device.matrix(n, k, &fractions(n * k, 2)).expect("w");
    let launch =
        |x: &Matrix<f16>| bits(&linear(&device, x, &w).expect("runs").to_vec().expect("y"));
    let x = device.matrix(m, k, &host).expect("x");
    assert_eq!(splits(&device, &x, &w), shared_by);
    let all = launch(&x);
    let backwards: Vec<f16> = host.chunks(k).rev().flatten().copied().collect();
    let y = launch(&device.matrix(m, k, &backwards).expect("x"));
    assert!(y.chunks(n).rev().eq(all.chunks(n)));
    // Each row begins two bytes after a multiple of four, so no vector is aligned.
    let wide: Vec<f16> =
        host.chunks(k).flat_map(|row| [&[f16::NAN][..], row, &[f16::NAN; 2]].concat()).collect();
    let wide = device.matrix(m, k + 3, &wide).expect("x");
    let view = wide.submatrix(0..m, 1..k + 1).expect("they are there");
    let y = linear(&device, &view, &w).expect("it runs").to_vec().expect("y");
    assert!(bits(&y) == all);
}

#[test]
fn sums_along_a_row_have_one_schedule_and_the_largest_element_all() {
    assert_eq!(squares::KERNELS.iter().count(), 1);
    assert!(largest::KERNELS.iter().count() > 20);
    let plain = linear::KERNELS.iter().count();
    assert!(plain > 20 && plain < free::KERNELS.iter().count());
}
