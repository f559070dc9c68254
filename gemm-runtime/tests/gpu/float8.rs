//! What a GPU keeps of sums of 8-bit floats.

use gemm_runtime::prelude::*;
use gemm_runtime::{Element, Kernel};

use super::gpu;
use crate::common::float8::{kept, of_e4m3, of_e4m3_and_e5m2, of_e5m2, of_e5m2_and_e4m3, sums};
use crate::common::hopper;

/// The result of a GPU that has `wgmma`.
fn on_hopper<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(result) => Some(result),
        Err(error @ Error::UnsupportedArchitecture { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_gpu_keeps_at_least_13_bits_of_fp8_sums() {
    let Some(device) = gpu() else { return };
    let Some(kept) = on_hopper(kept(&device)) else { return };
    eprintln!("bits of fraction: {kept:?} (in one instruction; accumulator first, and last)");
    assert!(kept.iter().all(|bits| *bits >= 13), "{kept:?}");
}

/// How many of the sums differ on the emulator, and of how many.
fn differing<A: Element, B: Element>(
    device: &Device,
    kernel: &Kernel,
    formats: [fn(u8) -> f64; 2],
) -> Option<[usize; 2]> {
    let (mut differ, mut all) = (0, 0);
    for k in [32, 64, 512, 4096] {
        let got = on_hopper(sums::<A, B>(device, kernel, k, formats))?;
        let expected = sums::<A, B>(&hopper(), kernel, k, formats).expect("it runs");
        differ += got.iter().zip(&expected).filter(|(x, y)| x.to_bits() != y.to_bits()).count();
        all += got.len();
    }
    Some([differ, all])
}

#[test]
fn the_emulator_truncates_fp8_sums_as_the_gpu_does() {
    let Some(device) = gpu() else { return };
    let [x, y] = [|bits| e4m3::from_bits(bits).to_f64(), |bits| e5m2::from_bits(bits).to_f64()];
    let counts = [
        differing::<e4m3, e4m3>(&device, &of_e4m3::KERNEL, [x, x]),
        differing::<e4m3, e5m2>(&device, &of_e4m3_and_e5m2::KERNEL, [x, y]),
        differing::<e5m2, e4m3>(&device, &of_e5m2_and_e4m3::KERNEL, [y, x]),
        differing::<e5m2, e5m2>(&device, &of_e5m2::KERNEL, [y, y]),
    ];
    for count in counts.into_iter().flatten() {
        assert_eq!(count[0], 0, "of {} sums, in all mixes {counts:?}", count[1]);
    }
}
