//! A description is no ordinary function.

use gemm_runtime::prelude::*;

#[gemm]
const unsafe extern "C" fn f<T>(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

struct S;

impl S {
    #[gemm]
    fn method(&self, x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }
}

fn main() {}
