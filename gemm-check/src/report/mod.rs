//! [`check`]: runs a kernel on the emulator, and reports what was found and counted.

mod counts;
mod text;

use std::cell::Cell;
use std::sync::Arc;

use gemm_codegen::auto::Machine;
use gemm_codegen::hardware::H200;
use gemm_codegen::{Plan, emit};
use gemm_runtime::compile::nvrtc_version;
use gemm_runtime::emulator::{Profile, Trace, TraceOptions};
use gemm_runtime::{Device, Error, Kernel, LaunchProfile, Shape, Target};
use serde::Serialize;

pub use gemm_pictures::report::access;

pub use counts::{Conflict, Counts, Executed, Function, Global, Line, Shared};
pub use text::{overview, page};

use crate::bar::with_bar;
use crate::constant::Constant;
use crate::data::Alignment;
use crate::dynamic;
use crate::exactness::Exactness;
use crate::judge::Verdict;
use crate::machine::{SLOW, deep_enough, slow, usual_target, whole_tiles};
use crate::{Failure, Problem};

/// What to run a kernel on.
#[derive(Clone, Debug)]
pub struct Options {
    /// M, N, K; by default two tiles along M and N and four along K, so that nothing is cut off.
    pub shape: Option<Shape>,
    /// How well the operands are aligned.
    pub alignment: Alignment,
    /// Seed of the data, and of where it lies.
    pub seed: u64,
    /// The architecture whose PTX is run; by default sm_80, or where the kernel is not legal on that
    /// its lowest.
    pub target: Option<Target>,
    /// The scalars that are not random.
    pub constants: Vec<Constant>,
}

/// A kernel, what it was run on, what was found and what was counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Its name.
    pub kernel: String,
    /// M, N, K.
    pub shape: [usize; 3],
    /// How well the operands are aligned.
    pub alignment: String,
    /// Seed of the data.
    pub seed: u64,
    /// The scalars that are not random.
    pub constants: Vec<Constant>,
    /// The architecture whose PTX was run.
    pub target: String,
    /// The compiler.
    pub nvrtc: String,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// How long the emulator took, in seconds; 0 if the launch did not come to its end.
    pub seconds: f64,
    /// What was found.
    pub finding: Finding,
    /// How exact the sums are, of [`check_plan`] alone: where the output is right, tensor cores multiply f32
    /// factors, and an output in f32 is just the sum.
    pub exactness: Option<Exactness>,
    /// What was counted, if the launch came to its end.
    pub counts: Option<Counts>,
    /// The same for each instruction.
    #[serde(skip)]
    pub profile: Option<Profile>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// No fault, and the output is right.
    Right {
        /// `‖y − r‖ / ‖r‖` of the output `y` and what it should be.
        relative_error: f64,
        /// What that may be.
        limit: f64,
        /// How many elements are NaN or infinite, as they should be; the error is that of the others.
        not_finite: usize,
        /// What every element of an output is, as it should be, where that is one value: then a kernel that
        /// stores only that would be right, too.
        constant: Option<String>,
    },
    /// No fault, but the output is wrong.
    Wrong(String),
    /// The emulator stopped the kernel.
    Fault(String),
}

impl Report {
    /// Whether the kernel is right. Conflicts of banks only make it slower.
    pub fn is_right(&self) -> bool {
        matches!(self.finding, Finding::Right { .. })
    }
}

/// A kernel that is checked.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Name of the function.
    pub name: &'a str,
    /// What is launched.
    pub kernel: &'a Kernel,
    /// Launches it on a problem and judges the output.
    pub run: &'a dyn Fn(&mut Problem<'_>) -> Result<Verdict, Failure>,
}

/// Runs a kernel with every check, and counts.
///
/// # Errors
/// What keeps it from being run: a missing libnvrtc, a target it is not legal on. What is wrong
/// with the kernel is part of the report.
pub fn check(subject: &Subject<'_>, options: &Options) -> Result<Report, Error> {
    let kernel = subject.kernel;
    let target = options.target.unwrap_or_else(|| usual_target(kernel));
    let device = with_bar(Device::emulator_with(slow().profile(true).target(target)));
    let shape = options.shape.unwrap_or_else(|| whole_tiles(kernel));
    let mut problem = Problem::new(&device, shape, options.alignment, options.seed)
        .with_constants(&options.constants);
    let finding = finding((subject.run)(&mut problem))?;
    // That of the operands: K is a multiple of what has one scale.
    let shape = problem.shape();
    let profile = device.last_profile();
    let instructions = profile.as_deref().and_then(|launch| launch.statistics.profile.as_ref());
    let extents = [shape.m, shape.n].map(|extent| extent as u64);
    // The plan speaks of copies as wide as its atom.
    let facts = kernel.facts.as_ref().filter(|_| options.alignment.is_at_least(16));
    let plan = facts.map(|facts| facts.bank_passes);
    Ok(Report {
        kernel: subject.name.to_owned(),
        shape: [shape.m, shape.n, shape.k],
        alignment: options.alignment.to_string(),
        seed: options.seed,
        constants: options.constants.clone(),
        target: target.to_string(),
        nvrtc: nvrtc_version()?.to_string(),
        blocks: profile.as_deref().map_or_else(
            || kernel.launch.blocks(extents, 1, &kernel.shares(shape, 1, &SLOW)),
            |launch| launch.blocks.into(),
        ),
        threads: kernel.launch.threads,
        shared_bytes: kernel.launch.shared_bytes,
        seconds: profile.as_deref().map_or(0.0, seconds),
        finding,
        exactness: None,
        counts: instructions.map(|profile| Counts::new(kernel, profile, plan)),
        profile: instructions.cloned(),
    })
}

