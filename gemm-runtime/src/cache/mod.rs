//! The disk cache of compiled kernels and tuning records.
//!
//! Each entry is a checksummed file, named by the hash of everything that its content depends on.
//! Files appear by atomic rename, so any number of processes can share the folder. A cache that is
//! broken, full or not trusted only costs a compilation: no launch fails because of it.

mod entry;
mod evict;
mod file;
mod folder;
mod lock;
mod text;

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

pub(crate) use entry::Key;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
pub(crate) use folder::Problem;

/// Names the folder; if it is empty, there is no disk cache.
const FOLDER_VARIABLE: &str = "GEMM_CACHE_DIR";
/// Names the size in MiB above which the least recently used entries are removed.
const LIMIT_VARIABLE: &str = "GEMM_CACHE_MB";
const DEFAULT_LIMIT_MB: u64 = 256;

/// A folder of compiled kernels.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// The most bytes that all entries have together.
    limit: u64,
}

impl Cache {
    /// The cache of this process; `None` if it is switched off or its folder cannot be used.
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
                    "no disk cache, each process compiles its kernels: {folder}: {problem}"
                );
                None
            }
        }
    }

    /// The cache in `folder`, which is created if necessary.
    pub(crate) fn open(folder: &Path, limit: u64) -> Result<Cache, Problem> {
        Ok(Cache { folder: folder::trusted(folder)?, limit })
    }

    /// The payload of `key`. Without an entry, `make` compiles it, and the result becomes the entry.
    ///
    /// If several processes need the same entry at once, one compiles.
    pub(crate) fn get_or_make<E>(
        &self,
        key: &Key,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        if let Some(found) = self.get(key) {
            return Ok(found);
        }
        let _lock = lock::acquire(&self.folder, key);
        if let Some(found) = self.get(key) {
            return Ok(found);
        }
        let made = make()?;
        self.put(key, &made);
        Ok(made)
    }

    /// The payload of an entry; `None` if there is none that is complete.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let (file, content) = self.read(&path)?;
        let Some(payload) = entry::open(key, &content) else {
            tracing::warn!("the cache entry {} is damaged and compiled again", path.display());
            return None;
        };
        // Entries that are used are evicted last; on a read-only file system they are not marked.
        if let Err(error) = file.set_modified(SystemTime::now()) {
            tracing::debug!(%error, "cannot touch the cache entry {}", path.display());
        }
        Some(payload.to_vec())
    }

    /// A file and its content; `None` if there is none that can be read.
    fn read(&self, path: &Path) -> Option<(File, Vec<u8>)> {
        let read = file::open(path, File::options().read(true))
            .and_then(|file| file::read(&file).map(|content| (file, content)));
        match read {
            Ok(read) => Some(read),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "cannot read {}", path.display());
                None
            }
        }
    }

    /// Makes `payload` the entry of `key`.
    pub(crate) fn put(&self, key: &Key, payload: &[u8]) {
        self.write(&self.path(key), &entry::seal(key, payload));
    }

    /// Creates or replaces a file; a reader gets the old content or the new.
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
    let folder = user_folder();
    if folder.is_none() {
        tracing::warn!(
            "no disk cache: the home folder is unknown and {FOLDER_VARIABLE} is not set"
        );
    }
    Some(folder?.join("kernels"))
}

/// The folder of this crate among the caches of the user; `None` without a home folder.
pub(crate) fn user_folder() -> Option<PathBuf> {
    let folder = choose_native_strategy().ok()?.cache_dir().join("gemm-runtime");
    // There the caches share a folder with what is not to be deleted.
    Some(if cfg!(windows) { folder.join("cache") } else { folder })
}

#[cfg(test)]
mod tests;
