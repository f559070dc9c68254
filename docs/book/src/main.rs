//! Prints what a chapter shows: `cargo run --release -p gemm-book -- one_warp`.

use anyhow::{Context as _, Result};
use gemm_book::OUTPUTS;

fn main() -> Result<()> {
    let names = OUTPUTS.map(|output| output.name).join(", ");
    let chosen = std::env::args().nth(1).with_context(|| format!("name one of {names}"))?;
    let output = OUTPUTS.iter().find(|output| output.name == chosen);
    let output = output.with_context(|| format!("{chosen} is not one of {names}"))?;
    print!("{}", (output.text)()?);
    Ok(())
}
