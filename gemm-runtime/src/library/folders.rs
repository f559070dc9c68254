//! The usual folders of the CUDA libraries.

use std::env;
use std::path::{Path, PathBuf};

use crate::cache;
use crate::library::platform::Platform;

/// The variable that names the folder of `libnvrtc`, or the folder that pip unpacked it into.
pub(crate) const NVRTC_VARIABLE: &str = "GEMM_NVRTC_DIR";

/// Folders that can hold `libnvrtc`, best first; searched after the variable and the loader's own
/// search.
pub(super) fn nvrtc_folders() -> Vec<PathBuf> {
    let mut folders = toolkit_folders();
    for root in python_roots().into_iter().chain(project_roots()).chain(user_folder()) {
        folders.extend(wheel_folders(&root));
    }
    folders
}

/// Folders that can hold `libcuda`, which comes with the driver; searched after the loader's own
/// search.
pub(super) fn cuda_folders() -> Vec<PathBuf> {
    let Platform { driver, system, .. } = Platform::HERE;
    driver.iter().chain(system).map(PathBuf::from).collect()
}

/// The folders in which a wheel of NVRTC keeps its libraries, relative to the target folder of pip:
/// CUDA 13's layout, CUDA 12's, and the folder itself.
pub(super) fn wheel_folders(root: &Path) -> [PathBuf; 3] {
    let [cuda_13, cuda_12] = Platform::HERE.wheel;
    [root.join(cuda_13), root.join(cuda_12), root.to_owned()]
}

/// The suggested target folder of pip: NVRTC is found there without a variable.
pub(super) fn user_folder() -> Option<PathBuf> {
    Some(cache::user_folder()?.join("nvrtc"))
}

fn toolkit_folders() -> Vec<PathBuf> {
    let Platform { toolkit, toolkit_roots, system, .. } = Platform::HERE;
    let homes = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"]
        .into_iter()
        .filter_map(|variable| env::var_os(variable).filter(|value| !value.is_empty()))
        .map(PathBuf::from)
        .chain(toolkit_roots.iter().map(PathBuf::from));
    homes
        .flat_map(|home| toolkit.iter().map(move |folder| home.join(folder)))
        .chain(system.iter().map(PathBuf::from))
        .collect()
}

/// The `site-packages` of the active Python environment, and conda's library folder.
fn python_roots() -> Vec<PathBuf> {
    let mut roots = Vec::new();
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        let Some(prefix) = env::var_os(variable).filter(|value| !value.is_empty()) else {
            continue;
        };
        let lib = Path::new(&prefix).join(Platform::HERE.python);
        let mut pythons: Vec<PathBuf> = lib
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"))
            .map(|entry| entry.path())
            .collect();
        pythons.sort();
        // On Windows the packages are in `Lib` itself, which has no folder for each Python.
        let packages = pythons.iter().chain([&lib]).map(|folder| folder.join("site-packages"));
        roots.extend(packages.filter(|folder| folder.is_dir()));
        roots.push(lib);
    }
    roots
}

/// `target/nvrtc` of the project that the running program was built in.
///
/// The working directory is not searched: a program must not load code from where it is started.
fn project_roots() -> Vec<PathBuf> {
    let executable = env::current_exe().ok();
    let built = executable
        .iter()
        .flat_map(|path| path.ancestors())
        .filter(|folder| folder.file_name().is_some_and(|name| name == "target"))
        .map(|target| target.join("nvrtc"));
    // Set by `cargo run` and `cargo test` for the program that they start.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let workspace = manifest
        .iter()
        .flat_map(|path| path.ancestors())
        .map(|folder| folder.join("target/nvrtc"))
        .filter(|folder| folder.is_dir());
    built.chain(workspace).collect()
}
