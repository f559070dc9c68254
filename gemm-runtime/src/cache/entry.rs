//! The format of an entry: a magic number, a checksum, the payload.

use std::fmt;

use blake2b_simd::{Hash, Params, State};

/// Changed with the format.
const MAGIC: &[u8; 8] = b"gemmrt02";

/// Bytes of a hash.
const HASH: usize = 32;

/// The hash of everything that an entry depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(Hash);

/// Hashes everything that an entry depends on.
#[derive(Debug)]
pub(crate) struct KeyBuilder(State);

impl Key {
    pub(crate) fn builder() -> KeyBuilder {
        KeyBuilder(hasher())
    }

    /// A number below `of`, evenly distributed over keys.
    pub(super) fn bucket(&self, of: u8) -> u8 {
        self.0.as_bytes()[0] % of
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

impl KeyBuilder {
    /// Adds a part; where one part ends and the next begins matters.
    pub(crate) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub(crate) fn finish(&self) -> Key {
        Key(self.0.finalize())
    }
}

/// The content of the file of an entry.
pub(super) fn seal(key: &Key, payload: &[u8]) -> Vec<u8> {
    [MAGIC.as_slice(), checksum(key, payload).as_bytes(), payload].concat()
}

/// The payload in the content of a file, if it is complete and belongs to `key`.
pub(super) fn open<'a>(key: &Key, content: &'a [u8]) -> Option<&'a [u8]> {
    let rest = content.strip_prefix(MAGIC)?;
    let (sum, payload) = rest.split_at_checked(HASH)?;
    (checksum(key, payload).as_bytes() == sum).then_some(payload)
}

fn checksum(key: &Key, payload: &[u8]) -> Hash {
    hasher().update(key.0.as_bytes()).update(payload).finalize()
}

/// BLAKE2b (RFC 7693).
fn hasher() -> State {
    Params::new().hash_length(HASH).to_state()
}
