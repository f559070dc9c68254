//! `libcuda`, which cudarc calls.
//!
//! cudarc opens it by name at its first call, and panics if it is missing or lacks the function
//! that is called. So it is opened here first, under the names that cudarc uses and in their
//! order, and searched for all [functions](functions) that are called.

mod functions;

use std::sync::OnceLock;

use libloading::Library;

use crate::error::{Error, Searched};
use crate::library::cuda::functions::REQUIRED;
use crate::library::platform::Platform;
use crate::library::{CUDA, Search, folders, open_for_good, reason};

#[cfg(feature = "emulator")]
const HELP: &str = "libcuda comes with the NVIDIA driver, 525 or newer; without a GPU use \
                    `Device::emulator()`";
#[cfg(not(feature = "emulator"))]
const HELP: &str = "libcuda comes with the NVIDIA driver, 525 or newer; without a GPU use \
                    `Device::emulator()`, which the feature `emulator` of gemm-runtime has";

/// Makes sure that cudarc finds `libcuda`, and in it the functions that are called.
pub(crate) fn ensure_cuda() -> Result<(), Error> {
    opened().map(drop)
}

/// Makes sure that cudarc can time launches, for which drivers older than CUDA 12.8 may lack a function.
pub(crate) fn ensure_event_timing() -> Result<(), Error> {
    check(opened()?, CUDA, &[functions::elapsed_time()])
}

fn opened() -> Result<&'static Library, Error> {
    static OPENED: OnceLock<&Library> = OnceLock::new();
    if let Some(library) = OPENED.get() {
        return Ok(library);
    }
    // Two threads may both get here; opening a library twice is harmless.
    let library = Search::for_cuda().open_cuda()?;
    Ok(OPENED.get_or_init(|| library))
}

impl Search {
    /// The search for `libcuda` on this machine.
    fn for_cuda() -> Search {
        Search {
            variable: None,
            sonames: Platform::HERE.cuda.to_vec(),
            folders: folders::cuda_folders(),
        }
    }

    /// Opens `libcuda`, so that cudarc finds it by its name.
    fn open_cuda(&self) -> Result<&'static Library, Error> {
        let mut searched = match self.open_by_name() {
            Ok((name, library)) => return check(library, name, &REQUIRED).map(|()| library),
            Err(searched) => searched,
        };
        let [_, soname] = Platform::HERE.cuda;
        for folder in &self.folders {
            let file = folder.join(soname);
            // Once the file is open, its name leads to it.
            let opened =
                file.is_file().then(|| open_for_good(&file).and_then(|_| open_for_good(soname)));
            let reason = match opened {
                Some(Ok(library)) => {
                    let name = file.display().to_string();
                    return check(library, &name, &REQUIRED).map(|()| library);
                }
                Some(Err(error)) => Some(reason(&error)),
                None => None,
            };
            searched.push(Searched::Folder { folder: folder.clone(), reason });
        }
        Err(Error::LibraryNotFound { name: CUDA, searched, help: HELP.to_owned() })
    }
}

/// Makes sure that a library has these functions.
fn check(library: &Library, name: &str, functions: &[&'static str]) -> Result<(), Error> {
    let missing = functions.iter().find(|function| {
        // SAFETY: the symbol is looked up and dropped; nothing is called or read through it.
        unsafe { library.get::<*const ()>(function.as_bytes()) }.is_err()
    });
    missing.map_or(Ok(()), |function| {
        Err(Error::FunctionNotFound { library: name.to_owned(), function })
    })
}

#[cfg(test)]
mod tests;
