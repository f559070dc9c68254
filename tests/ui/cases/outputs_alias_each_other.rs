//! Each output is borrowed mutably.

use gemm_runtime::prelude::*;

#[gemm]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    (z, relu(z))
}

fn call(device: &Device, x: &Matrix<f16>, mut y: Matrix<f16>) {
    let _ = both::into(device, x, x, &mut y, &mut y);
}

fn main() {
    let _ = call;
}
