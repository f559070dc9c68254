//! [`Located`]: the NVRTC that compiles, known without opening it where that was done before.

use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::cache::{Cache, Key};
use crate::compile::nvrtc::Nvrtc;
use crate::error::Error;
use crate::library::{Found, Search};
use crate::version::Version;

/// The NVRTC that compiles the kernels of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) version: Version,
    /// Its file, or the name under which the system's loader found it.
    pub(crate) name: String,
}

impl Located {
    /// The NVRTC of this process.
    ///
    /// Opening it takes longer than everything else that a cached kernel needs, so the cache keeps the
    /// version of each file.
    pub(crate) fn get() -> Result<&'static Located, Error> {
        static KNOWN: OnceLock<Located> = OnceLock::new();
        if let Some(known) = KNOWN.get() {
            return Ok(known);
        }
        let found = Search::for_nvrtc().find_nvrtc()?;
        let name = found.name();
        let file = match (&found, Cache::global()) {
            (Found::File { library, .. }, Some(cache)) => {
                key_of_file(library).map(|key| (cache, key))
            }
            _ => None,
        };
        let version = match file {
            Some((cache, key)) => version_of_file(cache, &key)?,
            None => Nvrtc::get()?.version,
        };
        Ok(KNOWN.get_or_init(|| Located { version, name }))
    }
}

fn version_of_file(cache: &Cache, key: &Key) -> Result<Version, Error> {
    let kept = cache.get(key).and_then(|bytes| {
        let bytes: [u8; 8] = bytes.try_into().ok()?;
        let (major, minor) = (u64::from_le_bytes(bytes) >> 32, u64::from_le_bytes(bytes));
        Some(Version { major: major as u32, minor: minor as u32 })
    });
    if let Some(version) = kept {
        return Ok(version);
    }
    let version = Nvrtc::get()?.version;
    let packed = (u64::from(version.major) << 32) | u64::from(version.minor);
    cache.put(key, &packed.to_le_bytes());
    Ok(version)
}

/// Identifies a file of NVRTC without reading its 100 MB.
fn key_of_file(library: &Path) -> Option<Key> {
    let path = library.canonicalize().ok()?;
    let metadata = path.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut key = Key::builder();
    key.add("version of NVRTC");
    key.add(path.as_os_str().as_encoded_bytes());
    key.add(metadata.len().to_le_bytes());
    key.add(modified.as_nanos().to_le_bytes());
    Some(key.finish())
}
