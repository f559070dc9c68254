//! `cargo gemm check`

use anyhow::Result;
use clap::Args;
use gemm_check::data::Alignment;
use gemm_check::{self, page, parse_shape, parse_target, usual_target, whole_tiles};
use gemm_codegen::{Target, emit};
use gemm_runtime::Shape;

use super::Chosen;
use crate::constants::Given;
use crate::functions::Functions;
use crate::print;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    given: Given,
    /// The extents; by default 2 tiles along M and N and 4 along K
    #[arg(long, value_name = "MxNxK", value_parser = parse_shape)]
    shape: Option<Shape>,
    /// What the rows of the operands are aligned to in bytes: 128, 16, 8, 4, 2 or mixed
    #[arg(long, default_value_t = Alignment::LINES)]
    align: Alignment,
    /// Seed of the data and of where it lies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The architecture whose PTX is run; by default sm_80, or the lowest that the kernel is legal
    /// on
    #[arg(long, value_parser = parse_target)]
    arch: Option<Target>,
    /// Everything as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    let Chosen { name, candidate } = &options.chosen;
    let function = functions.named(name)?;
    let candidate = function.candidate(candidate.as_deref())?;
    let constants = options.given.fixed(function, &functions.scope)?;
    let kernel = emit(&candidate.plan);
    let target = options.arch.unwrap_or_else(|| usual_target(&kernel));
    // M of a kernel whose factors are exchanged is N of the function.
    let shape = options.shape.map(|shape| match candidate.swapped {
        true => Shape { m: shape.n, n: shape.m, k: shape.k },
        false => shape,
    });
    let Shape { m, n, k } = shape.unwrap_or_else(|| whole_tiles(&kernel));
    eprintln!(
        "checking {} at {m}x{n}x{k} for {target}: seconds, more for larger shapes",
        function.path
    );
    let Options { align: alignment, seed, .. } = *options;
    let target = Some(target);
    let checked = gemm_check::Options { shape, alignment, seed, target, constants };
    let report = gemm_check::check_plan(function.name(), &candidate.plan, &checked)?;
    print::text(&match options.json {
        true => serde_json::to_string_pretty(&report)? + "\n",
        false => page(&report),
    })?;
    Ok(report.is_right())
}
