//! The item stays, so that its uses are no errors.

use gemm_runtime::prelude::*;

#[gemm]
struct NotAFunction;

fn main() {
    let _ = NotAFunction;
}
