//! Files of the cache that people can read: what was measured.

use std::fs::{self, File};
use std::io;

use crate::cache::{Cache, lock};

/// The file that a process locks while it measures.
const LOCK: &str = "lock-tuning";

impl Cache {
    /// The text of a file; `None` if there is none that can be read.
    pub(crate) fn read_text(&self, name: &str) -> Option<String> {
        let path = self.folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "cannot read {}", path.display());
                None
            }
        }
    }

    /// Replaces the text of a file.
    pub(crate) fn write_text(&self, name: &str, text: &str) {
        self.write(&self.folder.join(name), text.as_bytes());
    }

    /// Waits for other processes that measure, which would be in each other's way; held until it is
    /// dropped. `None` if it cannot be had: the caller then goes on without.
    pub(crate) fn lock_measuring(&self) -> Option<File> {
        lock::acquire_file(&self.folder.join(LOCK))
    }
}
