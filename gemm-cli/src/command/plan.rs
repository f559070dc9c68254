//! `cargo gemm plan`

use anyhow::Result;
use clap::Args;

use super::Chosen;
use crate::functions::Functions;
use crate::print;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    chosen: Chosen,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    let Chosen { name, candidate } = &options.chosen;
    let candidate = functions.named(name)?.candidate(candidate.as_deref())?;
    print::text(&candidate.plan.table())?;
    Ok(true)
}
