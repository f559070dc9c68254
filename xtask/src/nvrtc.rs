//! Finds libnvrtc, or fetches the pinned version from PyPI: no CUDA toolkit and no GPU needed.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::workspace::Workspace;

/// The version whose registers and spills the goldens hold. The only place that names it.
const VERSION: &str = "13.1.80";

const PINNED: Wheel =
    Wheel { package: "nvidia-cuda-nvrtc", version: Some(VERSION), folder: "nvrtc" };

/// A libnvrtc on PyPI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wheel {
    pub(crate) package: &'static str,
    /// The newest that there is if it is `None`.
    pub(crate) version: Option<&'static str>,
    /// Where it is unpacked in `target`.
    pub(crate) folder: &'static str,
}

/// Tells the loader of `gemm-runtime` where libnvrtc is.
pub(crate) const DIR_VARIABLE: &str = "GEMM_NVRTC_DIR";

/// Advice when the wheel cannot be fetched.
const HELP: &str = "or install a CUDA toolkit (12 or 13), or unpack the wheel yourself and set \
                    GEMM_NVRTC_DIR to the folder that has libnvrtc.so.13";

/// The folder of the pinned libnvrtc, fetched if it is not there yet.
///
/// It lies in `target/nvrtc` also when CARGO_TARGET_DIR says otherwise: `.cargo/config.toml` names
/// that folder too.
pub(crate) fn pinned(workspace: &Workspace) -> Result<PathBuf> {
    PINNED.fetched(workspace)
}

impl Wheel {
    /// The folder of its libnvrtc, fetched if it is not there yet. The newest one is always fetched.
    pub(crate) fn fetched(&self, workspace: &Workspace) -> Result<PathBuf> {
        let home = workspace.root().join("target").join(self.folder);
        if self.version.is_none() || !self.is_in(&home) {
            self.fetch(workspace, &home)?;
        }
        library_folder(&home).with_context(|| format!("{} has no libnvrtc", home.display()))
    }

    /// Whether it was unpacked here: pip writes the folder of this name last, and the whole is renamed into
    /// place.
    fn is_in(&self, home: &Path) -> bool {
        let package = self.package.replace('-', "_");
        let has_version = self
            .version
            .is_none_or(|version| home.join(format!("{package}-{version}.dist-info")).is_dir());
        has_version && library_folder(home).is_some()
    }

    /// What pip installs.
    fn requirement(&self) -> String {
        let version = self.version.map(|version| format!("=={version}"));
        format!("{}{}", self.package, version.unwrap_or_default())
    }

    fn fetch(&self, workspace: &Workspace, home: &Path) -> Result<()> {
        let sh = workspace.shell()?;
        let python = python_with_pip(&sh)?;
        // A folder of this process's own, so that two fetches at once do not mix.
        let fresh = home.with_file_name(format!("{}-{}.partial", self.folder, process::id()));
        let requirement = self.requirement();
        eprintln!("fetching {requirement} (20 to 90 MB) into {}", home.display());
        sh.set_var("PIP_ROOT_USER_ACTION", "ignore");
        sh.set_var("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        let install = || {
            cmd!(sh, "{python} -m pip install --quiet --no-deps --only-binary :all:")
                .args(["--target".as_ref(), fresh.as_os_str(), requirement.as_ref()])
                .run()
        };
        let installed = install().or_else(|error| {
            eprintln!("{error}; trying once more");
            sh.remove_path(&fresh)?;
            install()
        });
        let placed = installed
            .with_context(|| {
                format!("pip could not fetch {requirement}: check the network, {HELP}")
            })
            .and_then(|()| self.put_in_place(&fresh, home));
        // What is left of a failed try; after a good one nothing is.
        sh.remove_path(&fresh)?;
        placed
    }

