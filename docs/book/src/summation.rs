//! How tensor cores add: sums whose bits the rule predicts.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Target};

/// The factors of a product.
pub type Product = [f32; 2];

/// Products of a step of `m16n8k16`.
const STEP: usize = 16;

// ANCHOR: kernel
/// One `mma.sync`, which is one step, for each 16 of K
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16, targets = [sm_90])]
pub fn summation(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// An emulated GPU of this target.
fn device(target: Target) -> Device {
    Device::emulator_with(EmulatorOptions::default().target(target))
}

/// The sum of products, each slice in a step of its own. The first step adds onto zero, a later one onto the sum of
/// those before it.
///
/// # Errors
/// What the launch says, or that elements of the output differ.
pub fn add(steps: &[&[Product]]) -> Result<f32> {
    let device = device(Target::Sm90);
    let k = STEP * steps.len();
    let mut factors = vec![[f16::ZERO; 2]; k];
    for (factors, products) in factors.chunks_mut(STEP).zip(steps) {
        for (factors, product) in factors.iter_mut().zip(*products) {
            *factors = product.map(f16::from_f32);
        }
    }
    let [a, b] = [0, 1].map(|side| factors.iter().map(|pair| pair[side]).collect::<Vec<_>>());
    let a = device.matrix(16, k, &a.repeat(16))?;
    let b = device.matrix(8, k, &b.repeat(8))?;
    only(&summation(&device, &a, &b)?.to_vec()?)
}

/// The value of all elements.
fn only(elements: &[f32]) -> Result<f32> {
    let first = elements.first().copied().unwrap_or_default();
    let is_same = elements.iter().all(|element| element.to_bits() == first.to_bits());
    ensure!(is_same, "elements of the same products differ");
    Ok(first)
}

/// 2^exponent.
fn two(exponent: i32) -> f32 {
    2f32.powi(exponent)
}

/// `count` products of 2^exponent.
fn products(count: usize, exponent: i32) -> Vec<Product> {
    vec![[two(exponent / 2), two(exponent - exponent / 2)]; count]
}

/// What is added, its steps, and the sum that the rule gives.
type Case = (&'static str, Vec<Vec<Product>>, f32);

// ANCHOR: cases
/// Sums of 1 and of products that f32 cannot add to 1 one by one.
fn cases() -> Vec<Case> {
    let one = || products(1, 0);
    let minus = vec![[-two(-12), two(-13)]];
    vec![
        ("c = 1, 4 products of 2^-25", vec![one(), products(4, -25)], 1.0 + two(-23)),
        ("c = 1, 3 products of 2^-25", vec![one(), products(3, -25)], 1.0),
        ("c = 1, 8 products of 2^-26", vec![one(), products(8, -26)], 1.0),
        ("c = 1, a product of -2^-25", vec![one(), minus], 1.0 - two(-24)),
        ("c = 1, 2 products of 2^-24", vec![one(), products(2, -24)], 1.0 + two(-23)),
        (
            "c = 1, 2^-24, then 2^-24 in another step",
            vec![one(), products(1, -24), products(1, -24)],
            1.0,
        ),
        ("c = 2^-22, a product of 1", vec![products(1, -22), one()], 1.0 + two(-22)),
        ("c = 1, 16 products of 2^-26", vec![one(), products(16, -26)], 1.0),
        ("c = 0, 16 of 2^-26, then 1", vec![products(16, -26), one()], 1.0 + two(-22)),
    ]
}
// ANCHOR_END: cases

/// The cases as the emulator adds them, next to their exact sums rounded to f32.
///
/// # Errors
/// A sum is not the one of the rule, or depends on the order within a step.
pub fn run() -> Result<String> {
    let mut text = format!("{:<42}{:<14}exact, rounded\n", "", "tensor core");
    for (what, mut steps, expected) in cases() {
        let sum = sum_of(&steps)?;
        ensure!(sum == expected, "{what}: {sum:e}, not {expected:e}");
        // The zeros that fill a step come first now.
        steps.iter_mut().for_each(|step| {
            step.resize(STEP, [0.0; 2]);
            step.reverse();
        });
        ensure!(sum_of(&steps)? == expected, "{what}: depends on the order within a step");
        let exact: f64 = steps.iter().flatten().map(|[a, b]| f64::from(*a) * f64::from(*b)).sum();
        writeln!(text, "{what:<42}{:<14}{}", near(1.0, sum), near(1.0, exact as f32))?;
    }
    Ok(text)
}

fn sum_of(steps: &[Vec<Product>]) -> Result<f32> {
    add(&steps.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// `1 + 2^-23` for the f32 after 1: a number that differs from `base` by a power of two, or not at all.
fn near(base: f32, x: f32) -> String {
    let rest = x - base;
    if rest == 0.0 {
        return base.to_string();
    }
    let sign = if rest > 0.0 { '+' } else { '-' };
    format!("{base} {sign} 2^{}", rest.abs().log2())
}

/// The products of the step before the one in the picture, whose sum is its c: 1.5 + 2^-23.
pub const BEFORE: [Product; 3] = [[1.0, 1.0], [0.5, 1.0], [TINY, 2.0 * TINY]];

/// 2^-12.
const TINY: f32 = 1.0 / 4096.0;

/// The products of the step in the picture.
pub const DRAWN: [Product; 5] = [
    [TINY, TINY],
    [4.0 * 1.375 * TINY, 2.0 * 1.625 * TINY],
    [1.5 * TINY, 1.5 * TINY],
    [-1.25 * TINY, TINY],
    [0.5 * TINY, 0.5 * TINY],
];

// ANCHOR: bytes
/// One `wgmma` for each 32 of K: sums keep 13 bits
#[gemm(tile = [64, 8, 128], mma = wgmma, promote = never, targets = [sm_90a])]
pub fn truncated(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The sum of each 128 of K is added in f32
#[gemm(tile = [64, 8, 128], mma = wgmma, promote = 128, targets = [sm_90a])]
pub fn promoted(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// One `mma.sync`, whose factors are converted to f16
#[gemm(tile = [16, 8, 32], warps = [1, 1], mma = m16n8k32, targets = [sm_90])]
pub fn converted(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: bytes

/// A kernel of 8-bit floats, as a function that launches it.
type Bytes = fn(&Device, &Matrix<e4m3>, &Matrix<e4m3>) -> Result<Matrix<f32>, Error>;

/// The sum of the squares of these numbers along K.
fn squares(target: Target, kernel: Bytes, numbers: &[f32]) -> Result<f32> {
    let device = device(target);
    let row: Vec<e4m3> = numbers.iter().map(|number| e4m3::from_f32(*number)).collect();
    let a = device.matrix(64, row.len(), &row.repeat(64))?;
    let b = device.matrix(8, row.len(), &row.repeat(8))?;
    only(&kernel(&device, &a, &b)?.to_vec()?)
}

/// 8-bit floats by each of the kernels.
///
/// # Errors
/// A sum is not the one of the rule.
pub fn bytes() -> Result<String> {
    // ANCHOR: numbers
    // 2^16, then 128 products of 4 in the next 128 of K.
    let mut long = [0.0; 256];
    long[0] = 256.0;
    long[128..].fill(2.0);
    // 2^16 and two products of 2^-8. Places 0 and 1 of each four along K are the lower two, 2 and 3 the upper two.
    let pair = |second: usize| {
        let mut row = [0.0; 32];
        (row[0], row[1], row[second]) = (256.0, two(-4), two(-4));
        row
    };
    let never = squares(Target::Sm90a, |device, a, b| truncated(device, a, b), &long)?;
    let each_128 = squares(Target::Sm90a, |device, a, b| promoted(device, a, b), &long)?;
    let of_pair =
        |second| squares(Target::Sm90, |device, a, b| converted(device, a, b), &pair(second));
    let sums = [
        ("wgmma, promote = never", never, 65536.0),
        ("wgmma, promote = 128", each_128, 65536.0 + 512.0),
        ("mma.sync, k = 0, 1, 4", of_pair(4)?, 65536.0 + two(-7)),
        ("mma.sync, k = 0, 1, 2", of_pair(2)?, 65536.0),
    ];
    // ANCHOR_END: numbers
    let mut text = String::new();
    for (what, sum, expected) in sums {
        ensure!(sum == expected, "{what}: {sum}, not {expected}");
        writeln!(text, "{what:<26}{}", near(65536.0, sum))?;
    }
    Ok(text)
}

// ANCHOR: body
/// The square of each sum less `limit`: with two roundings, and with one
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16, targets = [sm_90])]
pub fn bodies(
    a: Mat<f16, M, K>,
    b: Mat<f16, N, K>,
    limit: f32,
) -> (Mat<f32, M, N>, Mat<f32, M, N>) {
    let z = matmul(a, b);
    (z * z - limit, z.mul_add(z, -limit))
}
// ANCHOR_END: body

/// A body with and without `mul_add`, for sums of 1 + 2^-12.
///
/// # Errors
/// A result is not that of the rounding.
pub fn body() -> Result<String> {
    let device = device(Target::Sm90);
    let mut row = [f16::ZERO; STEP];
    (row[0], row[1]) = (f16::ONE, f16::from_f32(two(-6)));
    let a = device.matrix(16, STEP, &row.repeat(16))?;
    let b = device.matrix(8, STEP, &row.repeat(8))?;
    let (rounded, fused) = bodies(&device, &a, &b, 1.0 + two(-11))?;
    let [rounded, fused] = [only(&rounded.to_vec()?)?, only(&fused.to_vec()?)?];
    ensure!(rounded == 0.0 && fused == two(-24), "{rounded:e} and {fused:e}");
    Ok(format!("z * z - limit             0\nz.mul_add(z, -limit)      2^{}\n", fused.log2()))
}
