//! [`Platform`]: what Linux and Windows call the CUDA libraries, and which folders hold them.

/// The names and folders of one operating system. Both are compiled everywhere, so that either is
/// tested on any machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Platform {
    /// Names by which the loader finds NVRTC, newest first.
    pub(super) nvrtc: &'static [&'static str],
    /// Names by which the loader finds the driver, in cudarc's order; the driver installs the second.
    pub(super) cuda: [&'static str; 2],
    nvrtc_version: fn(&str) -> Option<Vec<u32>>,
    builtins_version: fn(&str) -> Option<Vec<u32>>,
    /// Folders of a wheel of NVRTC below the target folder of pip: CUDA 13's, then CUDA 12's.
    pub(super) wheel: [&'static str; 2],
    /// Folders of a CUDA toolkit below its root.
    pub(super) toolkit: &'static [&'static str],
    /// Where toolkits are installed, besides what the variables name.
    pub(super) toolkit_roots: &'static [&'static str],
    /// Folders of the system that hold libraries of CUDA or the driver.
    pub(super) system: &'static [&'static str],
    /// Folders that hold the driver alone.
    pub(super) driver: &'static [&'static str],
    /// The folder of a Python or conda environment that holds its packages, or folders of them.
    pub(super) python: &'static str,
}

impl Platform {
    /// The system that this program was compiled for.
    pub(super) const HERE: Platform = if cfg!(windows) { WINDOWS } else { LINUX };

    /// The version in the file name of an NVRTC: `[13]` for `libnvrtc.so.13`.
    pub(super) fn nvrtc_version(&self, name: &str) -> Option<Vec<u32>> {
        (self.nvrtc_version)(name)
    }

    /// The version in the file name of the built-ins of NVRTC: `[13, 1]` for
    /// `libnvrtc-builtins.so.13.1`.
    pub(super) fn builtins_version(&self, name: &str) -> Option<Vec<u32>> {
        (self.builtins_version)(name)
    }
}

/// Names as NVIDIA's packages and wheels for Linux have them.
pub(super) const LINUX: Platform = Platform {
    nvrtc: &["libnvrtc.so.13", "libnvrtc.so.12"],
    cuda: ["libcuda.so", "libcuda.so.1"],
    nvrtc_version: |name| version_after_so(name, "libnvrtc.so"),
    builtins_version: |name| version_after_so(name, "libnvrtc-builtins.so"),
    wheel: ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"],
    toolkit: &["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"],
    toolkit_roots: &["/usr/local/cuda", "/opt/cuda"],
    system: &[
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    ],
    driver: &[
        "/usr/lib/wsl/lib",
        "/run/opengl-driver/lib",
        "/usr/local/nvidia/lib64",
        "/usr/lib64/nvidia",
    ],
    python: "lib",
};

/// Names as NVIDIA's installers and wheels for Windows have them: those of
/// nvidia-cuda-nvrtc 13.1.80 and nvidia-cuda-nvrtc-cu12 12.9.86.
pub(super) const WINDOWS: Platform = Platform {
    nvrtc: &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"],
    cuda: ["cuda.dll", "nvcuda.dll"],
    nvrtc_version: |name| version_in_dll(name.strip_suffix("_0.dll")?, "nvrtc64_"),
    builtins_version: |name| version_in_dll(name.strip_suffix(".dll")?, "nvrtc-builtins64_"),
    wheel: ["nvidia/cu13/bin/x86_64", "nvidia/cuda_nvrtc/bin"],
    toolkit: &["bin/x64", "bin"],
    toolkit_roots: &[],
    system: &[],
    driver: &["C:/Windows/System32"],
    python: "Lib",
};

/// The numbers after `stem` in a file name: `[13, 1]` for `libnvrtc.so.13.1`.
fn version_after_so(name: &str, stem: &str) -> Option<Vec<u32>> {
    let rest = name.strip_prefix(stem)?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    rest.strip_prefix('.')?.split('.').map(|number| number.parse().ok()).collect()
}

/// The digits after `stem`; the last one is the minor version: `[13, 1]` for 131.
fn version_in_dll(name: &str, stem: &str) -> Option<Vec<u32>> {
    let digits: u32 = name.strip_prefix(stem)?.parse().ok()?;
    Some(vec![digits / 10, digits % 10])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_file_names_of_linux() {
        assert_eq!(LINUX.nvrtc_version("libnvrtc.so.13"), Some(vec![13]));
        assert_eq!(LINUX.nvrtc_version("libnvrtc.so"), Some(vec![]));
        assert_eq!(LINUX.nvrtc_version("libnvrtc.alt.so.13"), None);
        assert_eq!(LINUX.builtins_version("libnvrtc-builtins.so.12.4"), Some(vec![12, 4]));
        assert_eq!(LINUX.nvrtc_version("libnvrtc-builtins.so.12.4"), None);
    }

    #[test]
    fn versions_are_read_from_file_names_of_windows() {
        assert_eq!(WINDOWS.nvrtc_version("nvrtc64_130_0.dll"), Some(vec![13, 0]));
        assert_eq!(WINDOWS.nvrtc_version("nvrtc64_120_0.dll"), Some(vec![12, 0]));
        assert_eq!(WINDOWS.nvrtc_version("nvrtc64_120_0.alt.dll"), None);
        assert_eq!(WINDOWS.builtins_version("nvrtc-builtins64_131.dll"), Some(vec![13, 1]));
        assert_eq!(WINDOWS.nvrtc_version("nvrtc-builtins64_131.dll"), None);
    }

    #[test]
    fn the_loader_s_names_have_versions() {
        for platform in [LINUX, WINDOWS] {
            for name in platform.nvrtc {
                assert!(platform.nvrtc_version(name).is_some(), "{name}");
            }
        }
    }
}
