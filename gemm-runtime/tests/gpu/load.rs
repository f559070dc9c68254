//! Launches that fill a GPU several times over, with several blocks on an SM: what only goes wrong
//! where loads have to wait for each other.

use gemm_runtime::prelude::*;

use super::gpu;

const SHAPE: [usize; 3] = [256, 14336, 4096];
/// k of a stage.
const STAGE: usize = 64;
const LAUNCHES: usize = 30;

/// Two blocks on an SM, and more bytes to load for a product than shared memory gives in its time.
#[gemm(tile = [128, 64, 64], warps = [4, 2], stages = 4, split_k = 4, copy = tma, targets = [sm_90])]
fn many_loads(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 4, split_k = 4, copy = tma, targets = [sm_90])]
fn small_blocks(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Warps along K with rings of their own; two blocks on an SM.
#[gemm(tile = [64, 32, 128], warps = [2, 2, 2], stages = 4, split_k = 2, copy = tma, targets = [sm_90])]
fn groups(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 128, 64], warps = [2, 2], stages = 4, copy = tma, targets = [sm_90])]
fn panels(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
fn by_threads(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// How a factor is stored: rows along k, or columns.
#[derive(Clone, Copy)]
enum Stored {
    /// Ones.
    Ones([usize; 2]),
    /// This many rows along k of the numbers of their stages, in parts whose sums are exact.
    Stages(usize),
}

impl Stored {
    fn matrix(self, device: &Device) -> Matrix<f16> {
        let k = SHAPE[2];
        let (rows, columns, host) = match self {
            Stored::Ones([rows, columns]) => (rows, columns, vec![f16::ONE; rows * columns]),
            Stored::Stages(rows) => {
                let number = |i: usize| f16::from_f32((i % k / STAGE) as f32 / 64.0);
                (rows, k, (0..rows * k).map(number).collect())
            }
        };
        device.matrix(rows, columns, &host).expect("it fits")
    }
}

type Into = fn(&Device, &Matrix<f16>, &Matrix<f16>, &mut Matrix<f32>) -> Result<(), Error>;

/// Launches a product of ones and the numbers of stages, many times. A row of another
/// stage would change the sums.
fn check(device: &Device, into: Into, [a, b]: [Stored; 2]) {
    let [m, n, k] = SHAPE;
    let expected = STAGE as f32 / 64.0 * (0..k / STAGE).map(|stage| stage as f32).sum::<f32>();
    let (a, b) = (a.matrix(device), b.matrix(device));
    let mut out = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("it fits");
    for launch in 0..LAUNCHES {
        match into(device, &a, &b, &mut out) {
            Ok(()) => {}
            Err(error @ Error::UnsupportedArchitecture { .. }) => {
                return eprintln!("skipped: {error}");
            }
            Err(error) => panic!("{error}"),
        }
        let wrong = out.to_vec().expect("out").iter().filter(|sum| **sum != expected).count();
        assert_eq!(wrong, 0, "launch {launch}");
    }
}

#[test]
fn no_stage_is_refilled_before_it_is_read() {
    use Stored::{Ones, Stages};
    let Some(device) = gpu() else { return };
    let [m, n, k] = SHAPE;
    let products: [Into; 4] = [
        |device, a, b, out| many_loads::into(device, a, b, out),
        |device, a, b, out| small_blocks::into(device, a, b, out),
        |device, a, b, out| groups::into(device, a, b, out),
        |device, a, b, out| by_threads::into(device, a, b, out),
    ];
    for product in products {
        check(&device, product, [Stages(m), Ones([n, k])]);
        check(&device, product, [Ones([m, k]), Stages(n)]);
    }
    check(&device, |device, a, b, out| panels::into(device, a, b, out), [Stages(m), Ones([k, n])]);
}
