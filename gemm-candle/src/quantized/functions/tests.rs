//! Each function on the emulator, of data for which sums are exact: the bits of its reference.

use gemm_runtime::packing;

use super::*;
use crate::quantized::Values;

/// Integers about 0, other ones for another seed.
fn integers(count: usize, seed: usize, magnitude: usize) -> impl Iterator<Item = i32> {
    (0..count).map(move |at| ((at + seed) * 37 % (2 * magnitude + 1)) as i32 - magnitude as i32)
}

fn floats(count: usize, seed: usize, magnitude: usize) -> Vec<f32> {
    integers(count, seed, magnitude).map(|of| of as f32).collect()
}

/// Powers of two.
fn scales(count: usize) -> Vec<f32> {
    (0..count).map(|at| 0.5f32.powi((at * 7 % 5) as i32)).collect()
}

fn bytes(count: usize) -> impl Iterator<Item = u8> {
    (0..count).map(|at| (at * 89 % 256) as u8)
}

/// Weights of each kind of values in groups of this extent.
fn each_kind([n, k]: [usize; 2], group: usize, offsets: &Offsets) -> [Weights; 3] {
    let pairs = || bytes(n * k / 2);
    let of_values = [
        Values::I8(bytes(n * k).map(u8::cast_signed).collect()),
        Values::I4(pairs().map(i4x2::from_bits).collect()),
        Values::U4(pairs().map(u4x2::from_bits).collect()),
    ];
    of_values.map(|values| {
        let scales = scales(n * k / group);
        Weights::new([n, k], group, values, scales, offsets.clone()).expect("it fits")
    })
}

/// y of an exact sum is rounded once, to the tokens' type: on the host and by the kernel.
macro_rules! check {
    ($T:ty, $shape:expr, $tiles:expr, $w:expr, $numbers:literal) => {
        let (device, shape @ Shape { m, n, k }) = (Device::emulator(), $shape);
        let of = integers(m * k, 1, 9).map(|of| <$T>::from_f64(f64::from(of) / 4.0));
        let (x, bias) = (of.collect::<Vec<$T>>(), floats(n, 2, 50));
        let packed = packing::pack(n, k / $numbers, $w).expect("it fits");
        let expected = $tiles.reference::<$T, _>(shape, &x, &packed, &bias).expect("it fits");
        let rounded = expected.into_iter().map(|y| <$T>::from_f64(y.into()));
        let expected: Vec<$T> = rounded.collect();
        let tiles = $tiles.to(&device, [n, k]).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k / $numbers, $w).and_then(|w| device.pack(&w)).expect("it fits");
        let bias = device.vector(&bias).expect("it fits");
        let mut y = device.zeros::<$T>(m, n).expect("it fits");
        tiles.launch(&device, &x.view(), &w, &bias, y.view_mut()).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), expected, "{shape:?} {tiles:?}");
    };
}

fn check_each(group: usize, offsets: &Offsets, is: fn(&Tiles<Vec<f32>>) -> bool) {
    let shape @ Shape { n, k, .. } = Shape { m: 5, n: 19, k: 256 };
    for weights in each_kind([n, k], group, offsets) {
        let tiles = Tiles::of(&weights).expect("it is supported");
        assert!(is(&tiles), "{tiles:?}");
        match weights.values() {
            Values::I8(w) => {
                check!(f16, shape, tiles, w, 1);
                check!(bf16, shape, tiles, w, 1);
            }
            Values::I4(w) => {
                check!(f16, shape, tiles, w, 2);
            }
            Values::U4(w) => {
                check!(bf16, shape, tiles, w, 2);
            }
        }
    }
}

#[test]
fn functions_of_scales_are_their_references() {
    check_each(32, &Offsets::None, |tiles| matches!(tiles, Tiles::Of32 { .. }));
    check_each(64, &Offsets::None, |tiles| matches!(tiles, Tiles::Of64 { .. }));
    check_each(128, &Offsets::None, |tiles| matches!(tiles, Tiles::Of128 { .. }));
}

#[test]
fn functions_of_zeros_are_their_references() {
    let zeros = |count| Offsets::Zeros(bytes(count).map(|of| of % 32).collect());
    check_each(64, &zeros(19 * 4), |tiles| matches!(tiles, Tiles::ZerosOf32 { .. }));
    check_each(128, &zeros(19 * 2), |tiles| matches!(tiles, Tiles::ZerosOf128 { .. }));
}

#[test]
fn functions_of_added_offsets_are_their_references() {
    let added = Offsets::Added(floats(19 * 4, 3, 100));
    check_each(64, &added, |tiles| matches!(tiles, Tiles::AddedOf32 { .. }));
}

#[test]
fn functions_of_short_groups_are_their_references() {
    let shape @ Shape { n, k, .. } = Shape { m: 5, n: 19, k: 272 };
    let [bytes, ..] = each_kind([n, k], 16, &Offsets::None);
    let tiles = ShortTiles::of(&bytes).expect("it has them");
    let Values::I8(w) = bytes.values() else { panic!("{bytes:?}") };
    check!(f16, shape, tiles, w, 1);
    check!(bf16, shape, tiles, w, 1);
}
