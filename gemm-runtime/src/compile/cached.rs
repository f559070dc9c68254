//! The compilation of a kernel for a launch, through the disk cache.

use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use gemm_codegen::{Kernel, MAX_ALIGN};

use crate::cache::{Cache, Key};
use crate::compile::nvrtc::Nvrtc;
use crate::compile::{
    self, Compilation, Format, Program, Version, compile, element, lines, options_of,
};
use crate::error::Error;
use crate::library::{Found, Search};

/// The alignments of a launch that are less than a kernel's text assumes.
///
/// Each variant of a kernel is compiled when it is first needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Variant(Vec<(String, u32)>);

impl Variant {
    /// Overrides an alignment with `bytes`, by the macro `name`.
    pub(crate) fn push(&mut self, name: &str, bytes: u32) {
        if bytes < MAX_ALIGN {
            self.0.push((name.to_owned(), bytes));
        }
    }

    fn options(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, bytes)| format!("-D{name}={bytes}"))
    }
}

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
    let mut options: Vec<String> = variant.options().collect();
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
    let program = Program { name: &name, text: &kernel.text, architecture, options, format };
    element::check(&kernel.parameters, nvrtc_version(Cache::global())?)
        .map_err(|error| error.of_function(&kernel.name))?;
    cached(&program)
}

/// Compiles a program like [`compile()`](super::compile()), or takes it from the disk cache.
///
/// # Errors
/// As [`compile()`](super::compile()).
pub fn cached(program: &Program<'_>) -> Result<Compilation, Error> {
    let make = || compile_for_known(program);
    let Some(cache) = Cache::global() else { return make() };
    let nvrtc = nvrtc_version(Some(cache))?;
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

/// The version of the NVRTC that would compile.
///
/// Opening NVRTC takes longer than everything else that a cached kernel needs, so the cache keeps
/// the version of each file.
fn nvrtc_version(cache: Option<&Cache>) -> Result<Version, Error> {
    let Some(cache) = cache else { return compile::nvrtc_version() };
    static KNOWN: OnceLock<Version> = OnceLock::new();
    if let Some(version) = KNOWN.get() {
        return Ok(*version);
    }
    let version = match Search::for_nvrtc().find_nvrtc()? {
        Found::Open(..) => Nvrtc::get()?.version,
        Found::File { library, .. } => match key_of_file(&library) {
            None => Nvrtc::get()?.version,
            Some(key) => version_of_file(cache, &key)?,
        },
    };
    Ok(*KNOWN.get_or_init(|| version))
}

fn version_of_file(cache: &Cache, key: &Key) -> Result<Version, Error> {
    let kept = cache.get(key).and_then(|bytes| {
        let bytes: [u8; 8] = bytes.try_into().ok()?;
        let (major, minor) = (u64::from_le_bytes(bytes) >> 32, u64::from_le_bytes(bytes));
        Some(Version { major: major as u32, minor: minor as u32 })
    });
    if let Some(version) = kept {
        return Ok(version);
    }
    let version = Nvrtc::get()?.version;
    let packed = (u64::from(version.major) << 32) | u64::from(version.minor);
    cache.put(key, &packed.to_le_bytes());
    Ok(version)
}

/// Identifies a file of NVRTC without reading its 100 MB.
fn key_of_file(library: &Path) -> Option<Key> {
    let path = library.canonicalize().ok()?;
    let metadata = path.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut key = Key::builder();
    key.add("version of NVRTC");
    key.add(path.as_os_str().as_encoded_bytes());
    key.add(metadata.len().to_le_bytes());
    key.add(modified.as_nanos().to_le_bytes());
    Some(key.finish())
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
