//! `cargo gemm report`

mod sections;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use gemm_check::{Finding, parse_shape, parse_target, trace_plan, usual_target};
use gemm_codegen::auto::Machine;
use gemm_codegen::hardware::{A100, H200};
use gemm_codegen::{Plan, Target, emit};
use gemm_pictures::Launch;
use gemm_pictures::report::{Time, Written};
use gemm_runtime::{Shape, Tuning};

use super::Chosen;
use crate::constants::Given;
use crate::functions::{Function, Functions};
use crate::print;

/// The shape of the launch whose blocks are drawn, if none is named.
const SHAPE: Shape = Shape { m: 4096, n: 4096, k: 4096 };

/// k-tiles of the launch whose pipeline is drawn.
const TRACED: usize = 10;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    given: Given,
    /// The launch whose blocks and roofline are drawn; by default 4096x4096x4096. The emulator runs a
    /// launch of a few tiles
    #[arg(long, value_name = "MxNxK", value_parser = parse_shape)]
    shape: Option<Shape>,
    /// Matrices of the batch of that launch, of a kernel with batch indices
    #[arg(long, default_value_t = NonZeroUsize::MIN)]
    batch: NonZeroUsize,
    /// The architecture whose PTX is run; by default sm_80, or the lowest that the kernel is legal on
    #[arg(long, value_parser = parse_target)]
    arch: Option<Target>,
    /// A record of `cargo gemm tune`, whose times are shown if there is such a file
    #[arg(long, value_name = "FILE", default_value = "tuning.toml")]
    tuning: PathBuf,
    /// The file; by default `gemm/NAME.html` in cargo's target folder
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    let Chosen { name, candidate } = &options.chosen;
    let function = functions.named(name)?;
    let candidate = function.candidate(candidate.as_deref())?;
    let plan = &candidate.plan;
    let batch = batch_of(plan, options.batch)?;
    let kernel = emit(plan);
    let target = options.arch.unwrap_or_else(|| usual_target(&kernel));
    eprintln!("checking {} for {target}: seconds", function.path);
    let checked = gemm_check::Options {
        shape: None,
        alignment: gemm_check::data::Alignment::LINES,
        seed: 1,
        target: Some(target),
        constants: options.given.fixed(function, &functions.scope)?,
    };
    let report = gemm_check::check_plan(function.name(), plan, &checked)?;
    let shape = options.shape.unwrap_or(SHAPE);
    let machine = machine(options.arch.unwrap_or(drawn_on(plan, target)));
    let trace = match report.finding {
        Finding::Fault(_) => None,
        _ => trace_plan(plan, TRACED, Some(target))?,
    };
    let page = gemm_pictures::report::Report {
        plan,
        kernel: &kernel,
        launch: Launch { shape: extents(shape, candidate.swapped), batch, machine },
        trace: trace.as_deref(),
        profile: report.profile.as_ref(),
        counted: "Counted by the emulator in the launch that was checked.".to_owned(),
        written: Some(Written { code: function.written.clone(), place: function.place.clone() }),
        checks: Some(sections::checks(&report)),
        resources: Some(sections::resources(&kernel, target, &report.nvrtc)?),
        times: times(function, &candidate.id, (shape, batch), &options.tuning)?,
    };
    let summary = format!("{}, schedule {}, for {target}", function.place, candidate.id);
    let page = page.page(&function.path, &summary);
    let file = functions.target_directory.join(format!("gemm/{}.html", function.name()));
    write(options.output.as_ref().unwrap_or(&file), &page.html())?;
    Ok(report.is_right())
}

/// Matrices of the launch that is drawn.
fn batch_of(plan: &Plan, asked: NonZeroUsize) -> Result<usize> {
    if asked.get() > 1 && plan.batch().is_empty() {
        let name = &plan.spec().name;
        bail!("--batch {asked}: {name} has no batch index, so that a launch has 1 matrix");
    }
    Ok(asked.get())
}

/// The extents of the kernel, whose M is N of the function where its factors are exchanged.
fn extents(Shape { m, n, k }: Shape, swapped: bool) -> [usize; 3] {
    if swapped { [n, m, k] } else { [m, n, k] }
}

/// Writes a file, and prints its path.
fn write(file: &Path, html: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(file, html).with_context(|| file.display().to_string())?;
    print::text(&format!("{}\n", file.display()))
}

/// What a tuning record has of the function; those of this schedule and shape are of the report.
fn times(
    function: &Function,
    id: &str,
    (shape, batch): (Shape, usize),
    file: &Path,
) -> Result<Vec<Time>> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(Vec::new()) };
    let tuning = Tuning::load(&text).with_context(|| file.display().to_string())?;
    let kernels = function.of_kernels(|kernels| kernels.fingerprint().to_owned());
    let of = tuning.measurements().into_iter().filter(|one| one.kernels == kernels);
    let time = of.map(|one| Time {
        is_reported: one.fastest == id && one.covers(shape, batch),
        device: one.device,
        shape: one.shape,
        batch: one.batch,
        schedule: one.fastest,
        microseconds: one.microseconds,
    });
    Ok(time.collect())
}

/// The architecture of the device whose waves are drawn: that of the cost model where the plan is legal on
/// it, else the one that is checked.
fn drawn_on(plan: &Plan, checked: Target) -> Target {
    let mut targets = plan.targets().iter().copied();
    targets.find(|target| target.capability() == (9, 0)).unwrap_or(checked)
}

/// A device of this architecture: before compute capability 9.0 like an A100, else like an H200.
fn machine(target: Target) -> Machine {
    let like = if target.capability() < (9, 0) { A100 } else { H200 };
    Machine { target, ..like }
}
