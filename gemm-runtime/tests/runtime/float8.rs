//! The 8-bit floats on the device: every conversion between memory and a body, against the host's.

use gemm_runtime::prelude::*;

use crate::common::{float8, hopper};

/// Each finite number of a format, each rounding boundary with its neighbours, and larger numbers.
fn places(numbers: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut finite: Vec<f32> = numbers.filter(|number| number.is_finite()).collect();
    finite.sort_by(f32::total_cmp);
    let half_way = finite.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let around = half_way.flat_map(|x| [x.next_down(), x, x.next_up()]);
    let beyond = [f32::INFINITY, 1e9, 61_440.0, 57_345.0, 464.0, 449.0];
    let beyond = beyond.into_iter().flat_map(|x| [x, -x]);
    around.chain(beyond).chain(finite.iter().copied()).collect()
}

/// Runs a kernel on `values`, with a product of 0: K is 0, N is 1.
macro_rules! converted {
    ($kernel:ident, $values:expr) => {{
        let device = Device::emulator();
        let empty = |rows| device.matrix::<f16>(rows, 0, &[]).expect("an empty matrix");
        let (x, w) = (empty($values.len()), empty(1));
        let vector = device.vector($values).expect("a vector");
        let out = $kernel(&device, &x, &w, &vector).expect("the kernel runs");
        out.to_vec().expect("the result can be read").into_iter().zip($values)
    }};
}

macro_rules! format {
    ($module:ident, $float:ident, $largest:literal) => {
        mod $module {
            use super::*;

            #[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
            fn read(a: Mat<f16, M, K>, b: Mat<f16, N, K>, x: Vector<$float, M>) -> Mat<f32, M, N> {
                matmul(a, b) + x
            }

            #[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2, targets = [sm_89])]
            fn write(a: Mat<f16, M, K>, b: Mat<f16, N, K>, x: Vector<f32, M>) -> Mat<$float, M, N> {
                matmul(a, b) + x
            }

            #[test]
            fn every_number_is_read_as_it_is() {
                let numbers: Vec<$float> = (0..=255).map($float::from_bits).collect();
                for (got, number) in converted!(read, &numbers) {
                    let expected = number.to_f32();
                    // The sum of 0 and -0 is 0.
                    let same = got == expected || got.is_nan() && expected.is_nan();
                    assert!(same, "{number:?}: {got}");
                }
            }

            #[test]
            fn storing_rounds_to_even_and_saturates_infinities_too() {
                let values = places((0..=255).map(|bits| $float::from_bits(bits).to_f32()));
                for (got, value) in converted!(write, &values) {
                    assert_eq!(got, $float::from_f32(*value), "{value:e}");
                    assert!(got.to_f32().abs() <= $largest, "{value:e}");
                }
            }

            #[test]
            fn nan_stays_nan() {
                assert!(converted!(write, &[f32::NAN, -f32::NAN]).all(|(x, _)| x.is_nan()));
            }
        }
    };
}

format!(of_e4m3, e4m3, 448.0);
format!(of_e5m2, e5m2, 57_344.0);

#[test]
fn sums_by_warpgroups_keep_13_bits_of_fraction() {
    assert_eq!(float8::kept(&hopper()).expect("it runs"), [13; 3]);
}
