//! Tests that run PTX: that of small CUDA kernels compiled by NVRTC, and texts written by hand.
//!
//! Kernels lie in `tests/kernels`. NVRTC is looked for in the folder that `GEMM_NVRTC_DIR` names, then where the
//! system looks for libraries; the tests in `fixtures` need none.

mod device;
mod faults;
mod functions;
mod gemm;
mod launches;
mod nvrtc;
