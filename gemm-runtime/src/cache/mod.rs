//! The disk cache of compiled kernels, and of what was measured of them.
//!
//! A file for each entry, named by the hash of everything that its content depends on, and
//! checksummed. Files appear by atomic rename, so any number of processes can share the folder. A
//! cache that is broken, full or not to be trusted only costs a compilation: nothing here fails a
//! launch.

mod entry;
mod evict;
mod folder;
mod lock;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

use crate::compile::{Compilation, Version};
use crate::error::Error;

pub(crate) use entry::Key;
pub(crate) use folder::Problem;

/// Names the folder; empty: no disk cache.
const FOLDER_VARIABLE: &str = "GEMM_CACHE_DIR";
/// Names the size in MiB at which the oldest entries go.
const LIMIT_VARIABLE: &str = "GEMM_CACHE_MB";
const DEFAULT_LIMIT_MB: u64 = 256;

/// A folder of compiled kernels.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// Bytes of all entries together, at most.
    limit: u64,
}

impl Cache {
    /// The cache of this process; `None` where it is switched off or its folder cannot be used.
    pub(crate) fn global() -> Option<&'static Cache> {
        static CACHE: OnceLock<Option<Cache>> = OnceLock::new();
        CACHE.get_or_init(Cache::from_environment).as_ref()
    }

    fn from_environment() -> Option<Cache> {
        let folder = match env::var_os(FOLDER_VARIABLE) {
            Some(folder) if folder.is_empty() => return None,
            Some(folder) => PathBuf::from(folder),
            None => default_folder()?,
        };
        let limit = env::var(LIMIT_VARIABLE)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
            .unwrap_or(DEFAULT_LIMIT_MB)
            .saturating_mul(1 << 20);
        match Cache::open(&folder, limit) {
            Ok(cache) => Some(cache),
            Err(problem) => {
                let folder = folder.display();
                tracing::warn!(
                    "no disk cache, kernels are compiled each time: {folder}: {problem}"
                );
                None
            }
        }
    }

    /// The cache in `folder`, which is made if need be.
    pub(crate) fn open(folder: &Path, limit: u64) -> Result<Cache, Problem> {
        Ok(Cache { folder: folder::trusted(folder)?, limit })
    }

    /// The entry of `key`, or what `make` compiles, which then becomes the entry.
    ///
    /// Of several processes that want the same entry at once, one compiles.
    pub(crate) fn get_or_make(
        &self,
        key: &Key,
        nvrtc: Version,
        make: impl FnOnce() -> Result<Compilation, Error>,
    ) -> Result<Compilation, Error> {
        let find = || entry::unpack(&self.get(key)?, nvrtc);
        if let Some(found) = find() {
            return Ok(found);
        }
        let _lock = lock::acquire(&self.folder, key);
        if let Some(found) = find() {
            return Ok(found);
        }
        let made = make()?;
        self.put(key, &entry::pack(&made));
        Ok(made)
    }

    /// The payload of an entry; `None` if there is none that is whole.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!(%error, "cannot read the cache entry {}", path.display());
                return None;
            }
        };
        let Some(payload) = entry::open(key, &bytes) else {
            tracing::warn!("the cache entry {} is damaged, it is compiled anew", path.display());
            return None;
        };
        // What is used stays; a read-only cache merely forgets that.
        let touched = fs::File::options()
            .append(true)
            .open(&path)
            .and_then(|file| file.set_modified(std::time::SystemTime::now()));
        if let Err(error) = touched {
            tracing::debug!(%error, "cannot touch the cache entry {}", path.display());
        }
        Some(payload.to_vec())
    }

    /// Makes `payload` the entry of `key`.
    pub(crate) fn put(&self, key: &Key, payload: &[u8]) {
        self.write(&self.path(key), &entry::seal(key, payload));
    }

    /// Makes a file, or replaces it: whoever reads it has all of the one or of the other.
    fn write(&self, path: &Path, bytes: &[u8]) {
        let written = tempfile::Builder::new()
            .prefix(evict::TEMPORARY_PREFIX)
            .tempfile_in(&self.folder)
            .and_then(|mut file| {
                file.write_all(bytes)?;
                file.persist(path).map_err(|error| error.error)
            });
        match written {
            Ok(_) => evict::down_to(&self.folder, self.limit),
            Err(error) => {
                let folder = self.folder.display();
                tracing::warn!(%error, "cannot write to the disk cache {folder}");
            }
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key}.{}", evict::ENTRY))
    }
}

fn default_folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "gemm-runtime");
    if folders.is_none() {
        tracing::warn!("no disk cache: no home folder, and {FOLDER_VARIABLE} is not set");
    }
    Some(folders?.cache_dir().join("kernels"))
}

#[cfg(test)]
mod tests;
