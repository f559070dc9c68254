//! `copy = tma`: what it computes at the edges, and the operands that are copied for it.

use crate::common::{Placed, factors, halves, hopper};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix, AsMatrixMut, Kernel,
    launch::{self, Choice, Kernels},
};

#[gemm(tile = [64, 32, 64], warps = [2, 1], stages = 3, copy = tma)]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(derived, copy = tma)]
fn accumulate(x: Mat<i8, M, K>, w: Mat<i8, N, K>, y: &mut Mat<i32, M, N>) {
    *y += matmul(x, w)
}

/// Copies of threads, which read rows that begin anywhere.
#[gemm(tile = [64, 32, 64], warps = [2, 1], stages = 3)]
fn other(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The product of two matrices of K columns at these places.
fn multiply(device: &Device, x: &Placed, w: &Placed) -> (Result<(), Error>, Vec<f32>) {
    let (m, n) = (x.view().rows(), w.view().rows());
    let mut y = device.matrix(m, n, &vec![-7.5; m * n]).expect("y");
    let result = product::into(device, x.view(), w.view(), &mut y);
    (result, y.to_vec().expect("y"))
}

fn expected(shape: Shape) -> Vec<f32> {
    let Shape { m, n, k } = shape;
    product::reference(shape, &halves(m * k, 0), &halves(n * k, 0)).expect("it fits")
}

#[test]
fn any_extents_are_right() {
    let device = hopper();
    for (m, n, k) in [(70, 50, 200), (1, 33, 72), (65, 1, 8), (1, 1, 64), (64, 32, 640)] {
        let [x, w] = factors(&device, [m, n, k], |count, _| halves(count, 0));
        let y = product(&device, &x, &w).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected(Shape { m, n, k }), "{m} x {n} x {k}");
    }
}

#[test]
fn without_a_k_there_is_nothing_to_read() {
    let device = hopper();
    let [x, w] = [5, 6].map(|rows| device.matrix::<f16>(rows, 0, &[]).expect("it is empty"));
    let y = product(&device, &x, &w).expect("it runs").to_vec().expect("y");
    assert_eq!(y, [0.0; 30]);
    let [x, w] = [5, 6].map(|rows| device.matrix::<i8>(rows, 0, &[]).expect("it is empty"));
    let mut y = device.matrix(5, 6, &[4; 30]).expect("y");
    accumulate(&device, &x, &w, &mut y).expect("it runs");
    assert_eq!(y.to_vec().expect("y"), [4; 30]);
    let w = device.matrix(6, 8, &halves(48, 0)).expect("w");
    let x = device.matrix::<f16>(0, 8, &[]).expect("no rows");
    let y = product(&device, &x, &w).expect("nothing runs");
    assert_eq!((y.rows(), y.columns()), (0, 6));
}

