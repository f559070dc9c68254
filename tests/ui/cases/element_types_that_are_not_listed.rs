//! A call with elements that have no kernel, and a generic caller without the bound.

use gemm_runtime::prelude::*;

#[gemm(T = [f16, bf16])]
fn linear<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

fn call(device: &Device, x: &Matrix<f64>, w: &Matrix<f64>) {
    let _ = linear(device, x, w);
}

fn layer<T: gemm_runtime::Element>(device: &Device, x: &Matrix<T>) {
    let _ = linear(device, x, x);
}

fn main() {
    let _ = (call, layer::<f16>);
}
