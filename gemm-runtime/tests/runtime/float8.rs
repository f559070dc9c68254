//! The 8-bit floats on the device: every conversion between memory and a body, against the host's.

use gemm_runtime::prelude::*;

/// What the body reads of an `e4m3`.
#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
fn read_e4m3(a: Mat<f16, M, K>, b: Mat<f16, N, K>, value: Vector<e4m3, M>) -> Mat<f32, M, N> {
    matmul(a, b) + value
}

/// What the body reads of an `e5m2`.
#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
fn read_e5m2(a: Mat<f16, M, K>, b: Mat<f16, N, K>, value: Vector<e5m2, M>) -> Mat<f32, M, N> {
    matmul(a, b) + value
}

/// What is stored as `e4m3`.
#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
fn write_e4m3(a: Mat<f16, M, K>, b: Mat<f16, N, K>, value: Vector<f32, M>) -> Mat<e4m3, M, N> {
    matmul(a, b) + value
}

/// What is stored as `e5m2`.
#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
fn write_e5m2(a: Mat<f16, M, K>, b: Mat<f16, N, K>, value: Vector<f32, M>) -> Mat<e5m2, M, N> {
    matmul(a, b) + value
}

/// Runs a kernel on `values`, with a product of 0: K is 0, N is 1.
macro_rules! converted {
    ($kernel:ident, $values:expr) => {{
        let (device, values) = (Device::emulator(), $values);
        let empty = device.matrix::<f16>(values.len(), 0, &[]).expect("an empty matrix");
        let one = device.matrix::<f16>(1, 0, &[]).expect("an empty matrix");
        let vector = device.vector(&values).expect("a vector");
        let out = $kernel(&device, &empty, &one, &vector).expect("the kernel runs");
        out.to_vec().expect("the result can be read")
    }};
}

#[test]
fn every_number_is_read_as_it_is() {
    let same = |got: f32, expected: f32| {
        // The sum of 0 and -0 is 0.
        got == expected || got.is_nan() && expected.is_nan()
    };
    let numbers: Vec<e4m3> = (0..=255).map(e4m3::from_bits).collect();
    for (got, number) in converted!(read_e4m3, numbers.clone()).into_iter().zip(numbers) {
        assert!(same(got, number.to_f32()), "{number:?}: {got}");
    }
    let numbers: Vec<e5m2> = (0..=255).map(e5m2::from_bits).collect();
    for (got, number) in converted!(read_e5m2, numbers.clone()).into_iter().zip(numbers) {
        assert!(same(got, number.to_f32()), "{number:?}: {got}");
    }
}

/// Each finite number of a format, each place where the rounding changes with its neighbours, and
/// what lies beyond the largest.
fn places(numbers: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut finite: Vec<f32> = numbers.filter(|number| number.is_finite()).collect();
    finite.sort_by(f32::total_cmp);
    let half_way = finite.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let around = half_way.flat_map(|x| [x.next_down(), x, x.next_up()]);
    let beyond = [f32::INFINITY, 1e9, 61_440.0, 57_345.0, 464.0, 449.0];
    let beyond = beyond.into_iter().flat_map(|x| [x, -x]);
    around.chain(beyond).chain(finite.iter().copied()).collect()
}

#[test]
fn storing_rounds_to_even_and_saturates_infinities_too() {
    let values = places((0..=255).map(|bits| e4m3::from_bits(bits).to_f32()));
    for (got, value) in converted!(write_e4m3, values.clone()).into_iter().zip(values) {
        assert_eq!(got, e4m3::from_f32(value), "{value:e}");
        assert!(got.to_f32().abs() <= 448.0, "{value:e}");
    }
    let values = places((0..=255).map(|bits| e5m2::from_bits(bits).to_f32()));
    for (got, value) in converted!(write_e5m2, values.clone()).into_iter().zip(values) {
        assert_eq!(got, e5m2::from_f32(value), "{value:e}");
        assert!(got.to_f32().abs() <= 57_344.0, "{value:e}");
    }
}

#[test]
fn nan_stays_nan() {
    assert!(converted!(write_e4m3, vec![f32::NAN, -f32::NAN]).iter().all(|x| x.is_nan()));
    assert!(converted!(write_e5m2, vec![f32::NAN, -f32::NAN]).iter().all(|x| x.is_nan()));
}
