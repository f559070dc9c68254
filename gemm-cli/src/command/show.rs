//! `cargo gemm show`

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use gemm_check::{parse_target, usual_target};
use gemm_codegen::{Kernel, Target, emit};
use gemm_runtime::compile::{Format, Program, cached};
use gemm_runtime::{Device, EmulatorOptions, Report, launch};

use super::Chosen;
use crate::functions::Functions;
use crate::print;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    chosen: Chosen,
    /// The architecture; by default sm_80, or the lowest that the kernel is legal on
    #[arg(long, value_parser = parse_target)]
    arch: Option<Target>,
    /// The folder of the files; by default `gemm` in cargo's target folder
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn run(functions: &Functions, options: &Options) -> Result<bool> {
    let Chosen { name, candidate } = &options.chosen;
    let function = functions.named(name)?;
    let candidate = function.candidate(candidate.as_deref())?;
    let kernel = emit(&candidate.plan);
    let target = options.arch.unwrap_or_else(|| usual_target(&kernel));
    eprintln!("compiling {} for {target}: seconds, then cached", function.path);
    let report = report(&kernel, target, &candidate.plan.table())?;

    let folder = options.output.clone().unwrap_or(functions.target_directory.join("gemm"));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let write = |extension: &str, content: &[u8]| -> Result<String> {
        let path = folder.join(format!("{}.{extension}", function.name()));
        fs::write(&path, content).with_context(|| path.display().to_string())?;
        Ok(format!("{}\n", path.display()))
    };
    let files = [
        write("cu", kernel.text.as_bytes())?,
        write("ptx", &ptx(&kernel, target)?)?,
        write("txt", report.as_bytes())?,
    ];
    print::text(&format!("{report}\n{}", files.concat()))?;
    Ok(true)
}

/// The PTX that NVRTC makes of the text for operands that are aligned to 16 bytes.
fn ptx(kernel: &Kernel, target: Target) -> Result<Vec<u8>> {
    let program = Program {
        name: &format!("{}.cu", kernel.name),
        text: &kernel.text,
        architecture: target.name(),
        options: Vec::new(),
        format: Format::Ptx,
    };
    Ok(cached(&program)?.image)
}

/// The resources of the compiled kernel, and its plan.
fn report(kernel: &Kernel, target: Target, plan: &str) -> Result<String> {
    let rows = resources(kernel, target)?.rows().into_iter();
    let rows = rows.map(|(what, value)| comfy_table::Row::from([what, &value]));
    Ok(print::table(["resource", "value"], rows) + "\n" + plan)
}

/// The resources of the compiled kernel.
pub(super) fn resources(kernel: &Kernel, target: Target) -> Result<Report> {
    // The emulator takes the resources from NVRTC's log.
    let device = Device::emulator_with(EmulatorOptions::default().target(target));
    Ok(launch::report(&device, kernel)?)
}
