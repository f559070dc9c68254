//! One stretch of global memory, written by many blocks at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::paged::{LINE, Paged};

/// Bytes that know whether they were ever written.
///
/// Words are relaxed atomics, so that blocks on different threads may race as they may on a device. Bytes that were
/// never written read as 0xff, which is NaN in every float type.
pub(crate) struct Buffer {
    lines: Paged<Line>,
    bytes: u64,
    /// Held during 64-bit atomics, which no single word covers.
    wide: Mutex<()>,
}

/// 32 bytes.
struct Line {
    words: [AtomicU32; 8],
    /// One bit a byte.
    written: AtomicU32,
}

impl Default for Line {
    fn default() -> Line {
        let words = std::array::from_fn(|_| AtomicU32::new(u32::MAX));
        Line { words, written: AtomicU32::new(0) }
    }
}

/// The position within its line of the word at an offset.
fn word(offset: u64) -> usize {
    (offset % LINE / 4) as usize
}

/// The bits in a line's mask of 1 to 16 bytes.
fn bits(offset: u64, width: u32) -> u32 {
    ((1 << width) - 1) << (offset % LINE)
}

impl Buffer {
    pub(crate) fn new(bytes: u64) -> Buffer {
        Buffer { lines: Paged::new(bytes), bytes, wide: Mutex::new(()) }
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether 1 to 16 bytes, within an aligned stretch of 16, have all been written.
    pub(crate) fn is_written(&self, offset: u64, width: u32) -> bool {
        let mask = bits(offset, width);
        self.lines.get(offset).is_some_and(|line| line.written.load(Relaxed) & mask == mask)
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

    /// The line of an access that writes `width` bytes.
    fn mark(&self, offset: u64, width: u32) -> &Line {
        let mask = bits(offset, width);
        let line = self.lines.touch(offset);
        if line.written.load(Relaxed) & mask != mask {
            line.written.fetch_or(mask, Relaxed);
        }
        line
    }

    /// Reads `width` bytes (1, 2, 4, 8 or 16) at an aligned offset, in words; the first holds narrow values.
    pub(crate) fn load(&self, offset: u64, width: u32) -> [u32; 4] {
        let line = self.lines.touch(offset);
        let word = |ahead: usize| line.words[word(offset) + ahead].load(Relaxed);
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
        let words = &self.lines.touch(offset).words[word(offset)..];
        let mut out = [0; 4];
        for (at, out) in out.iter_mut().enumerate().take(bytes.div_ceil(4) as usize) {
            let word = words[at].load(Relaxed);
            let left = bytes - 4 * at as u32;
            *out = if left < 4 { word & ((1 << (8 * left)) - 1) } else { word };
        }
        out
    }

    /// Writes what [`Buffer::load`] reads.
    pub(crate) fn store(&self, offset: u64, width: u32, values: [u32; 4]) {
        let words = &self.mark(offset, width).words[word(offset)..];
        if width >= 4 {
            for (word, value) in words.iter().zip(values).take(width as usize / 4) {
                word.store(value, Relaxed);
            }
        } else {
            let shift = 8 * (offset & 3) as u32;
            let mask = ((1u32 << (8 * width)) - 1) << shift;
            Buffer::update(&words[0], |old| (old & !mask) | ((values[0] << shift) & mask));
        }
    }

    fn update(word: &AtomicU32, f: impl Fn(u32) -> u32) -> u32 {
        let mut old = word.load(Relaxed);
        while let Err(found) = word.compare_exchange_weak(old, f(old), Relaxed, Relaxed) {
            old = found;
        }
        old
    }

    /// Replaces a word by `f` of it, atomically; gives the old value.
    pub(crate) fn modify(&self, offset: u64, f: impl Fn(u32) -> u32) -> u32 {
        Buffer::update(&self.mark(offset, 4).words[word(offset)], f)
    }

    /// As [`Buffer::modify`] of the 16 bits at an even offset.
    pub(crate) fn modify_half(&self, offset: u64, f: impl Fn(u32) -> u32) -> u32 {
        let line = self.mark(offset, 2);
        let shift = 8 * (offset & 3) as u32;
        let half = |word: u32| word >> shift & 0xffff;
        let replaced = |word| word & !(0xffff << shift) | (f(half(word)) & 0xffff) << shift;
        half(Buffer::update(&line.words[word(offset)], replaced))
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
        for (at, block) in (0..).zip(blocks) {
            let line = self.lines.touch(start + 32 * at);
            for (word, bytes) in line.words.iter().zip(block.as_chunks::<4>().0) {
                word.store(u32::from_le_bytes(*bytes), Relaxed);
            }
            line.written.store(u32::MAX, Relaxed);
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
            let line = self.lines.get(at);
            let word = line.map_or(u32::MAX, |line| line.words[word(at)].load(Relaxed));
            let word = word.to_le_bytes();
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