/// Blocks of clusters, which walk.
#[gemm(mma = wgmma, schedule = pingpong, tile = [64, 64, 64], cluster = [2, 1])]
fn in_clusters(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The operands that a launch of [`product`] on these copies.
fn copied(device: &Device, x: &Placed, w: &Placed) -> Vec<String> {
    let mut y = device.zeros(x.view().rows(), w.view().rows()).expect("y");
    let prepared = product::prepare(device, x.view(), w.view(), &mut y).expect("it is right");
    prepared.report().copies.iter().map(|copy| copy.operand.clone()).collect()
}

#[test]
fn rows_not_a_multiple_of_16_bytes_apart_are_copied() {
    let device = hopper();
    let shape @ Shape { m, n, k } = Shape { m: 20, n: 40, k: 100 };
    for [of_x, of_w] in [[104, 100], [100, 104], [101, 107], [104, 104]] {
        let x = Placed::new(&device, [m, k], [0, of_x]);
        let w = Placed::new(&device, [n, k], [0, of_w]);
        let (result, y) = multiply(&device, &x, &w);
        result.expect("it runs");
        assert_eq!(y, expected(shape), "{of_x} and {of_w}");
        let off = [("x", of_x), ("w", of_w)].into_iter().filter(|(_, pitch)| pitch % 8 != 0);
        let off: Vec<&str> = off.map(|(name, _)| name).collect();
        assert_eq!(copied(&device, &x, &w), off);
    }
}

#[test]
fn a_report_names_the_kernel_and_its_copies() {
    let device = hopper();
    let (x, w) =
        (Placed::new(&device, [20, 100], [0, 104]), Placed::new(&device, [40, 100], [0, 100]));
    let mut y = device.zeros(20, 40).expect("y");
    let prepared = product::prepare(&device, x.view(), w.view(), &mut y).expect("it is right");
    let report = prepared.report().to_string();
    let (entry, copies) = report.split_once(' ').expect("an entry point");
    assert_eq!(entry, product::KERNEL.entry);
    // 39 rows of 256 bytes, and one of 200.
    let (kernel, copies) = copies.split_once("; ").expect("copies");
    let (threads, [m, n, k]) = (product::KERNEL.launch.threads, product::KERNEL.launch.block_tile);
    let runs =
        format!("(warps, tensor copies): tile {m} × {n} × {k}, 2 blocks of {threads} threads");
    assert!(kernel.starts_with(&runs) && kernel.ends_with("registers per thread"), "{kernel}");
    assert_eq!(copies, "w is copied to rows 256 B apart, 10184 B");
}

#[test]
fn a_report_names_the_walk_and_the_cluster_of_a_kernel() {
    let device = hopper();
    let [x, w] =
        [[20, 64], [40, 64]].map(|[rows, k]| device.zeros::<f16>(rows, k).expect("it fits"));
    let mut y = device.zeros(20, 40).expect("y");
    let prepared = in_clusters::prepare(&device, &x, &w, &mut y).expect("it is right");
    let report = prepared.report().to_string();
    for part in ["warpgroups", "tile 64 × 64 × 64", "pingpong", "clusters of 2 × 1, ", "2 blocks"]
    {
        assert!(report.contains(part), "no `{part}` in {report}");
    }
}

#[test]
fn an_operand_at_any_address_is_read() {
    let device = hopper();
    let shape @ Shape { m, n, k } = Shape { m: 20, n: 40, k: 96 };
    let good = Placed::new(&device, [n, k], [8, 120]);
    for left in [1, 2, 4, 8, 9, 12, 16] {
        let x = Placed::new(&device, [m, k], [left, 120]);
        let (result, y) = multiply(&device, &x, &good);
        result.expect("it runs");
        assert_eq!(y, expected(shape), "{left}");
        assert_eq!(copied(&device, &x, &good).is_empty(), left % 8 == 0, "{left}");
    }
}

#[test]
fn one_row_has_no_next_one() {
    let device = hopper();
    let w = Placed::new(&device, [30, 77], [0, 80]);
    for (left, is_copied) in [(8, false), (4, true)] {
        let x = Placed::new(&device, [1, 77], [left, 99]);
        let (result, y) = multiply(&device, &x, &w);
        result.expect("it runs");
        assert_eq!(y, expected(Shape { m: 1, n: 30, k: 77 }));
        assert_eq!(!copied(&device, &x, &w).is_empty(), is_copied, "{left}");
    }
}

/// The kernel that a launch on operands at these places chooses.
fn chosen<'k>(device: &Device, kernels: &'k Kernels<'_>, [x, w]: [&Placed; 2]) -> &'k Kernel {
    let (x, w) = (x.view(), w.view());
    let arguments: [Argument<'_>; 2] = [x.argument(), w.argument()];
    launch::choose(device, kernels, &arguments)
}

fn reads_tensors(kernel: &Kernel) -> bool {
    kernel.parameters[0].tensor.is_some()
}

#[test]
fn a_small_product_is_left_to_a_kernel_that_copies_nothing_first() {
    let device = hopper();
    let (m, n, k) = (20, 40, 100);
    let [good, bad] =
        [104, 100].map(|pitch| [m, n].map(|rows| Placed::new(&device, [rows, k], [0, pitch])));
    let run = |kernel: &Kernel, [x, w]: [&Placed; 2]| {
        let mut y = device.zeros::<f32>(m, n).expect("y");
        let (x, w) = (x.view(), w.view());
        let arguments = [x.argument(), w.argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, kernel, arguments)?;
        y.to_vec()
    };
    let [ours, others] = [&product::KERNEL, &other::KERNEL];
    let [second, first] = [ours, others].map(|kernel| [Choice::new("second", kernel)]);
    let orders = [Kernels::new(ours, &first), Kernels::new(others, &second)];
    for kernels in &orders {
        for pair in [[&bad[0], &good[1]], [&good[0], &bad[1]], [&bad[0], &bad[1]]] {
            let kernel = chosen(&device, kernels, pair);
            assert!(!reads_tensors(kernel));
            assert_eq!(run(kernel, pair).expect("it runs"), expected(Shape { m, n, k }));
        }
    }
    // Where only kernels with tensor copies are left, the operands are copied.
    let alone = Kernels::new(ours, &[]);
    let kernel = chosen(&device, &alone, [&bad[0], &bad[1]]);
    assert!(reads_tensors(kernel));
    let y = run(kernel, [&bad[0], &bad[1]]).expect("it runs");
    assert_eq!(y, expected(Shape { m, n, k }));
}