/// The same for the kernel of a plan, judged by the values of its body on the host.
///
/// # Errors
/// As [`check`].
pub fn check_plan(name: &str, plan: &Plan, options: &Options) -> Result<Report, Error> {
    let kernel = &emit(plan);
    let exactness = Cell::new(None);
    let run = |problem: &mut Problem<'_>| {
        let (verdict, of_sums) = dynamic::run_with_exactness(problem, plan, kernel)?;
        exactness.set(of_sums);
        Ok(verdict)
    };
    let report = check(&Subject { name, kernel, run: &run }, options)?;
    Ok(Report { exactness: exactness.get(), ..report })
}

/// Tiles of a block that walks, in a launch that is traced: of two warpgroups that take turns, one each.
const WALKED: usize = 2;

/// The pipeline and the accesses of the first block of the kernel of a plan, in a launch whose tiles are together
/// `k_tiles` deep, or as deep as the kernel needs. It has one tile, or two one after the other if blocks walk.
/// Nothing is judged; `None` if no block runs.
///
/// # Errors
/// What keeps it from being run, or a fault.
pub fn trace_plan(
    plan: &Plan,
    k_tiles: usize,
    target: Option<Target>,
) -> Result<Option<Arc<Trace>>, Error> {
    let kernel = &emit(plan);
    let launch = &kernel.launch;
    let target = target.unwrap_or_else(|| usual_target(kernel));
    let cluster = launch.cluster.map(|blocks| blocks as usize);
    // A machine that runs one block, or one cluster, at a time.
    let machine = Machine { target, processors: launch.cluster.iter().product(), ..H200 };
    let options = slow()
        .trace(TraceOptions { accesses: true, ..TraceOptions::default() })
        .races(false)
        .target(target)
        .machine(machine);
    let device = Device::emulator_with(options);
    let [m, n, k] = launch.block_tile.map(|extent| extent as usize);
    let tiles = if launch.walks { WALKED } else { 1 };
    let k = deep_enough(k_tiles.div_ceil(tiles) * k, launch.split_k, k);
    let shape = Shape { m: tiles * m * cluster[0], n: n * cluster[1], k };
    let mut problem = Problem::new(&device, shape, Alignment::LINES, 1);
    dynamic::launch_once(&mut problem, plan, kernel)?;
    Ok(device.last_trace())
}

fn seconds(launch: &LaunchProfile) -> f64 {
    launch.elapsed.as_secs_f64()
}

fn finding(result: Result<Verdict, Failure>) -> Result<Finding, Error> {
    match result {
        Ok(Verdict { relative_error, limit, not_finite, constant }) => {
            let constant = constant.map(|value| value.to_string());
            Ok(Finding::Right { relative_error, limit, not_finite, constant })
        }
        Err(Failure::Runtime(error @ Error::Fault { .. })) => Ok(Finding::Fault(error.to_string())),
        Err(Failure::Runtime(error)) => Err(error),
        Err(failure) => Ok(Finding::Wrong(failure.to_string())),
    }
}

/// `MxNxK`.
///
/// # Errors
/// What is expected, if it is something else.
pub fn parse_shape(text: &str) -> Result<Shape, String> {
    let extents: Vec<usize> = text.split('x').filter_map(|extent| extent.parse().ok()).collect();
    match *extents {
        [m, n, k] if text.split('x').count() == 3 => Ok(Shape { m, n, k }),
        _ => Err("expected MxNxK, such as 256x128x64".to_owned()),
    }
}

/// `sm_80` and so on.
///
/// # Errors
/// What is expected, if it is something else.
pub fn parse_target(text: &str) -> Result<Target, String> {
    let known = Target::ALL.map(Target::name);
    let found = Target::ALL.into_iter().find(|target| target.name() == text);
    found.ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_than_shapes_and_targets_are_refused() {
        assert_eq!(parse_shape("256x1x0"), Ok(Shape { m: 256, n: 1, k: 0 }));
        for text in ["", "1x2", "1x2x3x4", "1x2x-3", "1x2x3x", "axbxc"] {
            assert!(parse_shape(text).is_err(), "{text}");
        }
        assert_eq!(parse_target("sm_90"), Ok(Target::Sm90));
        assert!(parse_target("sm_91").is_err());
    }
}
