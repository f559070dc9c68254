//! The NVRTC that goldens are compared with.

use gemm_runtime::compile::{Version, nvrtc_version};

/// The version that `cargo xtask nvrtc` fetches; another one may order instructions otherwise and
/// use other registers.
const PINNED: Version = Version { major: 13, minor: 1 };

/// Fails with what to do if the NVRTC in use is not the pinned one.
///
/// # Errors
/// It is another one, or none.
pub fn require_pinned_nvrtc() -> Result<Version, String> {
    match nvrtc_version() {
        Ok(PINNED) => Ok(PINNED),
        Ok(version) => Err(format!(
            "registers and places are compared with those of NVRTC {PINNED}, this is {version}: \
             run `cargo xtask test`, or set GEMM_NVRTC_DIR to what `cargo xtask nvrtc` prints"
        )),
        Err(error) => Err(error.to_string()),
    }
}
