//! A lock between processes: one of them compiles a kernel, the others wait for it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cache::entry::Key;
use crate::cache::file;

/// Lock files are never removed; the keys of a bucket share one, so that there are few.
const BUCKETS: u8 = 64;

/// After this time the kernel is compiled twice: the other process may hang.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(2);

/// Waits for the lock of `key`, which is released when the file is dropped; `None` if there is none,
/// and the caller goes on without.
pub(super) fn acquire(folder: &Path, key: &Key) -> Option<File> {
    acquire_file(&folder.join(format!("lock-{:02}", key.bucket(BUCKETS))))
}

/// As [`acquire`], with this file as the lock.
pub(super) fn acquire_file(path: &Path) -> Option<File> {
    let mut options = File::options();
    let file = match file::open(path, options.create(true).truncate(false).write(true)) {
        Ok(file) => file,
        Err(error) => {
            tracing::debug!(%error, "cannot open {}", path.display());
            return None;
        }
    };
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) => sleep(POLL),
            Err(TryLockError::Error(error)) => {
                tracing::debug!(%error, "cannot lock {}", path.display());
                return None;
            }
        }
    }
    tracing::debug!("gave up waiting for {}", path.display());
    None
}
