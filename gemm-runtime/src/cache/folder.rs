//! The folder of the cache: it must be private, since its entries are machine code that runs with
//! the rights of the user.
//!
//! On Unix its owner and mode are checked. On Windows the default, in `%LOCALAPPDATA%`, is private by
//! the access list that it inherits; a folder that `GEMM_CACHE_DIR` names is not checked.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Why a folder is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("it cannot be created or read: {0}")]
    Io(#[from] io::Error),
    #[error("it is not a folder")]
    NotAFolder,
    #[cfg(unix)]
    #[error("it belongs to another user (uid {owner}), so its content is not trusted")]
    Foreign { owner: u32 },
    #[cfg(unix)]
    #[error(
        "others can write to it (mode {mode:03o}), so its content is not trusted; check what is in \
         it, then `chmod 700` it"
    )]
    Shared { mode: u32 },
}

/// The canonical path of the folder, which is created if necessary and must be private.
pub(super) fn trusted(folder: &Path) -> Result<PathBuf, Problem> {
    create(folder)?;
    let folder = folder.canonicalize()?;
    let metadata = fs::metadata(&folder)?;
    if !metadata.is_dir() {
        return Err(Problem::NotAFolder);
    }
    #[cfg(unix)]
    check_owner_and_mode(&metadata)?;
    Ok(folder)
}

#[cfg(unix)]
fn check_owner_and_mode(metadata: &fs::Metadata) -> Result<(), Problem> {
    use std::os::unix::fs::MetadataExt;

    /// Write permission for the group and for others.
    const WRITE_BY_OTHERS: u32 = 0o022;

    let owner = metadata.uid();
    if owner != rustix::process::geteuid().as_raw() {
        return Err(Problem::Foreign { owner });
    }
    let mode = metadata.mode() & 0o777;
    if mode & WRITE_BY_OTHERS != 0 {
        return Err(Problem::Shared { mode });
    }
    Ok(())
}

/// Creates the folder and its parents, accessible to the user only.
fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
