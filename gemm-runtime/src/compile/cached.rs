//! The compilation of a kernel for a launch, through the disk cache.

use gemm_codegen::{Kernel, Variant};

use crate::cache::{Cache, Key};
use crate::compile::nvrtc::Nvrtc;
use crate::compile::{
    Compilation, Format, Located, Program, Version, compile, lines, options_of, required,
};
use crate::error::Error;

/// Compiles a kernel for `architecture`, or takes it from the disk cache.
///
/// PTX is made for the virtual architecture, so that nothing is assembled, which takes longer than
/// everything else. It has line information, so that the emulator can name lines of the text. Machine
/// code has it where the text lies on disk for a profiler to show: see [`lines`].
pub(crate) fn compile_kernel(
    kernel: &Kernel,
    variant: &Variant,
    architecture: &str,
    format: Format,
) -> Result<Compilation, Error> {
    let mut options = Vec::new();
    let mut architecture = architecture.to_owned();
    if format == Format::Ptx {
        options.push("-lineinfo".to_owned());
        architecture = architecture.replace("sm_", "compute_");
    }
    let mut name = format!("{}.cu", kernel.name);
    if let (Format::Cubin, Some(path)) = (format, lines::source_file(kernel)) {
        options.push("-lineinfo".to_owned());
        name = path;
    }
    let architecture = &*architecture;
    let text = &*variant.text(&kernel.text);
    let program = Program { name: &name, text, architecture, options, format };
    required::check(&kernel.name, &kernel.launch, Located::get()?)?;
    cached(&program)
}

/// Compiles a program like [`compile()`](super::compile()), or takes it from the disk cache.
///
/// # Errors
/// As [`compile()`](super::compile()).
pub fn cached(program: &Program<'_>) -> Result<Compilation, Error> {
    let make = || compile_for_known(program);
    let Some(cache) = Cache::global() else { return make() };
    let nvrtc = Located::get()?.version;
    let payload = cache.get_or_make(&key_of(program, nvrtc), || make().map(|made| pack(&made)))?;
    unpack(&payload, nvrtc).map_or_else(make, Ok)
}

/// A compilation as the payload of a cache entry: the log's length, the log, the image.
fn pack(compilation: &Compilation) -> Vec<u8> {
    let log = compilation.log.as_bytes();
    [&(log.len() as u64).to_le_bytes(), log, compilation.image.as_slice()].concat()
}

/// The compilation in a payload; `None` if it has another format.
fn unpack(payload: &[u8], nvrtc: Version) -> Option<Compilation> {
    let (length, rest) = payload.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (log, image) = rest.split_at_checked(length)?;
    let log = String::from_utf8(log.to_vec()).ok()?;
    Some(Compilation { image: image.to_vec(), log, nvrtc })
}

/// Everything that the result of a compilation depends on.
fn key_of(program: &Program<'_>, nvrtc: Version) -> Key {
    let mut key = Key::builder();
    key.add(env!("CARGO_PKG_VERSION"));
    key.add(nvrtc.to_string());
    key.add(match program.format {
        Format::Cubin => "cubin",
        Format::Ptx => "ptx",
    });
    key.add(program.name);
    for option in options_of(program, program.architecture) {
        key.add(option);
    }
    key.add(program.text);
    key.finish()
}

/// Compiles for the newest architecture that NVRTC supports and the device can run: machine code
/// runs on any later minor revision of its major one.
fn compile_for_known(program: &Program<'_>) -> Result<Compilation, Error> {
    let nvrtc = Nvrtc::get()?;
    tracing::info!("compiling {} for {}: about a second", program.name, program.architecture);
    let (kind, number) = program.architecture.split_once('_').unwrap_or_default();
    // NVRTC itself checks an architecture with a suffix, such as `sm_90a`.
    let Ok(asked) = number.parse::<u32>() else { return compile(program) };
    let known = nvrtc
        .architectures
        .iter()
        .rev()
        .find(|known| **known <= asked && **known / 10 == asked / 10);
    match known {
        Some(known) if *known == asked => compile(program),
        Some(known) => {
            let architecture = format!("{kind}_{known}");
            compile(&Program { architecture: &architecture, ..program.clone() })
        }
        None => Err(Error::ArchitectureUnknown {
            architecture: program.architecture.to_owned(),
            nvrtc: nvrtc.version,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_holds_a_compilation() {
        let nvrtc = Version { major: 13, minor: 1 };
        let compilation = Compilation { image: b"code".to_vec(), log: "a log".to_owned(), nvrtc };
        let payload = pack(&compilation);
        assert_eq!(unpack(&payload, nvrtc), Some(compilation));
        assert_eq!(unpack(&payload[..10], nvrtc), None);
    }
}
