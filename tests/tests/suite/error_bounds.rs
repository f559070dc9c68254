//! The bounds of docs/support.md, held where sums cancel: a norm would hide what is lost there.

use fastrand::Rng;
use gemm_runtime::prelude::*;
use gemm_tests::goldens::doubles::{doubles, doubles_km_kn_nm};
use gemm_tests::goldens::fma_doubles::{fma_doubles_nt, fma_doubles_tn};

use crate::Test;

/// Rows of products that cancel in pairs but for their last bits, over forty binary orders of
/// magnitude.
fn factors(rng: &mut Rng, rows: usize, k: usize, sign: f64) -> Vec<f64> {
    let mut elements = Vec::with_capacity(rows * k);
    for _ in 0..rows {
        let mut last = 0.0;
        for at in 0..k {
            let fresh = (rng.f64() * 2.0 - 1.0) * f64::exp2(f64::from(rng.i32(-20..20)));
            last = if at % 2 == 1 { sign * last * (1.0 + f64::exp2(-40.0)) } else { fresh };
            elements.push(last);
        }
    }
    elements
}

fn transposed(elements: &[f64], columns: usize) -> Vec<f64> {
    let column = |at: usize| elements.iter().skip(at).step_by(columns);
    (0..columns).flat_map(column).copied().collect()
}

pub(crate) fn tests() -> Vec<Test> {
    tests![
        sums_of_doubles_err_by_no_more_than_the_bound,
        truncated_sums_err_by_no_more_than_their_bound_and_more_than_others
    ]
}

fn sums_of_doubles_err_by_no_more_than_the_bound() {
    let device = Device::emulator();
    let mut rng = Rng::with_seed(3);
    for (m, n, k) in [(7, 5, 1), (33, 17, 6), (65, 40, 300), (9, 130, 1111)] {
        let shape = Shape { m, n, k };
        let (a, b) = (factors(&mut rng, m, k, 1.0), factors(&mut rng, n, k, -1.0));
        let terms = [&a, &b].map(|side| side.iter().map(|x| x.abs()).collect::<Vec<f64>>());
        let expected = doubles::reference(shape, &a, &b).expect("the lengths are right");
        let terms = doubles::reference(shape, &terms[0], &terms[1]).expect("as before");
        let check = |product: Matrix<f64>, out: fn(&[f64], usize) -> Vec<f64>| {
            let got = out(&product.to_vec().expect("a copy"), m);
            let bounds = terms.iter().map(|terms| 2.0 * k as f64 * f64::EPSILON * terms);
            for ((got, expected), bound) in got.iter().zip(&expected).zip(bounds) {
                assert!((got - expected).abs() <= bound, "{got} for {expected}, k = {k}");
            }
        };
        let matrix = |rows, columns, elements: &[f64]| {
            device.matrix(rows, columns, elements).expect("it fits the memory")
        };
        let as_it_is = |elements: &[f64], _| elements.to_vec();

        let (of_a, of_b) = (matrix(m, k, &a), matrix(n, k, &b));
        check(doubles(&device, &of_a, &of_b).expect("a launch"), as_it_is);
        check(fma_doubles_nt(&device, &of_a, &of_b).expect("a launch"), as_it_is);

        let [of_a, of_b] =
            [(m, &a), (n, &b)].map(|(rows, side)| matrix(k, rows, &transposed(side, k)));
        check(doubles_km_kn_nm(&device, &of_a, &of_b).expect("a launch"), transposed);
        check(fma_doubles_tn(&device, &of_a, &of_b).expect("a launch"), as_it_is);
    }
}

#[gemm(tile = [64, 24, 128], mma = wgmma, stages = 2, promote = never)]
fn float8(a: Mat<e4m3, M, K>, b: Mat<e5m2, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Bits of rows of normal 8-bit floats of all magnitudes but the largest. The second half of every other
/// row is the first with another sign, if `cancels`, else the same.
fn small(rng: &mut Rng, [rows, k]: [usize; 2], fraction_bits: u32, cancels: bool) -> Vec<u8> {
    let magnitudes = 1 << fraction_bits..0x7f & !0u8 << fraction_bits;
    let mut elements: Vec<u8> =
        (0..rows * k).map(|_| rng.u8(magnitudes.clone()) | rng.u8(0..2) << 7).collect();
    for row in elements.chunks_mut(k).step_by(2) {
        let (first, second) = row.split_at_mut(k / 2);
        second.copy_from_slice(first);
        second.iter_mut().for_each(|bits| *bits ^= u8::from(cancels) << 7);
    }
    elements
}

fn truncated_sums_err_by_no_more_than_their_bound_and_more_than_others() {
    let device = Device::emulator();
    let mut rng = Rng::with_seed(4);
    let (mut largest, mut above_others) = (0.0f64, 0);
    for [m, n, k] in [[7, 5, 16], [65, 40, 304], [9, 30, 1120]] {
        let shape = Shape { m, n, k };
        let of_a = small(&mut rng, [m, k], 3, true);
        let of_b = small(&mut rng, [n, k], 2, false);
        let floats = |sign: u8| {
            let a: Vec<e4m3> = of_a.iter().map(|bits| e4m3::from_bits(bits & sign)).collect();
            let b: Vec<e5m2> = of_b.iter().map(|bits| e5m2::from_bits(bits & sign)).collect();
            (a, b)
        };
        let reference = |(a, b): (Vec<e4m3>, Vec<e5m2>)| {
            float8::reference(shape, &a, &b).expect("the lengths are right")
        };
        let (a, b) = floats(0xff);
        let (a, b) = (device.matrix(m, k, &a).expect("a"), device.matrix(n, k, &b).expect("b"));
        let got = float8(&device, &a, &b).expect("a launch").to_vec().expect("a copy");
        let (expected, terms) = (reference(floats(0xff)), reference(floats(0x7f)));
        for ((got, expected), terms) in got.iter().zip(&expected).zip(&terms) {
            let share = f64::from((got - expected).abs()) / (k as f64 * f64::from(*terms));
            largest = largest.max(share * f64::exp2(13.0));
            above_others += usize::from(share > f64::exp2(-23.0));
        }
    }
    assert!(largest <= 1.0, "{largest} times the bound");
    assert!(above_others > 100, "{above_others} sums are less exact than those of f16");
}
