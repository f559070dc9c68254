//! Stamps: when a byte was accessed last, and by whom.

use crate::memory::clocks::MOST;
use crate::memory::reader::READERS;

/// Low bits of a stamp: who, and whether by an atomic operation; the rest is the time.
pub(super) const WHO_BITS: u32 = 12;
pub(super) const WHO_MASK: u32 = ATOMIC - 1;
pub(super) const ATOMIC: u32 = 1 << (WHO_BITS - 1);
/// 0 to 1023 are threads; from here on, several threads of one warp.
pub(super) const SEVERAL_OF_WARP: u32 = 1024;
/// Threads of several warps.
pub(super) const SEVERAL: u32 = 1024 + 32;
/// From here on, of a write: the copies of an mbarrier, by its number; of a read: a group of lanes, by its number.
pub(super) const NUMBERED: u32 = SEVERAL + 1;
/// From here on, of a read: the asynchronous operations of a reader.
pub(super) const READING: u32 = NUMBERED + MOST as u32;
const _: () = assert!(READING + READERS as u32 <= ATOMIC);
/// Stamps stay positive as i32, which compares fast.
pub(super) const MAX_TIME: u32 = 1 << (31 - WHO_BITS - 1);

/// Which stamps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Writes,
    Reads,
}

pub(super) fn warp_of(who: u32) -> Option<u32> {
    match who {
        0..SEVERAL_OF_WARP => Some(who / 32),
        SEVERAL_OF_WARP..SEVERAL => Some(who - SEVERAL_OF_WARP),
        _ => None,
    }
}

pub(super) fn all_before(stamps: &[u32], limit: u32) -> bool {
    stamps.iter().fold(true, |all, stamp| all & ((*stamp as i32) < limit as i32))
}
