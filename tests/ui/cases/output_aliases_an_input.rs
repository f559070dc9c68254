//! The output is borrowed mutably.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn call(device: &Device, x: &Matrix<f16>, mut y: Matrix<f16>) {
    let _ = f::into(device, x, &y, &mut y);
    let _ = f::prepare(device, &y, x, &mut y);
}

fn main() {
    let _ = call;
}
