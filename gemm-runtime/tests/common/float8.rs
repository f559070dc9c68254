//! Sums of 8-bit floats by `wgmma`: the tensor core keeps fewer bits than an f32 has.

use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, Element, Kernel, launch};

macro_rules! products {
    ($($name:ident: $a:ident, $b:ident;)+) => {
        $(
            #[gemm(tile = [64, 16, 128], warpgroups = [1, 1], mma = wgmma, stages = 2)]
            pub(crate) fn $name(a: Mat<$a, M, K>, b: Mat<$b, N, K>) -> Mat<f32, M, N> {
                matmul(a, b)
            }
        )+
    };
}

products! {
    of_e4m3: e4m3, e4m3;
    of_e4m3_and_e5m2: e4m3, e5m2;
    of_e5m2_and_e4m3: e5m2, e4m3;
    of_e5m2: e5m2, e5m2;
}

/// Products of an instruction.
const INSTRUCTION: usize = 32;

/// Products of a sum: two instructions.
const K: usize = 2 * INSTRUCTION;

/// Where a product of 1 lies, and one of a power of two: in one instruction, or one in the accumulator
/// to which the other is added.
const PLACES: [[usize; 2]; 3] = [[0, 1], [0, INSTRUCTION], [INSTRUCTION, 0]];

/// The powers of two that are factors, from 2^0 to the smallest e4m3, 2^-9.
const POWERS: usize = 10;

/// A row for each place and each power of two: it has that number, and 1 at the other place.
fn rows() -> Vec<e4m3> {
    let rows = PLACES.iter().flat_map(|place| (0..POWERS).map(move |power| (place, power)));
    let row = |([one, other], power): (&[usize; 2], usize)| {
        let mut row = [e4m3::default(); K];
        row[*one] = e4m3::from_f32(1.0);
        row[*other] = e4m3::from_f32(0.5f32.powi(power as i32));
        row
    };
    rows.flat_map(row).collect()
}

/// Bits of fraction of a sum near 1 that are kept, for each of the places.
///
/// # Errors
/// Those of the launch.
pub(crate) fn kept(device: &Device) -> Result<[usize; 3], Error> {
    let (rows, count) = (rows(), PLACES.len() * POWERS);
    let [a, b] = [device.matrix(count, K, &rows)?, device.matrix(count, K, &rows)?];
    let sums = of_e4m3(device, &a, &b)?.to_vec()?;
    let is_kept = |place: usize, bits: usize| {
        let powers = (0..POWERS).flat_map(|s| (0..POWERS).map(move |t| (s, t)));
        let mut sums = powers.filter(|(s, t)| s + t == bits).map(|(s, t)| {
            let [row, column] = [s, t].map(|power| place * POWERS + power);
            sums[row * count + column]
        });
        sums.all(|sum| sum == 1.0 + 0.5f32.powi(bits as i32))
    };
    let most = 2 * (POWERS - 1);
    Ok([0, 1, 2].map(|place| (1..=most).take_while(|bits| is_kept(place, *bits)).count()))
}

/// The sums of random products of two formats. All bits occur but infinities and NaN.
///
/// # Errors
/// Those of the launch.
pub(crate) fn sums<A: Element, B: Element>(
    device: &Device,
    kernel: &Kernel,
    k: usize,
    [of_a, of_b]: [fn(u8) -> f64; 2],
) -> Result<Vec<f32>, Error> {
    const ROWS: usize = 96;
    let mut rng = fastrand::Rng::with_seed(k as u64);
    let mut numbers = |value: fn(u8) -> f64| -> Vec<f64> {
        let bits = std::iter::repeat_with(|| value(rng.u8(..)));
        bits.filter(|number| number.is_finite()).take(ROWS * k).collect()
    };
    let [a, b] = [numbers(of_a), numbers(of_b)];
    let a: Vec<A> = a.into_iter().map(A::from_f64).collect();
    let b: Vec<B> = b.into_iter().map(B::from_f64).collect();
    let (a, b) = (device.matrix(ROWS, k, &a)?, device.matrix(ROWS, k, &b)?);
    launch::run::<f32>(device, kernel, [a.argument(), b.argument()])?.to_vec()
}
