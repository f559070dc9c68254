//! `libcuda`, which cudarc calls.
//!
//! cudarc opens it by name at its first call, and panics if it is missing or lacks the function
//! that is called. So it is opened here first, under the names that cudarc uses and in their
//! order, and searched for the functions that a launch calls.

use std::sync::OnceLock;

use libloading::Library;

use crate::error::{Error, Searched};
use crate::library::platform::Platform;
use crate::library::{CUDA, Search, folders, open_for_good, reason};

/// Functions that a launch calls; the last came with CUDA 12.0.
const REQUIRED: [&str; 3] = ["cuInit", "cuLaunchKernelEx", "cuTensorMapEncodeTiled"];

const HELP: &str = "libcuda comes with the NVIDIA driver, 525 or newer; without a GPU use \
                    `Device::emulator()`";

/// Makes sure that cudarc finds `libcuda`, and in it the functions that a launch calls.
pub(crate) fn ensure_cuda() -> Result<(), Error> {
    opened().map(drop)
}

/// Makes sure that cudarc can time launches: its bindings of CUDA 13 call a function for that
/// which drivers older than CUDA 12.8 lack.
pub(crate) fn ensure_event_timing() -> Result<(), Error> {
    let library = opened()?;
    if cudarc::driver::sys::CUDA_VERSION < 13000 {
        return Ok(());
    }
    check(library, CUDA, &["cuEventElapsedTime_v2"])
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
mod tests {
    use super::*;

    fn search(sonames: Vec<&'static str>) -> Search {
        Search { variable: None, sonames, folders: Vec::new() }
    }

    #[test]
    fn a_missing_libcuda_is_an_error_that_says_where_it_comes_from() {
        let error = search(vec!["libcuda.so.0"]).open_cuda().expect_err("there is none");
        assert!(matches!(error, Error::LibraryNotFound { name: "libcuda", .. }));
        let text = error.to_string();
        for part in ["NVIDIA driver", "libcuda.so.0 with the system's loader: ", "No such file"] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
    }

    #[test]
    fn a_library_without_the_driver_s_functions_is_an_error_that_names_one() {
        // Any library of the system that is not the driver.
        let error = search(vec!["libc.so.6"]).open_cuda().expect_err("it is not libcuda");
        assert!(matches!(&error, Error::FunctionNotFound { library, function: "cuInit" }
            if library == "libc.so.6"));
        assert!(error.to_string().contains("libc.so.6 has no function `cuInit`"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_a_library_is_listed_with_the_loader_s_reason() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join(Platform::HERE.cuda[1]), "not a library")
            .expect("a file in it");
        let search = Search { folders: vec![folder.path().into()], ..search(Vec::new()) };
        let text = search.open_cuda().expect_err("it cannot be opened").to_string();
        let line = format!("in {}: ", folder.path().display());
        assert!(text.contains(&line), "{text}");
        assert!(text.contains("invalid ELF header") || text.contains("file too short"), "{text}");
    }
}
