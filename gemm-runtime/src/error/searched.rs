//! [`Searched`]: the places in which a library was looked for, for messages.

use std::fmt;
use std::path::PathBuf;

/// Where a library was looked for, and why it was not found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// In the folder that an environment variable names.
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value; `None` if it is not set.
        folder: Option<PathBuf>,
    },
    /// Wherever the system's loader looks for a library of this name.
    Loader {
        /// The name that was looked for.
        name: String,
        /// What the loader says.
        reason: String,
    },
    /// In a folder.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the loader says of a file in it; `None` if it has no file of the library's name.
        reason: Option<String>,
    },
}

impl Searched {
    /// One line for each place.
    pub(crate) fn list(searched: &[Searched]) -> String {
        searched.iter().map(|place| format!("  looked {place}\n")).collect()
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Searched::Variable { name, folder: None } => write!(f, "at {name}, which is not set"),
            Searched::Variable { name, folder: Some(folder) } => {
                write!(f, "in {} (from {name})", folder.display())
            }
            Searched::Loader { name, reason } => {
                write!(f, "for {name} with the system's loader: {reason}")
            }
            Searched::Folder { folder, reason: None } => write!(f, "in {}", folder.display()),
            Searched::Folder { folder, reason: Some(reason) } => {
                write!(f, "in {}: {reason}", folder.display())
            }
        }
    }
}
