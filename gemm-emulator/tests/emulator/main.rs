//! Tests that run PTX: that of small CUDA kernels compiled by NVRTC, and texts written by hand.
//!
//! Kernels lie in `tests/kernels`. NVRTC is looked for in the folder that `GEMM_NVRTC_DIR` names, then where the
//! system looks for libraries; the tests that take their PTX from `handwritten` or `tests/fixtures` need none.

mod atomics;
mod barriers;
mod bulk_copies;
mod clusters;
mod collectives;
mod conversions;
mod corpus;
mod device;
mod dot_products;
mod faults;
mod fixtures;
mod formats;
mod functions;
mod gemm;
mod grids;
mod handwritten;
mod hints;
mod instructions;
mod integers;
mod launches;
mod matrices;
mod mbarriers;
mod multiply;
mod non_coherent;
mod nvrtc;
mod operands;
mod parsing;
mod rounding;
mod specialised;
mod tensor_copies;
mod tensor_gemm;
mod tensor_stores;
mod traces;
mod versions;
mod warpgroups;
mod warps;
