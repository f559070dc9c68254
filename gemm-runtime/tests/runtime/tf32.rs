//! Factors of f32 by `copy = tma`, which rounds them to tf32 while it copies.

use crate::common::hopper;
use crate::common::tf32::{product, random, specials, wrong};
use gemm_runtime::prelude::*;

/// The same product, whose factors are rounded in registers.
#[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, stages = 3)]
fn in_registers(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[test]
fn every_kind_of_value_is_rounded_to_even() {
    let values = [specials(), random(1 << 14, 5)].concat();
    let wrong = wrong(&hopper(), &product::KERNEL, &values).expect("it runs");
    assert!(wrong.is_empty(), "{} are wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(9)]);
}

#[test]
fn a_map_that_does_not_round_is_found() {
    let mut kernel = product::KERNEL.clone();
    for part in kernel.parameters.to_mut().iter_mut().filter_map(|one| one.tensor.as_mut()) {
        assert!(std::mem::replace(&mut part.rounds_to_tf32, false), "it rounds both factors");
    }
    // A tensor core drops the bits that tf32 lacks, so that all that are above the middle are wrong.
    let values = random(1 << 10, 6);
    let found = wrong(&hopper(), &kernel, &values).expect("it runs").len();
    assert!(found > values.len() / 4, "{found}");
}

#[test]
fn the_reference_rounds_as_its_kernel() {
    let shape = Shape { m: 1, n: 1, k: 1 };
    let unit = 2f32.powi(-10);
    for (tie, even, away) in [
        (1.0 + 0.5 * unit, 1.0, 1.0 + unit),
        (1.0 + 1.5 * unit, 1.0 + 2.0 * unit, 1.0 + 2.0 * unit),
        (-1.0 - 2.5 * unit, -1.0 - 2.0 * unit, -1.0 - 3.0 * unit),
    ] {
        assert_eq!(product::reference(shape, &[tie], &[1.0]).expect("it fits"), [even]);
        assert_eq!(product::reference(shape, &[1.0], &[tie]).expect("it fits"), [even]);
        assert_eq!(in_registers::reference(shape, &[tie], &[1.0]).expect("it fits"), [away]);
    }
}

#[test]
fn kernels_and_references_agree_on_ties() {
    let device = hopper();
    let (m, n, k) = (70, 50, 40);
    let [a, b] = [m, n].map(|rows| {
        // Multiples of 2⁻¹¹ between 1 and 2: every other one is half way between two numbers of tf32.
        let number = |i: usize| 1.0 + (i * 7919 % 2048) as f32 / 2048.0;
        (0..rows * k).map(number).collect::<Vec<f32>>()
    });
    let shape = Shape { m, n, k };
    let on = |rows, elements: &[f32]| device.matrix(rows, k, elements).expect("it fits");
    let (of_a, of_b) = (on(m, &a), on(n, &b));
    let expected = [
        product::reference(shape, &a, &b).expect("it fits"),
        in_registers::reference(shape, &a, &b).expect("it fits"),
    ];
    let got = [
        product(&device, &of_a, &of_b).expect("it runs").to_vec().expect("a copy"),
        in_registers(&device, &of_a, &of_b).expect("it runs").to_vec().expect("a copy"),
    ];
    let far = |x: &[f32], y: &[f32]| {
        x.iter().zip(y).map(|(x, y)| ((x - y) / y).abs()).fold(0.0, f32::max)
    };
    for (got, expected) in got.iter().zip(&expected) {
        assert!(far(got, expected) < 1e-6);
    }
    assert!(far(&expected[0], &expected[1]) > 1e-4, "what is rounded otherwise shows");
}
