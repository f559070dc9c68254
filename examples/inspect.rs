//! Prints the plan and the CUDA C++ text of a function. Needs neither a GPU nor libnvrtc: both are
//! constants, written when this program was compiled.
//!
//! `cargo run --release --example inspect`

use gemm_runtime::prelude::*;

/// A gated residual: y = alpha · silu(a · b + bias) + residual, B with N contiguous
#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 3, targets = [sm_80, sm_90])]
fn gated(
    a: Mat<bf16, M, K>,
    b: Mat<bf16, K, N>,
    bias: Vector<bf16, N>,
    residual: Mat<bf16, M, N>,
    alpha: f32,
) -> Mat<bf16, M, N> {
    alpha * silu(matmul(a, b) + bias) + residual
}

fn main() {
    println!("{}\n\n{}", gated::PLAN, gated::SOURCE);
}
