//! Races between blocks: which block has written a byte of global memory.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::paged::{LINE, Paged};

/// For each byte, the block of this launch that stored to it last.
///
/// Nothing orders the blocks of a grid, but for atomics and fences; a kernel that has one of them is not checked. Of
/// two stores to a byte by different blocks either may then be the last, even if here they happen one after the other.
#[derive(Default)]
pub(crate) struct Writers {
    /// A block's number plus 1; 0 where nothing was stored. Made at the first store.
    lines: OnceLock<Paged<[AtomicU32; LINE as usize]>>,
}

impl Writers {
    /// Notes a store of `width` bytes at an offset into `all` bytes; gives another block that has stored there.
    pub(crate) fn note(&self, all: u64, offset: u64, width: u32, block: u64) -> Option<u32> {
        let line = self.lines.get_or_init(|| Paged::new(all)).touch(offset);
        // Numbers beyond 32 bits are told apart by their low ones: a race may be missed, none is made up.
        let own = (block as u32).wrapping_add(1).max(1);
        let start = (offset % LINE) as usize;
        let stores = line[start..start + width as usize].iter();
        let before = stores.map(|byte| byte.swap(own, Relaxed));
        // All bytes are noted, also after one with a race.
        before
            .fold(None, |found, before| found.or((before != 0 && before != own).then_some(before)))
            .map(|number| number - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_another_block_is_found() {
        let writers = Writers::default();
        assert_eq!(writers.note(16, 0, 8, 3), None);
        assert_eq!(writers.note(16, 4, 4, 3), None);
        assert_eq!(writers.note(16, 8, 8, 0), None);
        assert_eq!(writers.note(16, 6, 2, 7), Some(3));
        assert_eq!(writers.note(16, 4, 4, 7), Some(3));
        assert_eq!(writers.note(16, 4, 4, 7), None);
        assert_eq!(writers.note(16, 8, 1, 7), Some(0));
    }
}
