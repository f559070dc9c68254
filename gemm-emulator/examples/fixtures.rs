//! Writes `tests/fixtures/nvrtc-VERSION`: the PTX of generated kernels as the NVRTC in a folder writes it.
//!
//! ```text
//! GEMM_NVRTC_DIR=FOLDER cargo run -p gemm-emulator --example fixtures
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use fixtures::{KERNELS, VERSIONS, folder};

#[path = "../tests/emulator/fixtures.rs"]
#[allow(dead_code)] // what only the tests need
mod fixtures;
#[path = "../tests/emulator/nvrtc.rs"]
#[allow(dead_code)]
mod nvrtc;

fn main() -> Result<(), Box<dyn Error>> {
    let version = version();
    let target = usize::from(version != VERSIONS[0]);
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/goldens");
    let folder = folder(&version);
    fs::create_dir_all(&folder)?;
    for kernel in &KERNELS {
        let text = fs::read_to_string(goldens.join(format!("{}.cu", kernel.golden)))?;
        let ptx = nvrtc::plain_ptx(&text, kernel.targets[target], kernel.defines);
        let path = folder.join(kernel.file);
        fs::write(&path, ptx)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The version of NVRTC, such as `13.1`.
fn version() -> String {
    nvrtc::load();
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are valid for writes.
    let status = unsafe { cudarc::nvrtc::sys::nvrtcVersion(&mut major, &mut minor) };
    assert_eq!(status, cudarc::nvrtc::sys::nvrtcResult::NVRTC_SUCCESS);
    format!("{major}.{minor}")
}