    /// Renames `fresh` to `home`. Another process may have done the same a moment ago.
    fn put_in_place(&self, fresh: &Path, home: &Path) -> Result<()> {
        ensure!(self.is_in(fresh), "the wheel of {} has no libnvrtc", self.requirement());
        if home.exists() && (self.version.is_none() || !self.is_in(home)) {
            fs::remove_dir_all(home)
                .with_context(|| format!("cannot remove {}", home.display()))?;
        }
        match fs::rename(fresh, home) {
            Err(error) if !self.is_in(home) => {
                Err(error).with_context(|| format!("cannot make {}", home.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The folder of the libnvrtc in an unpacked wheel: each major version of CUDA has another one.
fn library_folder(home: &Path) -> Option<PathBuf> {
    let packages = fs::read_dir(home.join("nvidia")).ok()?.flatten();
    let folders = packages.map(|package| package.path().join("lib"));
    let has_library = |folder: &PathBuf| {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files.into_iter().any(|file| {
            file.file_name().to_string_lossy().starts_with("libnvrtc.so.") && file.path().is_file()
        })
    };
    folders.into_iter().find(has_library)
}

/// Whether a libnvrtc is where the loader looks: in its variable, in a toolkit, on the system's
/// own path.
pub(crate) fn is_installed() -> bool {
    let of_variable = env::var_os(DIR_VARIABLE).map(PathBuf::from);
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os);
    let toolkits = toolkits.map(PathBuf::from).chain([PathBuf::from("/usr/local/cuda")]);
    let mut folders = of_variable.into_iter().chain(toolkits.map(|root| root.join("lib64")));
    folders.any(|folder| has_library(&folder)) || linker_knows_it()
}

fn has_library(folder: &Path) -> bool {
    ["libnvrtc.so.13", "libnvrtc.so.12"].iter().any(|name| folder.join(name).is_file())
}

fn linker_knows_it() -> bool {
    let known = process::Command::new("ldconfig").arg("-p").output();
    known.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout);
        text.contains("libnvrtc.so.13") || text.contains("libnvrtc.so.12")
    })
}

fn python_with_pip(sh: &Shell) -> Result<&'static str> {
    let has_pip = |python: &&str| {
        let version = cmd!(sh, "{python} -m pip --version");
        version.quiet().ignore_stdout().ignore_stderr().run().is_ok()
    };
    let Some(python) = ["python3", "python"].into_iter().find(has_pip) else {
        bail!(
            "libnvrtc is fetched with pip, which neither python3 nor python has: install pip, {HELP}"
        );
    };
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(root: &Path, version: &str) -> PathBuf {
        let lib = root.join("nvidia/cu13/lib");
        fs::create_dir_all(&lib).unwrap();
        fs::write(lib.join("libnvrtc.so.13"), []).unwrap();
        fs::create_dir(root.join(format!("nvidia_cuda_nvrtc-{version}.dist-info"))).unwrap();
        root.to_owned()
    }

    #[test]
    fn only_the_pinned_version_is_taken_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!PINNED.is_in(folder.path()));
        assert!(!PINNED.is_in(&unpacked(&folder.path().join("old"), "13.0.88")));
        assert!(PINNED.is_in(&unpacked(&folder.path().join("new"), VERSION)));
    }

    #[test]
    fn an_unfinished_folder_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let home = unpacked(&folder.path().join("nvrtc"), VERSION);
        fs::remove_file(home.join("nvidia/cu13/lib/libnvrtc.so.13")).unwrap();
        assert!(!PINNED.is_in(&home));
    }

    #[test]
    fn another_version_in_its_place_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let home = unpacked(&folder.path().join("nvrtc"), "13.0.88");
        let fresh = unpacked(&folder.path().join("nvrtc-1.partial"), VERSION);
        PINNED.put_in_place(&fresh, &home).unwrap();
        assert!(PINNED.is_in(&home));
        assert!(!fresh.exists());
    }

    #[test]
    fn the_second_of_two_fetches_at_once_is_content_with_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let home = unpacked(&folder.path().join("nvrtc"), VERSION);
        let fresh = unpacked(&folder.path().join("nvrtc-2.partial"), VERSION);
        PINNED.put_in_place(&fresh, &home).unwrap();
        assert!(PINNED.is_in(&home));
    }

    #[test]
    fn a_wheel_of_another_major_version_has_its_library_in_another_folder() {
        let folder = tempfile::tempdir().unwrap();
        let lib = folder.path().join("nvidia/cuda_nvrtc/lib");
        fs::create_dir_all(&lib).unwrap();
        assert_eq!(library_folder(folder.path()), None);
        fs::write(lib.join("libnvrtc-builtins.so.12.4"), []).unwrap();
        assert_eq!(library_folder(folder.path()), None);
        fs::write(lib.join("libnvrtc.so.12"), []).unwrap();
        assert_eq!(library_folder(folder.path()), Some(lib));
        assert!(!PINNED.is_in(folder.path()));
    }
}
