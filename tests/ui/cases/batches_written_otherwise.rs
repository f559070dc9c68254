//! What a `Batched` takes, what is passed for one, and that it is ours.

use gemm_runtime::prelude::*;

#[gemm]
fn parameters(x: Batched<f16, M>, w: Batched<f16, 3, N, K>) -> Batched<f16, B, M> {
    matmul(x, w)
}

#[gemm]
fn f(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>, bias: Batched<f32, B, N>) -> Batched<f16, B, M, N> {
    matmul(x, w) + bias
}

#[gemm]
fn of_two(x: Batched<f16, (B,), M, K>, w: Batched<f16, B, H, N, K>) -> Batched<f16, (B, &H), M, N> {
    matmul(x, w)
}

fn call(device: &Device, x: &Matrix<f16>, w: &BatchedMatrix<f16>, bias: &DeviceVector<f32>) {
    let _ = f(device, x, w, bias);
}

fn main() {
    let _ = call;
}
