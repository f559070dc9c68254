//! CUDA C++ text → machine code or PTX, by NVRTC.
//!
//! [`compile`] and [`cached`] are for tests and tools: they take any text and any architecture.
//! Launches go through the disk cache. [`Program::with_options`] takes the options of
//! `cudarc::nvrtc`; a [`Compilation`] converts to its `Ptx`, a [`CompileError`] to its error.

mod cached;
mod cudarc;
mod lines;
mod located;
mod log;
mod nvrtc;
pub(crate) mod required;
mod resources;

pub use crate::error::{CompileError, Excerpt};
pub use crate::version::Version;
pub use cached::cached;
pub use nvrtc::Format;
pub use resources::Resources;

pub(crate) use cached::compile_kernel;
pub(crate) use located::Located;

use std::ffi::CString;

use crate::compile::nvrtc::{Failure, Nvrtc};
use crate::error::Error;

/// A text to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program<'a> {
    /// The name of the text in messages, such as `linear_gelu.cu`.
    pub name: &'a str,
    /// CUDA C++ without `#include`.
    pub text: &'a str,
    /// The architecture, such as `sm_80`. For `compute_80` NVRTC does not check inline assembly and
    /// makes no machine code.
    pub architecture: &'a str,
    /// More options of NVRTC, such as `-lineinfo`.
    pub options: Vec<String>,
    /// Machine code or PTX.
    pub format: Format,
}

/// A compiled text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compilation {
    /// Machine code, or PTX as text.
    pub image: Vec<u8>,
    /// NVRTC's log: warnings, and the `ptxas` report for each entry point.
    pub log: String,
    /// The compiler that made it.
    pub nvrtc: Version,
}

impl Compilation {
    /// The PTX, if the format is [`Format::Ptx`].
    pub fn ptx(&self) -> Option<&str> {
        std::str::from_utf8(&self.image).ok().filter(|text| text.contains(".version"))
    }

    /// The resources of an entry point, as `ptxas` reports them.
    pub fn resources(&self, entry: &str) -> Option<Resources> {
        Resources::of(&self.log, entry)
    }
}

/// Compiles a text, without the disk cache.
///
/// # Errors
/// [`Error::LibraryNotFound`] without NVRTC, [`Error::Compile`] if NVRTC refuses the text or an
/// option.
pub fn compile(program: &Program<'_>) -> Result<Compilation, Error> {
    let nvrtc = Nvrtc::get()?;
    let output = attempt(nvrtc, program, program.architecture, program.format)
        .map_err(|failure| Box::new(explain(nvrtc, program, failure)))?;
    Ok(Compilation { image: output.image, log: output.log, nvrtc: nvrtc.version })
}

/// The version of the NVRTC that compiles.
///
/// # Errors
/// [`Error::LibraryNotFound`] without NVRTC.
pub fn nvrtc_version() -> Result<Version, Error> {
    Nvrtc::get().map(|nvrtc| nvrtc.version)
}

/// All options that a program is compiled with.
fn options_of(program: &Program<'_>, architecture: &str) -> Vec<String> {
    let mut options = vec![
        "--std=c++17".to_owned(),
        "-default-device".to_owned(),
        format!("--gpu-architecture={architecture}"),
        "--ptxas-options=-v".to_owned(),
        // A product of a body is rounded before it is added, as in Rust; what is fused says `fma`.
        "--fmad=false".to_owned(),
    ];
    options.extend(program.options.iter().cloned());
    options
}

fn attempt(
    nvrtc: &Nvrtc,
    program: &Program<'_>,
    architecture: &str,
    format: Format,
) -> Result<nvrtc::Output, Failure> {
    let options: Vec<CString> =
        options_of(program, architecture).into_iter().map(c_string).collect::<Result<_, _>>()?;
    nvrtc.compile(&c_string(program.name)?, &c_string(program.text)?, &options, format)
}

fn c_string(text: impl Into<Vec<u8>>) -> Result<CString, Failure> {
    CString::new(text).map_err(|error| Failure {
        name: "NVRTC_ERROR_INVALID_INPUT".to_owned(),
        log: format!("a NUL byte at {}", error.nul_position()),
    })
}

/// Adds the source lines that a failure is about.
fn explain(nvrtc: &Nvrtc, program: &Program<'_>, failure: Failure) -> CompileError {
    let mut lines = log::error_lines(&failure.log, program.name);
    if lines.is_empty() {
        lines = assembler_lines(nvrtc, program);
    }
    CompileError {
        name: program.name.to_owned(),
        architecture: program.architecture.to_owned(),
        status: failure.name,
        nvrtc: nvrtc.version,
        options: options_of(program, program.architecture),
        log: failure.log,
        excerpts: lines.into_iter().filter_map(|line| Excerpt::of(program.text, line)).collect(),
    }
}

/// The source lines that the assembler refused.
///
/// It reports lines of the PTX, which NVRTC does not return after a failure. Compiled for the
/// virtual architecture, the same text has the same PTX, and is not assembled.
fn assembler_lines(nvrtc: &Nvrtc, program: &Program<'_>) -> Vec<usize> {
    let mut program = program.clone();
    program.options.push("-lineinfo".to_owned());
    let Err(failure) = attempt(nvrtc, &program, program.architecture, Format::Ptx) else {
        return Vec::new();
    };
    let virtual_architecture = program.architecture.replace("sm_", "compute_");
    let Ok(output) = attempt(nvrtc, &program, &virtual_architecture, Format::Ptx) else {
        return Vec::new();
    };
    let ptx = String::from_utf8_lossy(&output.image);
    let mut lines: Vec<usize> = log::ptx_error_lines(&failure.log)
        .into_iter()
        .filter_map(|line| log::source_line(&ptx, line))
        .collect();
    lines.dedup();
    lines
}
