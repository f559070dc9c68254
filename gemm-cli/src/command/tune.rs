//! `cargo gemm tune`

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use gemm_check::data::Alignment;
use gemm_check::{Problem, dynamic, parse_shape};
use gemm_codegen::Plan;
use gemm_runtime::launch::{Choice, Kernels, choose};
use gemm_runtime::{Device, Shape, Tuning};

use crate::functions::Functions;
use crate::print;

#[derive(Args)]
pub(crate) struct Options {
    /// The function, by its name, its path or its place
    name: String,
    /// The shapes: `--shapes 64x4096x4096,4096x4096x4096`
    #[arg(long, required = true, value_name = "MxNxK", value_delimiter = ',', value_parser = parse_shape)]
    shapes: Vec<Shape>,
    /// Matrices of a batch
    #[arg(long, default_value_t = 1)]
    batch: usize,
    /// The record, to which measurements are added
    #[arg(long, short, value_name = "FILE", default_value = "tuning.toml")]
    output: PathBuf,
    /// The number of the GPU
    #[arg(long, default_value_t = 0)]
    gpu: usize,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    let function = functions.named(&options.name)?;
    if !function.chooses() {
        bail!(
            "{} has one schedule: remove the keys that fix it, and a launch chooses among several",
            function.path
        );
    }
    let tuning = match fs::read_to_string(&options.output) {
        Ok(text) => Tuning::load(&text).context(options.output.display().to_string())?,
        Err(_) => Tuning::new(),
    };
    let device = Device::gpu(options.gpu).context("tuning measures on a GPU")?;
    let device = device.with_tuning(tuning);
    function.of_kernels(|kernels| {
        options.shapes.iter().try_for_each(|shape @ Shape { m, n, k }| {
            eprintln!("measuring {} at {m}x{n}x{k} on {device}: up to a minute", function.path);
            let problem = Problem::new(&device, *shape, Alignment::LINES, 1);
            let problem = problem.of_batch(options.batch);
            let id = fastest(problem, &function.declaration.plan, kernels)?;
            print::text(&format!("{m}x{n}x{k}: {id}\n"))
        })
    })?;
    let record = device.tuning().map(Tuning::record).unwrap_or_default();
    fs::write(&options.output, record).with_context(|| options.output.display().to_string())?;
    print::text(&format!("{}\n", options.output.display()))?;
    Ok(true)
}

/// The id of the schedule that is the fastest, which the device's tuning then has recorded.
fn fastest(mut problem: Problem<'_>, plan: &Plan, kernels: &Kernels<'_>) -> Result<String> {
    let operands = dynamic::operands(&mut problem, plan)?;
    let mut outputs = dynamic::outputs(&mut problem, plan)?;
    let mut arguments =
        operands.iter().map(|operand| operand.argument()).collect::<Result<Vec<_>, _>>()?;
    for output in &mut outputs {
        arguments.push(output.argument()?);
    }
    let chosen = choose(problem.device(), kernels, &arguments);
    let is_chosen = |choice: &&Choice<'_>| {
        // Few are emitted only to be compared.
        choice.launch() == &chosen.launch && choice.kernel().entry == chosen.entry
    };
    let choice = kernels.choices().find(is_chosen).context("the chosen kernel is one of them")?;
    Ok(choice.id().to_owned())
}
