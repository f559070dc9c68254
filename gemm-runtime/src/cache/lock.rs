//! A lock between processes, so that one of them compiles a kernel and the others wait for it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cache::entry::Key;

/// Lock files are shared by the keys of a bucket and never removed, so that their number is small.
const BUCKETS: u8 = 64;

/// Compiling twice is better than waiting for a process that hangs.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(2);

/// Waits for the lock of `key`; it is released when the file is dropped.
///
/// `None` if it cannot be had: the caller then goes on without.
pub(super) fn acquire(folder: &Path, key: &Key) -> Option<File> {
    acquire_file(&folder.join(format!("lock-{:02}", key.bucket(BUCKETS))))
}

/// The same for a lock of this file.
pub(super) fn acquire_file(path: &Path) -> Option<File> {
    let file = match File::options().create(true).truncate(false).write(true).open(path) {
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
