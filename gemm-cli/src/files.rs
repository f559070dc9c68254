//! The files of a target: its first one, and those of its modules.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::find::{Annotated, ModuleItem, Outline, find};

/// A file of the crate.
pub(crate) struct File {
    /// Relative to the current folder where it is below it.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// The functions that `#[gemm]` annotates in it.
    pub(crate) annotated: Vec<Annotated>,
    /// The constants and imports of its modules.
    pub(crate) items: Vec<ModuleItem>,
    /// The number of the target that it belongs to.
    pub(crate) root: usize,
}

/// A file that is yet to be read.
struct Pending {
    path: PathBuf,
    /// The folder of its modules' files.
    folder: PathBuf,
    /// The modules that it lies in.
    modules: Vec<String>,
    /// The number of its target.
    root: usize,
}

/// Reads the files of these targets, each once. A module whose file does not exist is left out: it
/// may be generated, or not compiled here.
pub(crate) fn read(roots: &[PathBuf]) -> Result<Vec<File>> {
    let root = |(root, path): (usize, &PathBuf)| Pending {
        root,
        path: path.clone(),
        folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        modules: Vec::new(),
    };
    let mut open: Vec<Pending> = roots.iter().enumerate().rev().map(root).collect();
    let (mut seen, mut files) = (HashSet::new(), Vec::new());
    while let Some(Pending { path, folder, modules, root }) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let found = match find(&text, &modules) {
            Ok(found) => found,
            Err(error) => {
                eprintln!("warning: {} is left out: {error}", path.display());
                continue;
            }
        };
        let outlines = found.outlines.iter().rev();
        open.extend(outlines.filter_map(|module| pending(module, &path, &folder, root)));
        let (annotated, items) = (found.annotated, found.items);
        files.push(File { path: shown(&path), text, annotated, items, root });
    }
    Ok(files)
}

/// The file of `mod name;` in the file `from`, whose modules lie in `folder`.
fn pending(module: &Outline, from: &Path, folder: &Path, root: usize) -> Option<Pending> {
    let modules = module.path.clone();
    if let Some(written) = &module.written_path {
        let path = from.parent()?.join(written);
        let folder = path.parent()?.to_owned();
        return path.is_file().then_some(Pending { path, folder, modules, root });
    }
    let folder = module.inside.iter().fold(folder.to_owned(), |folder, name| folder.join(name));
    let folder = folder.join(&module.name);
    let candidates = [folder.with_extension("rs"), folder.join("mod.rs")];
    let path = candidates.into_iter().find(|path| path.is_file())?;
    Some(Pending { path, folder, modules, root })
}

/// The path as a person reads it.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path).to_owned()
}
