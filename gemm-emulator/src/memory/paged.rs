//! A long array in which only the touched pages exist, so that a buffer may be larger than the host's memory.

use std::sync::OnceLock;

/// Bytes of global memory that one entry describes. No access is wider or crosses the boundary between two.
pub(super) const LINE: u64 = 32;
/// Entries of a page.
const PAGE: usize = 1 << 12;

/// One entry for each [`LINE`] bytes.
pub(super) struct Paged<T> {
    pages: Box<[OnceLock<Box<[T]>>]>,
    lines: usize,
}

impl<T: Default> Paged<T> {
    /// For `bytes` bytes.
    pub(super) fn new(bytes: u64) -> Paged<T> {
        let lines = bytes.div_ceil(LINE) as usize;
        let pages = (0..lines.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Paged { pages, lines }
    }

    /// The entry of the byte at `offset`, if its page was touched.
    #[inline]
    pub(super) fn get(&self, offset: u64) -> Option<&T> {
        let line = (offset / LINE) as usize;
        self.pages[line / PAGE].get().map(|page| &page[line % PAGE])
    }

    /// The entry of the byte at `offset`.
    #[inline]
    pub(super) fn touch(&self, offset: u64) -> &T {
        let line = (offset / LINE) as usize;
        let fresh = || {
            let lines = PAGE.min(self.lines - line / PAGE * PAGE);
            (0..lines).map(|_| T::default()).collect()
        };
        &self.pages[line / PAGE].get_or_init(fresh)[line % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn only_touched_pages_exist() {
        let paged = Paged::<AtomicU32>::new((1 << 33) + 1);
        for offset in [0, 1 << 31, 1 << 33] {
            assert!(paged.get(offset).is_none());
            paged.touch(offset).store(7, Relaxed);
            let value = |at| paged.get(at).map(|entry: &AtomicU32| entry.load(Relaxed));
            assert_eq!(value(offset), Some(7));
            assert_eq!(value(offset ^ 31), Some(7), "the same line");
        }
        assert_eq!(paged.pages.iter().filter(|page| page.get().is_some()).count(), 3);
    }
}
