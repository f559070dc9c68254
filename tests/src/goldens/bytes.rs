//! Bytes in the orders in which one side runs along K and the other does not, everything derived.

use super::prelude::*;

goldens! {
    /// Lines of A alone take turns.
    #[gemm(derived)]
    pub fn bytes_km_nk(a: Mat<i8, K, M>, b: Mat<u8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// Lines of B alone take turns, columns of the output are stored.
    #[gemm(derived)]
    pub fn bytes_mk_kn_nm(a: Mat<u8, M, K>, b: Mat<u8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }

    /// Floats; lines of A take turns, and columns of the output are stored.
    #[gemm(derived)]
    pub fn bytes_km_nk_nm(a: Mat<e4m3, K, M>, b: Mat<e5m2, N, K>) -> Mat<f16, N, M> {
        matmul(a, b)
    }

    /// Floats; lines of B take turns.
    #[gemm(derived)]
    pub fn bytes_mk_kn(a: Mat<e5m2, M, K>, b: Mat<e5m2, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }
}
