//! Compiling test kernels with NVRTC.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, OnceLock};

use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use gemm_emulator::Module;
use libloading::Library;

/// The targets that every test kernel is compiled for.
pub(crate) const TARGETS: [&str; 2] = ["sm_80", "sm_90"];

/// Loads libnvrtc from `GEMM_NVRTC_DIR`, its builtins first; cudarc then finds it by its name.
pub(crate) fn load() {
    static LOADED: OnceLock<()> = OnceLock::new();
    LOADED.get_or_init(|| {
        let Some(folder) = std::env::var_os("GEMM_NVRTC_DIR").map(PathBuf::from) else { return };
        for prefix in ["libnvrtc-builtins.so", "libnvrtc.so"] {
            if let Some(path) = find(&folder, prefix) {
                // SAFETY: the library is NVIDIA's; its initialisers are meant to run on loading.
                let library = unsafe { Library::new(&path) };
                // It must stay loaded for cudarc to find it.
                std::mem::forget(library.expect("libnvrtc loads"));
            }
        }
    });
    // Not `cudarc::nvrtc::sys::is_culib_present`, which cudarc lacks when it is linked to NVRTC.
    // SAFETY: as above.
    let opens = |name: &&str| unsafe { Library::new(*name) }.is_ok();
    let present = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"].iter().any(opens);
    assert!(present, "libnvrtc is not found: set GEMM_NVRTC_DIR, or run `cargo xtask nvrtc`");
}

fn find(folder: &Path, prefix: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let mut matching: Vec<_> = files
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    matching.sort();
    matching.into_iter().next()
}

/// The PTX of a CUDA text, with options such as `-DNAME` and without line numbers unless asked for.
///
/// It is compiled for the virtual architecture: the PTX is the same, and nothing is assembled, which
/// takes longer than everything else.
pub(crate) fn ptx(text: &str, target: &str, options: &[&str]) -> String {
    load();
    let architecture = format!("--gpu-architecture={}", target.replace("sm_", "compute_"));
    let common = ["--std=c++17", "-default-device", &architecture];
    let options = CompileOptions {
        name: Some("kernel.cu".into()),
        options: common.iter().chain(options).map(|option| (*option).to_owned()).collect(),
        ..CompileOptions::default()
    };
    match compile_ptx_with_opts(text, options) {
        Ok(ptx) => ptx.to_src(),
        Err(error) => panic!("{error:#?}"),
    }
}

/// A CUDA text compiled with its lines, and parsed: once for all tests and seeds.
pub(crate) fn module(text: &str, target: &str, options: &[&str]) -> &'static Module {
    /// By the text, the target and the options.
    type Modules = HashMap<Vec<String>, &'static OnceLock<Module>>;
    static MODULES: LazyLock<Mutex<Modules>> = LazyLock::new(Mutex::default);
    let key = [text, target].iter().chain(options).map(|part| (*part).to_owned()).collect();
    // The map is locked only for the look-up, so that different kernels compile in parallel.
    let mut modules = MODULES.lock().expect("a look-up does not panic");
    let module: &OnceLock<Module> = modules.entry(key).or_insert_with(|| Box::leak(Box::default()));
    drop(modules);
    module.get_or_init(|| {
        let ptx = ptx(text, target, &[&["-lineinfo"], options].concat());
        Module::parse(&ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"))
    })
}
