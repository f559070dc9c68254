//! Where the workspace is and how its cargo is called.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use xshell::Shell;

/// The workspace this program was built from.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The folder above this package's own.
    pub(crate) fn open() -> Result<Workspace> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("the xtask package has no folder above it")?;
        ensure!(
            root.join("Cargo.toml").is_file(),
            "{} has no Cargo.toml: was the checkout moved? `cargo xtask` builds it again",
            root.display()
        );
        Ok(Workspace { root: root.to_owned() })
    }

    /// Its folder, absolute.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A shell in the workspace's folder.
    pub(crate) fn shell(&self) -> Result<Shell> {
        let sh = Shell::new()?;
        sh.change_dir(&self.root);
        Ok(sh)
    }

    /// The cargo that runs this program, of the pinned toolchain.
    pub(crate) fn cargo(&self) -> OsString {
        env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
    }

    /// Another program of the same toolchain.
    pub(crate) fn beside_cargo(&self, program: &str) -> PathBuf {
        let path = PathBuf::from(self.cargo()).with_file_name(program);
        if path.is_file() { path } else { program.into() }
    }
}
