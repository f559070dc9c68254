//! f64.

use fastrand::Rng;
use gemm_runtime::prelude::*;
use gemm_tests::goldens::doubles::{doubles, doubles_km_kn_nm};
use gemm_tests::goldens::fma_doubles::{fma_doubles_nt, fma_doubles_tn};

use super::two;

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

/// A one, then numbers whose products are half of its last bit: a sum loses one after the other.
fn absorbed(rows: usize, k: usize, small: f64) -> Vec<f64> {
    let element = |at: usize| if at.is_multiple_of(k) { 1.0 } else { small };
    (0..rows * k).map(element).collect()
}

/// The largest error over `K · 2^-52 / (1 - K · 2^-52) · Σ abs(a·b)`, of kernels of both forms and all orders.
/// The reference has twice the precision.
fn share(device: &Device, shape: Shape, a: &[f64], b: &[f64]) -> f64 {
    let Shape { m, n, k } = shape;
    let sizes = [a, b].map(|side| side.iter().map(|x| x.abs()).collect::<Vec<f64>>());
    let expected = doubles::reference(shape, a, b).expect("the lengths are right");
    let sizes = doubles::reference(shape, &sizes[0], &sizes[1]).expect("as before");
    let mut largest = 0.0f64;
    let mut check = |product: Result<Matrix<f64>, Error>, out: fn(&[f64], usize) -> Vec<f64>| {
        let got = out(&product.expect("a launch").to_vec().expect("a copy"), m);
        for ((got, expected), size) in got.iter().zip(&expected).zip(&sizes) {
            let roundings = k as f64 * f64::EPSILON;
            let bound = roundings / (1.0 - roundings) * size;
            assert!((got - expected).abs() <= bound, "{got} for {expected}, k = {k}");
            largest = largest.max((got - expected).abs() / bound);
        }
    };
    let matrix = |rows, columns, elements: &[f64]| {
        device.matrix(rows, columns, elements).expect("it fits the memory")
    };
    let as_it_is = |elements: &[f64], _| elements.to_vec();

    let (of_a, of_b) = (matrix(m, k, a), matrix(n, k, b));
    check(doubles(device, &of_a, &of_b), as_it_is);
    check(fma_doubles_nt(device, &of_a, &of_b), as_it_is);
    let [of_a, of_b] = [(m, a), (n, b)].map(|(rows, side)| matrix(k, rows, &transposed(side, k)));
    check(doubles_km_kn_nm(device, &of_a, &of_b), transposed);
    check(fma_doubles_tn(device, &of_a, &of_b), as_it_is);
    largest
}

/// Catches products or sums in f32, and a bound that is too large: half of it is for products that are
/// rounded before they are added, which none of these kernels does.
pub(super) fn sums_of_doubles_err_by_no_more_than_the_bound() {
    let device = &Device::emulator();
    let mut rng = Rng::with_seed(3);
    for (m, n, k) in [(7, 5, 1), (33, 17, 6), (65, 40, 300), (9, 130, 1111)] {
        let (a, b) = (factors(&mut rng, m, k, 1.0), factors(&mut rng, n, k, -1.0));
        share(device, Shape { m, n, k }, &a, &b);
    }
    let (a, b) = (absorbed(3, 301, two(-26)), absorbed(5, 301, two(-27)));
    let share = share(device, Shape { m: 3, n: 5, k: 301 }, &a, &b);
    assert!(share >= 0.49, "{share}");
}
