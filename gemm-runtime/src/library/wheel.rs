//! How to get NVRTC, for the messages of errors: the wheels of pip.

use crate::library::folders::{self, NVRTC_VARIABLE};

/// The one version that everything is tested with.
const WHEEL: &str = "nvidia-cuda-nvrtc==13.1.80";

/// The newest version of CUDA 12, whose machine code every supported driver loads.
const NEWER_WHEEL: &str = "nvidia-cuda-nvrtc-cu12==12.9.86";

const INSTALL: &str = "python3 -m pip install --no-deps --target";

/// How to get an NVRTC.
pub(super) fn nvrtc_help() -> String {
    match folders::user_folder() {
        Some(folder) => format!(
            "get it with `{INSTALL} {folder} {WHEEL}` (it needs no GPU), or name the folder of \
             another one in {NVRTC_VARIABLE}",
            folder = folder.display(),
        ),
        None => format!(
            "get it with `{INSTALL} DIR {WHEEL}` (it needs no GPU) and set {NVRTC_VARIABLE}=DIR"
        ),
    }
}

/// How to get an NVRTC that is newer than the one that was found, and comes before it in the search.
pub(crate) fn newer_nvrtc_help() -> String {
    format!("get a newer one with `{INSTALL} DIR {NEWER_WHEEL}` and set {NVRTC_VARIABLE}=DIR")
}
