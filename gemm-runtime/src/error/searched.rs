//! [`Searched`]: the places in which a library was looked for, for messages.

use std::path::PathBuf;

/// Where a library was looked for, and why it was not found there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
#[non_exhaustive]
pub enum Searched {
    /// In the folder that an environment variable names; `None` if it is not set.
    #[error("{}", match .folder {
        None => format!("at {name}, which is not set"),
        Some(folder) => format!("in {} (from {name})", folder.display()),
    })]
    Variable { name: &'static str, folder: Option<PathBuf> },
    /// Wherever the system's loader looks for a library of this name; `reason` is the loader's.
    #[error("for {name} with the system's loader: {reason}")]
    Loader { name: String, reason: String },
    /// In a folder; `reason` says why a file in it was not opened, `None` if no file has the library's
    /// name.
    #[error("in {}{}", .folder.display(), .reason.iter().map(|it| format!(": {it}")).collect::<String>())]
    Folder { folder: PathBuf, reason: Option<String> },
}

impl Searched {
    /// One line for each place.
    pub(crate) fn list(searched: &[Searched]) -> String {
        searched.iter().map(|place| format!("  looked {place}\n")).collect()
    }
}
