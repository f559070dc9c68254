//! Accesses of one launch to the bytes of a buffer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use super::order::Stamps;
use super::paged::{LINE, Paged};
use super::writers::Writers;

/// Accesses to a buffer through all its operands.
#[derive(Default)]
pub(crate) struct Tracks {
    /// Which blocks have stored; used where nothing orders blocks.
    pub(crate) writers: Writers,
    /// The same with when; used where fences and atomics do.
    pub(crate) stamps: Stamps,
    pub(crate) non_coherent: NonCoherent,
}

/// The bytes that a grid reads by `ld.global.nc`, which it must not write. (PTX ISA, `ld.global.nc`)
#[derive(Default)]
pub(crate) struct NonCoherent {
    /// Made at the first access.
    lines: OnceLock<Paged<Line>>,
}

/// One bit a byte.
#[derive(Default)]
struct Line {
    read: AtomicU32,
    written: AtomicU32,
}

impl NonCoherent {
    /// Notes an access of `width` bytes at an offset into `all` bytes: by `ld.global.nc`, or a store. Gives whether the
    /// grid has done the other to one of the bytes, whichever block came first.
    pub(crate) fn note(&self, all: u64, offset: u64, width: u32, stores: bool) -> bool {
        let line = self.lines.get_or_init(|| Paged::new(all)).touch(offset);
        let mask = ((1u32 << width) - 1) << (offset % LINE);
        let (own, other) = match stores {
            true => (&line.written, &line.read),
            false => (&line.read, &line.written),
        };
        own.fetch_or(mask, SeqCst);
        other.load(SeqCst) & mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_or_written_but_not_both() {
        let track = NonCoherent::default();
        assert!(!track.note(64, 32, 4, false));
        assert!(!track.note(64, 36, 4, true));
        assert!(!track.note(64, 36, 4, true));
        assert!(track.note(64, 32, 8, true));
        assert!(track.note(64, 36, 2, false));
    }
}
