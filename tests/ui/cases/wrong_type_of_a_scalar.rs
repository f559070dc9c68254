//! A scalar is passed as it was declared.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

fn call(device: &Device, x: &Matrix<f16>) {
    let _ = f(device, x, x, 2.0f64);
}

fn main() {
    let _ = call;
}
