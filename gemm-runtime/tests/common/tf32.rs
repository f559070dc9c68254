//! Factors that the copy unit rounds to tf32, one at a time: what is special of them, and random bits.

use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, Element as _, Factors, Kernel, launch};

/// Both factors are rounded where they are copied.
#[gemm(
    tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, precision = tf32, stages = 3, copy = tma
)]
pub(crate) fn product(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Columns of a matrix that has one value in each row.
const COLUMNS: usize = 32;

/// The other factor has as many rows.
const ONES: usize = 8;

/// Every sign and exponent with mantissas around numbers of tf32 and around the middles between two
/// that are even or odd: subnormals, infinities, NaN and the largest numbers are among them.
pub(crate) fn specials() -> Vec<f32> {
    const KEPT: [u32; 6] = [0, 1, 2, 0x200, 0x3fe, 0x3ff];
    const DROPPED: [u32; 7] = [0, 1, 0x0fff, 0x1000, 0x1001, 0x1800, 0x1fff];
    let upper = (0..512u32).flat_map(|upper| KEPT.map(|kept| upper << 10 | kept));
    upper.flat_map(|upper| DROPPED.map(|dropped| f32::from_bits(upper << 13 | dropped))).collect()
}

/// Random bits; every fourth is half way between two numbers of tf32.
pub(crate) fn random(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut bits = || match rng.u8(0..4) {
        0 => rng.u32(..) & !0x1fff | 0x1000,
        _ => rng.u32(..),
    };
    (0..count).map(|_| f32::from_bits(bits())).collect()
}

/// Multiplies each value as a factor of A, then of B, by one and says which products are not what the
/// value is rounded to, ties to even.
///
/// # Errors
/// That of the launches.
pub(crate) fn wrong(
    device: &Device,
    kernel: &Kernel,
    values: &[f32],
) -> Result<Vec<String>, Error> {
    // A row has one value: an infinity times the zeros of another would be NaN.
    let mut sparse = vec![0.0; values.len() * COLUMNS];
    for (row, value) in values.iter().enumerate() {
        sparse[row * COLUMNS + row % COLUMNS] = *value;
    }
    let sparse = device.matrix(values.len(), COLUMNS, &sparse)?;
    let ones = device.matrix(ONES, COLUMNS, &[1.0f32; ONES * COLUMNS])?;
    let as_a =
        launch::run::<f32>(device, kernel, [sparse.argument(), ones.argument()])?.to_vec()?;
    let as_b =
        launch::run::<f32>(device, kernel, [ones.argument(), sparse.argument()])?.to_vec()?;
    let mut wrong = Vec::new();
    for (row, value) in values.iter().enumerate() {
        let expected = value.to_factor(Factors::Tf32TiesEven);
        let of_a = as_a[row * ONES..][..ONES].iter();
        let of_b = as_b[row..].iter().step_by(values.len());
        let is_right = |got: &&f32| **got == expected || got.is_nan() && expected.is_nan();
        if let Some(got) = of_a.chain(of_b).find(|got| !is_right(got)) {
            let [value, got, expected] = [*value, *got, expected].map(f32::to_bits);
            wrong.push(format!("{value:#010x} became {got:#010x}, not {expected:#010x}"));
        }
    }
    Ok(wrong)
}
