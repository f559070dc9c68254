//! `cargo gemm list`

use anyhow::Result;
use clap::Args;
use comfy_table::{Cell, Row};
use gemm_codegen::Plan;
use gemm_codegen::auto::{Candidate, Footprint};
use gemm_codegen::level::mma::Unit;

use crate::functions::{Function, Functions};
use crate::print::{number, table, text};

#[derive(Args)]
pub(crate) struct Options {
    /// A function, whose schedules are listed
    name: Option<String>,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    match &options.name {
        Some(name) => schedules(functions.named(name)?).map(|()| true),
        None => all(functions),
    }
}

fn all(functions: &Functions) -> Result<bool> {
    let rows = functions.all.iter().map(|function| {
        let Function { path, place, declaration, .. } = function;
        let mut row = Row::from([path, place, form(&declaration.plan)]);
        row.add_cell(Cell::new(tile(&declaration.plan)));
        row.add_cell(number(function.candidates().len()));
        row
    });
    text(&table(["function", "place", "form", "tile", "schedules"], rows))?;
    Ok(functions.report_mistakes())
}

/// The schedules of a function, and by what its tuning records are known.
fn schedules(function: &Function) -> Result<()> {
    let candidates = function.candidates();
    let rows = candidates.iter().map(|candidate| {
        let Candidate { id, plan, .. } = candidate;
        let targets: Vec<&str> = plan.targets().iter().map(|target| target.name()).collect();
        let mut row = Row::from([id.as_str(), form(plan), &tile(plan)]);
        row.add_cell(number(Footprint::of(plan).stages)).add_cell(number(plan.threads()));
        row.add_cell(number(plan.shared_memory().bytes())).add_cell(Cell::new(targets.join(" ")));
        row
    });
    let titles = ["schedule", "form", "tile", "stages", "threads", "shared B", "targets"];
    text(&table(titles, rows))?;
    if function.chooses() {
        let fingerprint = function.of_kernels(|kernels| kernels.fingerprint().to_owned());
        text(&format!("\ntuning records name it by {fingerprint}\n"))?;
    }
    Ok(())
}

/// What multiplies.
fn form(plan: &Plan) -> &'static str {
    match plan.mma().unit {
        Unit::TensorCore(_) => "mma.sync",
        Unit::Fma(_) => "fma",
        Unit::Warpgroup(_) => "wgmma",
    }
}

fn tile(plan: &Plan) -> String {
    plan.warps().block.map(|extent| extent.to_string()).join("x")
}
