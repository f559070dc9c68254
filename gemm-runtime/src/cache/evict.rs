//! Limiting the size of the folder: the least recently used entries are removed.

use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Extension of the entries.
pub(super) const ENTRY: &str = "kernel";
/// Extension of the tuning records, which are removed like entries, and measured again.
pub(super) const RECORD: &str = "toml";
/// Prefix of files that are being written.
pub(super) const TEMPORARY_PREFIX: &str = ".new-";

/// A file that was not renamed after this time was left by a process that died.
const ABANDONED: Duration = Duration::from_secs(3600);

/// If the entries exceed `limit` bytes, removes the least recently used until a quarter of it is
/// free.
pub(super) fn down_to(folder: &Path, limit: u64) {
    let Ok(listing) = folder.read_dir() else { return };
    let mut entries = Vec::new();
    for file in listing.flatten() {
        let Ok(metadata) = file.metadata() else { continue };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if file.path().extension().is_some_and(|end| end == ENTRY || end == RECORD) {
            entries.push((modified, metadata.len(), file));
        } else if is_abandoned(&file, modified) {
            remove(&file);
        }
    }
    let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    if total <= limit {
        return;
    }
    entries.sort_by_key(|(modified, ..)| *modified);
    for (_, bytes, file) in entries {
        if total <= limit / 4 * 3 {
            break;
        }
        remove(&file);
        total -= bytes;
    }
}

fn is_abandoned(file: &DirEntry, modified: SystemTime) -> bool {
    file.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX)
        && modified.elapsed().is_ok_and(|age| age > ABANDONED)
}

/// Another process may have removed it already.
fn remove(file: &DirEntry) {
    if let Err(error) = fs::remove_file(file.path()) {
        tracing::debug!(%error, "cannot remove {}", file.path().display());
    }
}
