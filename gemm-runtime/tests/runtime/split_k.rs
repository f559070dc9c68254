//! K split among blocks: launches with a workspace.

use crate::common::{bits, factors, fractions, halves};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, EmulatorOptions, Kernel, launch};

/// Four blocks a tile.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, split_k = 4)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// One block a tile.
mod said {
    use gemm_runtime::prelude::*;

    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, split_k = 1)]
    pub(super) fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }
}

/// The same by default.
mod unsaid {
    use gemm_runtime::prelude::*;

    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    pub(super) fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, split_k = 3)]
fn accumulate(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c += matmul(a, b)
}

fn expected(shape: Shape) -> Vec<f32> {
    let Shape { m, n, k } = shape;
    product::reference(shape, &halves(m * k, 1), &halves(n * k, 2)).expect("it fits")
}

#[test]
fn a_k_of_any_length_is_split() {
    let device = Device::emulator();
    // Less than a tile for each split, and more, with and without a last tile that is not whole.
    for k in [0, 1, 32, 33, 96, 97, 128, 129, 160, 200, 255, 256, 500] {
        let shape = Shape { m: 35, n: 21, k };
        let [a, b] = factors(&device, shape.into(), halves);
        let out = product(&device, &a, &b).expect("it runs");
        assert_eq!(out.to_vec().expect("out"), expected(shape), "k = {k}");
    }
}

#[test]
fn one_split_is_the_default() {
    assert_eq!(said::product::KERNEL, unsaid::product::KERNEL);
    assert_eq!(unsaid::product::KERNEL.launch.split_k, None);
}

#[test]
fn a_prepared_launch_finds_its_workspace_as_it_was() {
    let device = Device::emulator();
    let shape = Shape { m: 70, n: 40, k: 300 };
    let [a, b] = factors(&device, shape.into(), halves);
    let mut c = device.zeros::<f32>(shape.m, shape.n).expect("it fits");
    let mut prepared = accumulate::prepare(&device, &a, &b, &mut c).expect("it fits");
    for _ in 0..3 {
        prepared.launch().expect("it runs");
    }
    drop(prepared);
    let expected: Vec<f32> = expected(shape).into_iter().map(|sum| 3.0 * sum).collect();
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn two_prepared_launches_have_a_workspace_each() {
    let device = Device::emulator();
    let shape = Shape { m: 33, n: 17, k: 256 };
    let [a, b] = factors(&device, shape.into(), halves);
    let mut outputs = [(); 2].map(|()| device.zeros::<f32>(shape.m, shape.n).expect("it fits"));
    let [first, second] = &mut outputs;
    let mut first = product::prepare(&device, &a, &b, first).expect("it fits");
    let mut second = product::prepare(&device, &a, &b, second).expect("it fits");
    std::thread::scope(|scope| {
        scope.spawn(|| first.launch().expect("it runs"));
        scope.spawn(|| second.launch().expect("it runs"));
    });
    drop((first, second));
    for out in outputs {
        assert_eq!(out.to_vec().expect("out"), expected(shape));
    }
}

#[test]
fn a_launch_without_a_tile_for_each_split_leaves_its_workspace_as_it_was() {
    let device = Device::emulator();
    let shape = Shape { m: 70, n: 40, k: 40 };
    let [a, b] = factors(&device, shape.into(), halves);
    let mut c = device.zeros::<f32>(shape.m, shape.n).expect("it fits");
    let mut prepared = accumulate::prepare(&device, &a, &b, &mut c).expect("it fits");
    for _ in 0..2 {
        prepared.launch().expect("it runs");
    }
    drop(prepared);
    let expected: Vec<f32> = expected(shape).into_iter().map(|sum| 2.0 * sum).collect();
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn an_output_without_elements_needs_no_tiles_of_k() {
    let device = Device::emulator();
    for (m, n) in [(0, 21), (35, 0)] {
        let [a, b] = factors(&device, [m, n, 1], halves);
        let mut out = product(&device, &a, &b).expect("nothing to do");
        assert_eq!((out.rows(), out.columns()), (m, n));
        product::into(&device, &a, &b, &mut out).expect("nothing to do");
        let mut prepared = product::prepare(&device, &a, &b, &mut out).expect("nothing to do");
        prepared.launch().expect("nothing to do");
    }
}

#[test]
fn an_empty_output_needs_no_workspace() {
    let device = Device::emulator();
    let shape = Shape { m: 0, n: 21, k: 128 };
    let [a, b] = factors(&device, shape.into(), halves);
    let out = product(&device, &a, &b).expect("nothing to do");
    assert!(out.to_vec().expect("nothing").is_empty());
}

#[test]
fn a_workspace_that_does_not_fit_is_an_error() {
    let memory = 1 << 20;
    let options = EmulatorOptions::default().memory_limit(memory);
    let device = Device::emulator_with(options);
    // 100 KiB of operands and output, and four times the output again.
    let shape = Shape { m: 256, n: 256, k: 128 };
    let [a, b] = factors(&device, shape.into(), halves);
    let error = product(&device, &a, &b).expect_err("1.25 MiB do not fit");
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
}

#[test]
fn a_count_that_is_left_is_found_by_the_emulator() {
    let device = Device::emulator();
    let shape = Shape { m: 20, n: 40, k: 128 };
    let [a, b] = factors(&device, shape.into(), halves);
    let right = "count_in(arrivals + number, last)";
    assert!(product::SOURCE.contains(right));
    let text = product::SOURCE.replace(right, "atomicAdd(arrivals + number, 1u)");
    let kernel = Kernel { text: text.into(), ..product::KERNEL.clone() };
    let mut out = device.zeros::<f32>(shape.m, shape.n).expect("it fits");
    let arguments =
        vec![AsMatrix::argument(&a), AsMatrix::argument(&b), AsMatrixMut::argument(&mut out)];
    let error = launch::into(&device, &kernel, arguments).expect_err("the count is left at 4");
    assert!(matches!(error, Error::CountLeft { tile: 0, count: 4, .. }), "{error}");
}

/// The bits of `text`'s output, its blocks run from the first to the last or the other way round.
fn bits_of(text: &str, descending: bool) -> Vec<u32> {
    let options = EmulatorOptions::default().descending_blocks(descending);
    let device = Device::emulator_with(options);
    let [a, b] = factors(&device, [64, 48, 1000], fractions);
    let kernel = Kernel { text: text.to_owned().into(), ..product::KERNEL.clone() };
    let operands = vec![AsMatrix::argument(&a), AsMatrix::argument(&b)];
    bits(&launch::run(&device, &kernel, operands).expect("it runs"))
}

#[test]
fn the_order_of_blocks_changes_no_bit() {
    assert_eq!(bits_of(product::SOURCE, false), bits_of(product::SOURCE, true));
    // Sums in the order in which blocks arrive: those of the last one first.
    let in_order = "const Register* const from = of_tile + split * REGISTERS * THREADS;";
    assert!(product::SOURCE.contains(in_order));
    let rotated = "const Register* const from =\n\
                   of_tile + (share.split + split) % SPLITS * REGISTERS * THREADS;";
    let text = product::SOURCE.replace(in_order, rotated);
    assert_ne!(bits_of(&text, false), bits_of(&text, true), "this test can tell");
}
