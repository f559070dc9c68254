//! One stretch of global memory, written by many blocks at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Bytes that know whether they were ever written.
///
/// Words are relaxed atomics, so that blocks on different threads may race as they may on a device. Bytes that were
/// never written read as 0xff, which is NaN in every float type.
pub(crate) struct Buffer {
    words: Box<[AtomicU32]>,
    /// One bit a byte.
    written: Box<[AtomicU32]>,
    bytes: u64,
    /// Held during 64-bit atomics, which no single word covers.
    wide: Mutex<()>,
}

impl Buffer {
    pub(crate) fn new(bytes: u64) -> Buffer {
        let words = bytes.div_ceil(4) as usize;
        Buffer {
            words: (0..words).map(|_| AtomicU32::new(u32::MAX)).collect(),
            written: (0..words.div_ceil(8)).map(|_| AtomicU32::new(0)).collect(),
            bytes,
            wide: Mutex::new(()),
        }
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether 1 to 16 bytes, within an aligned stretch of 16, have all been written.
    pub(crate) fn is_written(&self, offset: u64, width: u32) -> bool {
        let mask = ((1u32 << width) - 1) << (offset & 31);
        self.written[(offset / 32) as usize].load(Relaxed) & mask == mask
    }

    /// Whether any number of bytes have all been written.
    pub(crate) fn are_written(&self, offset: u64, bytes: u64) -> bool {
        let (mut at, end) = (offset, offset + bytes);
        while at < end {
            let width = (end - at).min(16 - at % 16);
            if !self.is_written(at, width as u32) {
                return false;
            }
            at += width;
        }
        true
    }

    fn mark(&self, offset: u64, width: u32) {
        let mask = ((1u32 << width) - 1) << (offset & 31);
        let flags = &self.written[(offset / 32) as usize];
        if flags.load(Relaxed) & mask != mask {
            flags.fetch_or(mask, Relaxed);
        }
    }

    /// Reads `width` bytes (1, 2, 4, 8 or 16) at an aligned offset, in words of which the first holds narrow values.
    pub(crate) fn load(&self, offset: u64, width: u32) -> [u32; 4] {
        let first = (offset / 4) as usize;
        let word = |ahead: usize| self.words[first + ahead].load(Relaxed);
        match width {
            16 => [word(0), word(1), word(2), word(3)],
            8 => [word(0), word(1), 0, 0],
            4 => [word(0), 0, 0, 0],
            _ => {
                let shifted = word(0) >> (8 * (offset & 3));
                [shifted & ((1 << (8 * width)) - 1), 0, 0, 0]
            }
        }
    }

    /// Reads 1 to 16 bytes at an offset aligned to 4, the rest zero.
    pub(crate) fn load_prefix(&self, offset: u64, bytes: u32) -> [u32; 4] {
        let first = (offset / 4) as usize;
        let mut out = [0; 4];
        for (at, out) in out.iter_mut().enumerate().take(bytes.div_ceil(4) as usize) {
            let word = self.words[first + at].load(Relaxed);
            let left = bytes - 4 * at as u32;
            *out = if left < 4 { word & ((1 << (8 * left)) - 1) } else { word };
        }
        out
    }

    /// Writes what [`Buffer::load`] reads.
    pub(crate) fn store(&self, offset: u64, width: u32, values: [u32; 4]) {
        let first = (offset / 4) as usize;
        if width >= 4 {
            for (ahead, value) in values.iter().take(width as usize / 4).enumerate() {
                self.words[first + ahead].store(*value, Relaxed);
            }
        } else {
            let shift = 8 * (offset & 3) as u32;
            let mask = ((1u32 << (8 * width)) - 1) << shift;
            self.update(first, |old| (old & !mask) | ((values[0] << shift) & mask));
        }
        self.mark(offset, width);
    }

    fn update(&self, word: usize, f: impl Fn(u32) -> u32) -> u32 {
        let word = &self.words[word];
        let mut old = word.load(Relaxed);
        while let Err(found) = word.compare_exchange_weak(old, f(old), Relaxed, Relaxed) {
            old = found;
        }
        old
    }

    /// Replaces a word by `f` of it, atomically; gives the old value.
    pub(crate) fn modify(&self, offset: u64, f: impl Fn(u32) -> u32) -> u32 {
        self.mark(offset, 4);
        self.update((offset / 4) as usize, f)
    }

    /// As [`Buffer::modify`] of the 16 bits at an even offset.
    pub(crate) fn modify_half(&self, offset: u64, f: impl Fn(u32) -> u32) -> u32 {
        self.mark(offset, 2);
        let shift = 8 * (offset & 3) as u32;
        let half = |word: u32| word >> shift & 0xffff;
        let replaced = |word| word & !(0xffff << shift) | (f(half(word)) & 0xffff) << shift;
        half(self.update((offset / 4) as usize, replaced))
    }

    /// Replaces 64 bits by `f` of them, atomically among calls of this; gives the old value.
    pub(crate) fn modify_wide(&self, offset: u64, f: impl Fn(u64) -> u64) -> u64 {
        let _held = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.load(offset, 8);
        let old = u64::from(old[0]) | u64::from(old[1]) << 32;
        let new = f(old);
        self.store(offset, 8, [new as u32, (new >> 32) as u32, 0, 0]);
        old
    }

    /// Copies from the host; the caller has checked the bounds.
    pub(crate) fn write_bytes(&self, offset: u64, bytes: &[u8]) {
        let head = (offset.next_multiple_of(32) - offset).min(bytes.len() as u64) as usize;
        let (head, rest) = bytes.split_at(head);
        self.write_singly(offset, head);
        let start = offset + head.len() as u64;
        let (blocks, tail) = rest.as_chunks::<32>();
        for (at, block) in blocks.iter().enumerate() {
            let at = (start / 32) as usize + at;
            for (word, bytes) in block.as_chunks::<4>().0.iter().enumerate() {
                self.words[at * 8 + word].store(u32::from_le_bytes(*bytes), Relaxed);
            }
            self.written[at].store(u32::MAX, Relaxed);
        }
        self.write_singly(start + 32 * blocks.len() as u64, tail);
    }

    fn write_singly(&self, offset: u64, bytes: &[u8]) {
        for (at, byte) in (offset..).zip(bytes) {
            self.store(at, 1, [u32::from(*byte), 0, 0, 0]);
        }
    }

    /// Copies to the host; the caller has checked the bounds.
    pub(crate) fn read_bytes(&self, offset: u64, bytes: &mut [u8]) {
        let (mut at, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let within = (at & 3) as usize;
            let (part, behind) = rest.split_at_mut(rest.len().min(4 - within));
            let word = self.words[(at / 4) as usize].load(Relaxed).to_le_bytes();
            part.copy_from_slice(&word[within..within + part.len()]);
            at += part.len() as u64;
            rest = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_copies_mark_exactly_their_bytes() {
        let buffer = Buffer::new(200);
        let bytes: Vec<u8> = (0..100).collect();
        buffer.write_bytes(7, &bytes);
        let mut back = vec![0; 102];
        buffer.read_bytes(6, &mut back);
        assert_eq!(back[0], 0xff);
        assert_eq!(back[1..101], bytes);
        assert_eq!(back[101], 0xff);
        for at in 0..200 {
            assert_eq!(buffer.is_written(at, 1), (7..107).contains(&at), "byte {at}");
            for bytes in [1, 15, 16, 33, 90] {
                let within = at >= 7 && at + bytes <= 107;
                assert!(at + bytes > 200 || buffer.are_written(at, bytes) == within);
            }
        }
    }

    #[test]
    fn narrow_stores_leave_their_neighbours() {
        let buffer = Buffer::new(8);
        buffer.store(0, 8, [0x0403_0201, 0x0807_0605, 0, 0]);
        buffer.store(2, 2, [0xbbaa, 0, 0, 0]);
        buffer.store(5, 1, [0xcc, 0, 0, 0]);
        assert_eq!(buffer.load(0, 8), [0xbbaa_0201, 0x0807_cc05, 0, 0]);
    }
}
