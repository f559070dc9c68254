//! K of the last wave's tiles split among blocks, as a launch deals them.

use crate::common::{bits, factors, fractions, halves};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, EmulatorOptions, Machine, Shares, Target, launch};

/// Four blocks a multiprocessor.
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = tail(4))]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
fn whole(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = tail(3))]
fn accumulate(a: Batched<f16, B, M, K>, b: Batched<f16, B, N, K>, c: &mut Batched<f32, B, M, N>) {
    *c += matmul(a, b)
}

/// A machine on which products take so long that sharing a tile pays.
fn machine(processors: u32) -> Machine {
    Machine { target: Target::Sm80, processors, clock: 1e3, memory: 1e12 }
}

fn device(processors: u32) -> Device {
    Device::emulator_with(EmulatorOptions::default().machine(machine(processors)))
}

/// Tiles, whole ones, and blocks that share each of the others.
fn dealt(shape: Shape, processors: u32) -> [u64; 3] {
    let Shares { tiles, whole, splits } = product::KERNEL.shares(shape, 1, &machine(processors));
    [tiles, whole, splits.into()]
}

#[test]
fn tiles_that_fill_no_wave_are_shared() {
    let shape = |tiles: usize, k| Shape { m: 64 * tiles, n: 64, k };
    assert_eq!(dealt(shape(16, 4096), 4), [16, 16, 1], "a wave of 4 × 4");
    assert_eq!(dealt(shape(17, 4096), 4), [17, 16, 4], "as many as may");
    assert_eq!(dealt(shape(1, 4096), 4), [1, 0, 4], "less than a wave");
    assert_eq!(dealt(shape(17, 96), 4), [17, 16, 3], "three tiles of K");
    assert_eq!(dealt(shape(17, 32), 4), [17, 17, 1], "one tile of K");
    assert_eq!(dealt(shape(0, 4096), 4), [0, 0, 1]);
    assert_eq!(dealt(shape(17, 0), 4), [17, 17, 1]);
    // On a machine whose products are fast, meeting takes longer than one tile of the output.
    let fast = Machine { clock: 2e9, ..machine(4) };
    let shares = |k| product::KERNEL.shares(shape(17, k), 1, &fast).splits;
    assert!(shares(256) == 1 && shares(1 << 20) > 1);
}

#[test]
fn each_share_is_added_up_once() {
    for (shape, processors) in [
        (Shape { m: 330, n: 200, k: 331 }, 3),
        (Shape { m: 449, n: 127, k: 1000 }, 3),
        (Shape { m: 64, n: 64, k: 64 }, 3),
        (Shape { m: 70, n: 65, k: 33 }, 50),
        (Shape { m: 65, n: 64, k: 0 }, 2),
    ] {
        let device = device(processors);
        let [a, b] = factors(&device, shape.into(), halves);
        let out = product(&device, &a, &b).expect("it runs");
        let expected = whole(&device, &a, &b).expect("it runs");
        let [out, expected] = [out, expected].map(|out| out.to_vec().expect("out"));
        assert_eq!(out, expected, "{shape:?}, {:?}", dealt(shape, processors));
    }
    let [tiles, whole, splits] = dealt(Shape { m: 449, n: 127, k: 1000 }, 3);
    assert!(0 < whole && whole < tiles && splits > 1, "this test has both kinds of tiles");
}

#[test]
fn a_batch_is_dealt_as_a_whole_and_again() {
    let (batch, m, n, k) = (13, 40, 64, 200);
    let device = device(3);
    let [a_host, b_host] = [m, n].map(|rows| halves(batch * rows * k, 0));
    let a = device.batched(batch, m, k, &a_host).expect("it fits");
    let b = device.batched(batch, n, k, &b_host).expect("it fits");
    let before: Vec<f32> = (0..batch * m * n).map(|i| (i % 1000) as f32).collect();
    let mut c = device.batched(batch, m, n, &before).expect("it fits");
    let Shares { tiles, whole, splits } =
        accumulate::KERNEL.shares(Shape { m, n, k }, batch, &machine(3));
    assert!(0 < whole && whole < tiles && splits > 1, "{whole} of {tiles}, {splits} splits");
    let mut prepared = accumulate::prepare(&device, &a, &b, &mut c).expect("it fits");
    for _ in 0..2 {
        prepared.launch().expect("it runs");
    }
    drop(prepared);
    let row = |of: &[f16], number: usize| of[number * k..(number + 1) * k].to_vec();
    for (i, got) in c.to_vec().expect("c").into_iter().enumerate() {
        let (of, row_m, row_n) = (i / (m * n), i / n % m, i % n);
        let pairs = row(&a_host, of * m + row_m).into_iter().zip(row(&b_host, of * n + row_n));
        let sum: f32 = pairs.map(|(a, b)| a.to_f32() * b.to_f32()).sum();
        assert_eq!(got, before[i] + 2.0 * sum, "element {i}");
    }
}

#[test]
fn the_order_of_blocks_changes_no_bit() {
    let shape = [449, 127, 1000];
    let bits_of = |descending: bool| {
        let options = EmulatorOptions::default().machine(machine(3));
        let device = Device::emulator_with(options.descending_blocks(descending));
        let [a, b] = factors(&device, shape, fractions);
        let arguments = vec![AsMatrix::argument(&a), AsMatrix::argument(&b)];
        bits(&launch::run(&device, &product::KERNEL, arguments).expect("it runs"))
    };
    assert_eq!(bits_of(false), bits_of(true));
}
