//! The element types of a call are those of the signature.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

fn call(device: &Device, x: &Matrix<bf16>, w: &Matrix<f16>, bias: &DeviceVector<f32>) {
    let _ = f(device, x, w, bias);
}

fn main() {
    let _ = call;
}
