//! Finding `libnvrtc` and `libcuda` before anything calls into them.
//!
//! Neither is linked: a program built with this crate starts on a machine that has neither. cudarc
//! panics where a library is missing, so `libcuda` is found and opened here first; `libnvrtc` is
//! called through [`compile`](crate::compile) alone, so that the one that was found is the one
//! that is used.

mod folders;
mod search;

pub use search::Searched;
pub(crate) use search::{Found, Search};

use std::ffi::OsStr;
use std::sync::OnceLock;

use libloading::Library;

use crate::error::Error;

/// Names of the libraries as messages show them.
pub(crate) const NVRTC: &str = "libnvrtc";
const CUDA: &str = "libcuda";

/// Makes sure that cudarc finds `libcuda`.
pub(crate) fn ensure_cuda() -> Result<(), Error> {
    static FOUND: OnceLock<()> = OnceLock::new();
    if FOUND.get().is_none() {
        Search::for_cuda().open_cuda()?;
        // Two threads may both have come here; the library is then open twice, which is harmless.
        let _ = FOUND.set(());
    }
    Ok(())
}

/// Opens a library and keeps it for the life of the process.
///
/// A CUDA library has threads, thread-local storage and exit handlers of its own, so it must not
/// be unmapped while the process runs.
fn open_for_good(name: impl AsRef<OsStr>) -> Result<&'static Library, libloading::Error> {
    // SAFETY: opening runs the library's initialisers. The callers pass the names of NVIDIA's
    // libraries only, looked for in folders that the user, the loader or the toolkit names, and
    // their initialisers have no precondition.
    let library = unsafe { Library::new(name.as_ref()) };
    if let Err(error) = &library {
        tracing::debug!(library = ?name.as_ref(), %error, "cannot be opened");
    }
    library.map(|library| &*Box::leak(Box::new(library)))
}
