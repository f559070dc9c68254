//! Finding `libnvrtc` and `libcuda` before anything calls them.
//!
//! Neither is linked: a program built with this crate starts on a machine that has neither. A
//! library that is missing is a typed error, found before cudarc is called, which would panic.

mod cuda;
mod folders;
mod platform;
mod search;
mod wheel;

pub(crate) use cuda::{ensure_cuda, ensure_event_timing};
pub(crate) use search::{Found, Search};
pub(crate) use wheel::newer_nvrtc_help;

use std::error::Error as _;
use std::ffi::OsStr;

use libloading::Library;

/// Names of the libraries in messages.
const NVRTC: &str = "libnvrtc";
const CUDA: &str = "libcuda";

/// Opens a library and keeps it for the life of the process.
///
/// A CUDA library has threads, thread-local storage and exit handlers of its own, so it must not
/// be unmapped while the process runs.
pub(crate) fn open_for_good(
    name: impl AsRef<OsStr>,
) -> Result<&'static Library, libloading::Error> {
    // SAFETY: opening runs the library's initialisers. The callers pass the names of NVIDIA's
    // libraries only, looked for in folders that the user, the loader or the toolkit names, and
    // their initialisers have no precondition.
    let library = unsafe { Library::new(name.as_ref()) };
    library.map(|library| &*Box::leak(Box::new(library)))
}

/// The loader's reason; the `Display` of `error` is a bare "dlopen failed".
fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| source.to_string())
}
