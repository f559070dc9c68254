//! Measures emitted kernels against cuBLASLt on the GPU of this machine.
//!
//! `cargo run --release -p bench -- squares`

mod cublas;
mod squares;
mod timing;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures emitted kernels against cuBLASLt, in one process and interleaved.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Subcommand)]
enum Suite {
    /// f16 → f16, M = N = K, both operands with K contiguous.
    Squares {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "1024,2048,4096,8192")]
        sizes: Vec<usize>,
        /// Pairs of measurements of each case.
        #[arg(long, default_value_t = 15)]
        rounds: usize,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().suite {
        Suite::Squares { sizes, rounds } => squares::run(&sizes, rounds),
    }
}
