//! Tuning records, which are text.

use std::fs::File;

use crate::cache::{Cache, lock};

/// The file that a process locks while it measures.
const LOCK: &str = "lock-tuning";

impl Cache {
    /// The text of a file; `None` if there is none that can be read.
    pub(crate) fn read_text(&self, name: &str) -> Option<String> {
        let (_, content) = self.read(&self.folder.join(name))?;
        Some(String::from_utf8_lossy(&content).into_owned())
    }

    /// Replaces the text of a file.
    pub(crate) fn write_text(&self, name: &str, text: &str) {
        self.write(&self.folder.join(name), text.as_bytes());
    }

    /// Waits until no other process measures: two at once would disturb each other. The lock is
    /// released when the file is dropped; `None` if there is none, and the caller goes on without.
    pub(crate) fn lock_measuring(&self) -> Option<File> {
        lock::acquire_file(&self.folder.join(LOCK))
    }
}
