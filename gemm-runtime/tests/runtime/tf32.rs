//! Factors of f32: multiplied as they are, or rounded to tf32 where `precision = tf32` asks for it; by
//! `copy = tma` while they are copied.

use crate::common::tf32::{product, random, specials, wrong};
use crate::common::{hopper, one_in};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, launch};

/// The same product, whose factors are rounded in registers.
#[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, precision = tf32, stages = 3)]
fn in_registers(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same product as bare `#[gemm]` computes it.
#[gemm]
fn bare(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same on tensor cores.
#[gemm(precision = tf32)]
fn rounded(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[test]
fn f32_is_rounded_where_the_attribute_says_so_and_there_alone() {
    let device = Device::emulator();
    let shape = Shape { m: 5, n: 7, k: 40 };
    let Shape { m, n, k } = shape;
    // tf32 has 11 significant bits and rounds this factor to 1; the sums of both are exact.
    let factor = 1.0 + f32::powi(2.0, -14);
    let (a, b) = (vec![factor; m * k], vec![1.0; n * k]);
    let of_a = device.matrix(m, k, &a).expect("it fits");
    let of_b = device.matrix(n, k, &b).expect("it fits");
    let (exact, of_ones) = (vec![k as f32 * factor; m * n], vec![k as f32; m * n]);
    assert_eq!(bare::reference(shape, &a, &b).expect("it fits"), exact);
    assert_eq!(rounded::reference(shape, &a, &b).expect("it fits"), of_ones);
    let as_it_is = bare(&device, &of_a, &of_b).expect("it runs");
    assert_eq!(as_it_is.to_vec().expect("a copy"), exact);
    let as_tf32 = rounded(&device, &of_a, &of_b).expect("it runs");
    assert_eq!(as_tf32.to_vec().expect("a copy"), of_ones);
}

#[test]
fn the_plan_and_both_reports_say_that_factors_are_rounded() {
    let device = Device::emulator();
    let says = "f32 factors rounded to tf32";
    let plan_says = |plan: &str| plan.lines().nth(2).is_some_and(|line| line.contains(says));
    assert!(plan_says(in_registers::PLAN) && !plan_says(bare::PLAN));
    let report = in_registers::report(&device).expect("it compiles");
    assert!(report.to_string().contains(says), "{report}");
    let ones = device.matrix(1, 1, &[1.0f32]).expect("it fits");
    let mut out = device.zeros(1, 1).expect("it fits");
    let prepared = in_registers::prepare(&device, &ones, &ones, &mut out).expect("it is legal");
    assert!(prepared.report().to_string().contains(says), "{}", prepared.report());
}

#[test]
fn every_kernel_that_multiplies_f32_as_it_is_gives_the_same() {
    let device = hopper();
    let (m, n, k) = (37, 141, 536);
    // Whole numbers, whose sums are exact in any order.
    let whole = |count: usize, seed: usize| -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed) % 17) as f32 - 8.0).collect()
    };
    let (a, b) = (whole(m * k, 1), whole(n * k, 2));
    let expected = bare::reference(Shape { m, n, k }, &a, &b).expect("it fits");
    let of_a = device.matrix(m, k, &a).expect("it fits");
    let of_b = device.matrix(n, k, &b).expect("it fits");
    assert!(bare::KERNELS.choices().count() > 12);
    for kernel in one_in(48, bare::KERNELS.iter()) {
        let got = launch::run::<f32>(&device, kernel, [of_a.argument(), of_b.argument()]);
        let got = got.expect("it runs").to_vec().expect("a copy");
        assert!(got == expected, "{:?}", kernel.footprint);
    }
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
