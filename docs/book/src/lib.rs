//! The kernels of the book, a module for each chapter, and what they print.

pub mod block;
pub mod bodies;
pub mod candidates;
pub mod ladder;
pub mod mlp;
pub mod one_warp;
pub mod pipelines;
pub mod summation;
pub mod swizzles;
pub mod tiles;
pub mod warpgroups;

use anyhow::Result;
use gemm_runtime::f16;

/// A text that a chapter quotes from `chapters/output/NAME.txt`.
pub struct Output {
    /// The name of the chapter, or of the chapter and what is shown.
    pub name: &'static str,
    /// Makes the text.
    pub text: fn() -> Result<String>,
}

/// Every output, in the order of the chapters.
pub const OUTPUTS: [Output; 14] = [
    Output { name: "one_warp", text: one_warp::run },
    Output { name: "tiles", text: tiles::run },
    Output { name: "tiles_plan", text: tiles::plan },
    Output { name: "swizzles", text: swizzles::run },
    Output { name: "pipelines", text: pipelines::main_loop },
    Output { name: "bodies", text: bodies::run },
    Output { name: "warpgroups", text: warpgroups::run },
    Output { name: "ladder", text: ladder::run },
    Output { name: "summation", text: summation::run },
    Output { name: "summation_bytes", text: summation::bytes },
    Output { name: "summation_body", text: summation::body },
    Output { name: "candidates", text: candidates::run },
    Output { name: "mlp", text: mlp::run },
    Output { name: "block", text: block::run },
];

/// Elements between -0.5 and 0.5.
pub fn values(count: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f32((i * 37 % 101) as f32 / 100.0 - 0.5)).collect()
}
