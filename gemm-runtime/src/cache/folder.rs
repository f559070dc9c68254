//! The folder of the cache: private, and trusted only if nobody else can write to it.
//!
//! Its entries are machine code that runs with the user's rights on the user's data.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Why a folder is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("it cannot be made or looked at: {0}")]
    Io(#[from] io::Error),
    #[error("it is not a folder")]
    NotAFolder,
    #[cfg(unix)]
    #[error("it belongs to another user (uid {owner}), so what is in it is not to be trusted")]
    Foreign { owner: u32 },
    #[cfg(unix)]
    #[error(
        "others can write to it (mode {mode:03o}), so what is in it is not to be trusted; \
         `chmod 700` it after a look inside"
    )]
    Shared { mode: u32 },
}

/// The folder's real path; it is made if need be, and looked at before it is trusted.
pub(super) fn trusted(folder: &Path) -> Result<PathBuf, Problem> {
    make(folder)?;
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

/// Makes the folder and those above it, for the user alone.
fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
