//! `#[gemm(invariant)]` on a GPU: rows of a large product have the bits of those of smaller ones.

use gemm_runtime::Element;

use super::gpu;
use crate::common::invariant::{
    Function, assert_another_order_gives_other_bits, product, with_epilogue,
};
use crate::common::rows::Rows;

const COUNTS: [usize; 12] = [1, 2, 7, 16, 17, 33, 64, 100, 128, 200, 256, 512];

/// Checks a layer of N and K.
fn check<X: Element, Y: Element>(function: Function<X, Y>, [n, k]: [usize; 2]) {
    let Some(device) = gpu() else { return };
    Rows::new(&device, function, [600, n, k]).assert_keep_their_bits(&COUNTS);
}

#[test]
fn rows_keep_their_bits_in_a_square_layer() {
    check(product(), [4096, 4096]);
}

#[test]
fn rows_keep_their_bits_in_a_layer_that_no_tile_divides() {
    check(product(), [1000, 520]);
}

#[test]
fn rows_keep_their_bits_in_a_layer_of_large_k() {
    check(product(), [4096, 14336]);
}

#[test]
fn rows_keep_their_bits_in_a_layer_of_few_columns() {
    check(product(), [136, 2048]);
}

#[test]
fn rows_keep_their_bits_through_an_epilogue() {
    check(with_epilogue(), [1000, 520]);
}

#[test]
fn rows_keep_their_bits_through_an_epilogue_of_large_sums() {
    check(with_epilogue(), [4096, 4096]);
}

#[test]
fn another_order_gives_other_bits() {
    let Some(device) = gpu() else { return };
    assert_another_order_gives_other_bits(&device, [64, 136, 2048]);
}
