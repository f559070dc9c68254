//! [`Search`]: the order in which a library is looked for.

use std::path::{Path, PathBuf};

use libloading::Library;

use crate::error::{Error, Searched};
use crate::library::folders::{self, NVRTC_VARIABLE};
use crate::library::platform::Platform;
use crate::library::{NVRTC, open_for_good, reason, wheel};

/// The places in which a library is looked for, in order: the variable, the system's loader, the
/// folders.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(super) variable: Option<PathBuf>,
    pub(super) sonames: Vec<&'static str>,
    pub(super) folders: Vec<PathBuf>,
}

/// A library that was found.
#[derive(Debug)]
pub(crate) enum Found {
    /// Opened by the loader under this name.
    Open(&'static str, &'static Library),
    /// A file that is not open yet, and the files to open before it.
    File { library: PathBuf, builtins: Vec<PathBuf> },
}

impl Found {
    /// The library's name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Found::Open(name, _) => (*name).to_owned(),
            Found::File { library, .. } => library.display().to_string(),
        }
    }

    /// Opens the library for the life of the process.
    pub(crate) fn open(self) -> Result<&'static Library, Error> {
        match self {
            Found::Open(_, library) => Ok(library),
            Found::File { library, builtins } => {
                // The wheel of 13.0 does not find its own builtins unless they are already open.
                // If they cannot be opened, NVRTC reports it when it needs them.
                for file in builtins {
                    let _ = open_for_good(file);
                }
                open_for_good(&library).map_err(|error| Error::LibraryUnusable {
                    path: library,
                    reason: reason(&error),
                })
            }
        }
    }
}

impl Search {
    /// The search for `libnvrtc` on this machine.
    pub(crate) fn for_nvrtc() -> Search {
        Search {
            variable: std::env::var_os(NVRTC_VARIABLE)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from),
            sonames: Platform::HERE.nvrtc.to_vec(),
            folders: folders::nvrtc_folders(),
        }
    }

    /// Looks for `libnvrtc`, and opens it only if the loader finds it by name.
    pub(crate) fn find_nvrtc(&self) -> Result<Found, Error> {
        let mut searched =
            vec![Searched::Variable { name: NVRTC_VARIABLE, folder: self.variable.clone() }];
        if let Some(folder) = &self.variable {
            for folder in folders::wheel_folders(folder) {
                match nvrtc_in(&folder) {
                    Ok(found) => return Ok(found),
                    Err(None) => {}
                    Err(reason) => searched.push(Searched::Folder { folder, reason }),
                }
            }
            let holds = if folder.is_dir() { "holds no libnvrtc" } else { "is not a folder" };
            tracing::warn!("{NVRTC_VARIABLE}={} {holds}; looking elsewhere", folder.display());
        }
        match self.open_by_name() {
            Ok((name, library)) => return Ok(Found::Open(name, library)),
            Err(by_name) => searched.extend(by_name),
        }
        let mut folders = self.folders.clone();
        folders.dedup();
        for folder in folders {
            match nvrtc_in(&folder) {
                Ok(found) => return Ok(found),
                Err(reason) => searched.push(Searched::Folder { folder, reason }),
            }
        }
        Err(Error::LibraryNotFound { name: NVRTC, searched, help: wheel::nvrtc_help() })
    }

    /// Opens the first of `sonames` that the system's loader finds; else why it finds none.
    pub(super) fn open_by_name(&self) -> Result<(&'static str, &'static Library), Vec<Searched>> {
        let mut searched = Vec::new();
        for name in &self.sonames {
            match open_for_good(name) {
                Ok(library) => return Ok((name, library)),
                Err(error) => {
                    let name = (*name).to_owned();
                    searched.push(Searched::Loader { name, reason: reason(&error) });
                }
            }
        }
        Err(searched)
    }
}

/// The newest `libnvrtc` of a folder, with the builtins of its major version; else why a file of that
/// name is not taken, if there is one.
fn nvrtc_in(folder: &Path) -> Result<Found, Option<String>> {
    let names: Vec<String> = folder
        .read_dir()
        .map_err(|_| None)?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let (files, others): (Vec<_>, Vec<_>) = names
        .iter()
        .filter_map(|name| Some((Platform::HERE.nvrtc_version(name)?, name)))
        .filter(|(version, _)| version.first().is_none_or(|major| *major >= 12))
        .partition(|(_, name)| is_file(&folder.join(name)));
    let Some((version, library)) = files.into_iter().max() else {
        return Err(others.first().map(|(_, name)| format!("{name} is not a regular file")));
    };
    let builtins = names
        .iter()
        .filter(|name| {
            Platform::HERE
                .builtins_version(name)
                .is_some_and(|builtins| builtins.first() == version.first())
        })
        .map(|name| folder.join(name))
        .filter(|file| is_file(file))
        .collect();
    Ok(Found::File { library: folder.join(library), builtins })
}

/// Whether it is a regular file, or a link to one. Others are not opened: a FIFO would block the loader.
fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests;
