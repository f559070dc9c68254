//! Source lines for a profiler: the texts of kernels in the folder that `GEMM_LINEINFO_DIR` names.
//!
//! Nsight Compute shows the line of each machine instruction if the machine code says where it is
//! from and the file lies there. A variable, because a profiler starts a program that nobody edits
//! for it:
//!
//! ```sh
//! GEMM_LINEINFO_DIR=/tmp/kernels ncu --set full --import-source yes -o report ./program
//! ```
//!
//! The path is a part of the compilation, so other runs have cubins of their own in the cache.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io, path};

use gemm_codegen::Kernel;

/// The variable that names the folder.
const VARIABLE: &str = "GEMM_LINEINFO_DIR";

/// Writes the text of a kernel to a file of its own; `None` if that was not asked for, or failed.
pub(super) fn source_file(kernel: &Kernel) -> Option<String> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = env::var_os(VARIABLE).filter(|folder| !folder.is_empty())?;
        path::absolute(folder).ok()
    });
    // The entry point's name ends in a hash of the text.
    let file = folder.as_ref()?.join(format!("{}.cu", kernel.entry));
    match write(&file, &kernel.text) {
        Ok(()) => Some(file.to_string_lossy().into_owned()),
        Err(error) => {
            tracing::warn!(%error, "{VARIABLE}: cannot write {}", file.display());
            None
        }
    }
}

/// Writes a file, unless it is there already: another process may be reading it.
fn write(file: &Path, text: &str) -> io::Result<()> {
    if fs::read(file).is_ok_and(|written| written == text.as_bytes()) {
        return Ok(());
    }
    fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
    fs::write(file, text)
}
