//! [`Search`]: the order in which a library is looked for.

use std::path::{Path, PathBuf};

use libloading::Library;

use crate::error::{Error, Searched};
use crate::library::folders::{self, NVRTC_VARIABLE};
use crate::library::platform::Platform;
use crate::library::{NVRTC, open_for_good, reason};

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
        if let Some(folder) = &self.variable {
            if let Some(found) = folders::wheel_folders(folder).iter().find_map(|f| nvrtc_in(f)) {
                return Ok(found);
            }
            if folder.is_dir() {
                tracing::warn!("{NVRTC_VARIABLE}={} holds no libnvrtc", folder.display());
            }
        }
        let by_name = match self.open_by_name() {
            Ok((name, library)) => return Ok(Found::Open(name, library)),
            Err(searched) => searched,
        };
        self.folders
            .iter()
            .find_map(|folder| nvrtc_in(folder))
            .ok_or_else(|| self.nvrtc_not_found(by_name))
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

    fn nvrtc_not_found(&self, by_name: Vec<Searched>) -> Error {
        let variable = Searched::Variable { name: NVRTC_VARIABLE, folder: self.variable.clone() };
        let mut folders = self.folders.clone();
        folders.dedup();
        let folders = folders.into_iter().map(|folder| Searched::Folder { folder, reason: None });
        let searched = [variable].into_iter().chain(by_name).chain(folders).collect();
        Error::LibraryNotFound { name: NVRTC, searched, help: nvrtc_help() }
    }
}

/// The one version that everything is tested with.
const WHEEL: &str = "nvidia-cuda-nvrtc==13.1.80";

/// The newest version of CUDA 12, whose machine code every supported driver loads.
const NEWER_WHEEL: &str = "nvidia-cuda-nvrtc-cu12==12.9.86";

const INSTALL: &str = "python3 -m pip install --no-deps --target";

fn nvrtc_help() -> String {
    match folders::user_folder() {
        Some(folder) => format!(
            "get it with `{INSTALL} {folder} {WHEEL}` (it needs no GPU), or name the folder of \
             another one in {NVRTC_VARIABLE}",
            folder = folder.display(),
        ),
        None => format!(
            "get it with `{INSTALL} DIR {WHEEL}` (it needs no GPU) and set {NVRTC_VARIABLE}=DIR"
        ),
    }
}

/// How to get an NVRTC that is newer than the one that was found, and comes before it in the search.
pub(crate) fn newer_nvrtc_help() -> String {
    format!("get a newer one with `{INSTALL} DIR {NEWER_WHEEL}` and set {NVRTC_VARIABLE}=DIR")
}

/// The newest `libnvrtc` of a folder, with the builtins of its major version.
fn nvrtc_in(folder: &Path) -> Option<Found> {
    let names: Vec<String> = folder
        .read_dir()
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let (version, library) = names
        .iter()
        .filter_map(|name| Some((Platform::HERE.nvrtc_version(name)?, name)))
        .filter(|(version, _)| version.first().is_none_or(|major| *major >= 12))
        .max()?;
    let builtins = names
        .iter()
        .filter(|name| {
            Platform::HERE
                .builtins_version(name)
                .is_some_and(|builtins| builtins.first() == version.first())
        })
        .map(|name| folder.join(name))
        .collect();
    Some(Found::File { library: folder.join(library), builtins })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Search {
        Search { variable: None, sonames: Vec::new(), folders: Vec::new() }
    }

    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            std::fs::write(folder.path().join(file), "").expect("a file in it");
        }
        folder
    }

    fn found(search: &Search) -> (PathBuf, Vec<PathBuf>) {
        match search.find_nvrtc() {
            Ok(Found::File { library, builtins }) => (library, builtins),
            other => panic!("expected a file, got {other:?}"),
        }
    }

    #[test]
    fn a_missing_nvrtc_is_an_error_that_says_where_it_looked_and_how_to_get_it() {
        let search = Search {
            variable: Some("/no/such/place".into()),
            sonames: vec!["libnvrtc.so.0"],
            folders: vec!["/not/here/either".into()],
        };
        let error = search.find_nvrtc().expect_err("there is none");
        let text = error.to_string();
        assert!(matches!(error, Error::LibraryNotFound { name: "libnvrtc", .. }));
        for part in [
            "libnvrtc was not found",
            "/no/such/place (from GEMM_NVRTC_DIR)",
            "libnvrtc.so.0 with the system's loader",
            "/not/here/either",
            "python3 -m pip install",
            "nvidia-cuda-nvrtc==13.1.80",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
    }

    #[test]
    fn the_variable_comes_before_the_folders() {
        let (first, second) = (folder_with(&["libnvrtc.so.12"]), folder_with(&["libnvrtc.so.13"]));
        let search = Search {
            variable: Some(first.path().into()),
            folders: vec![second.path().into()],
            ..nowhere()
        };
        assert_eq!(found(&search).0, first.path().join("libnvrtc.so.12"));
    }

    #[test]
    fn the_variable_may_name_the_folder_that_pip_unpacked_into() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let inside = root.path().join("nvidia/cu13/lib");
        std::fs::create_dir_all(&inside).expect("a folder in it");
        std::fs::write(inside.join("libnvrtc.so.13"), "").expect("a file in it");
        let search = Search { variable: Some(root.path().into()), ..nowhere() };
        assert_eq!(found(&search).0, inside.join("libnvrtc.so.13"));
    }

    #[test]
    fn the_newest_of_a_folder_is_taken_with_its_own_builtins() {
        let folder = folder_with(&[
            "libnvrtc.so.12",
            "libnvrtc.so.13",
            "libnvrtc.so.11.2",
            "libnvrtc.alt.so.13",
            "libnvrtc-builtins.so.12.4",
            "libnvrtc-builtins.so.13.1",
        ]);
        let search = Search { folders: vec![folder.path().into()], ..nowhere() };
        let (library, builtins) = found(&search);
        assert_eq!(library, folder.path().join("libnvrtc.so.13"));
        assert_eq!(builtins, [folder.path().join("libnvrtc-builtins.so.13.1")]);
    }

    #[test]
    fn a_file_that_is_not_a_library_is_an_error_with_the_loader_s_reason() {
        let folder = folder_with(&["libnvrtc.so.13"]);
        let search = Search { folders: vec![folder.path().into()], ..nowhere() };
        let error = search.find_nvrtc().and_then(Found::open).expect_err("it is empty");
        assert!(matches!(&error, Error::LibraryUnusable { path, reason }
            if *path == folder.path().join("libnvrtc.so.13") && reason.contains("file too short")));
    }

    #[test]
    fn versions_older_than_supported_are_not_taken() {
        let folder = folder_with(&["libnvrtc.so.11.2"]);
        let search = Search { folders: vec![folder.path().into()], ..nowhere() };
        assert!(search.find_nvrtc().is_err());
    }
}
