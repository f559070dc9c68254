//! The bounds of docs/support.md, held where sums cancel: a norm would hide what is lost there.

use fastrand::Rng;
use gemm_runtime::{Device, Matrix, Shape};
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
    tests![sums_of_doubles_err_by_no_more_than_the_bound]
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
