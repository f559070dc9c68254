//! Global memory as one launch sees it: which bytes it may touch.

use std::sync::Arc;

use super::buffer::Buffer;
use super::tracks::Tracks;
use crate::fault::{Allocation, Nearest};
use crate::operand::Operand;

/// How the rows of a region lie.
///
/// Whether an access stays within a row is asked for each lane, so the division by the pitch is a multiplication.
#[derive(Clone, Copy)]
struct Rows {
    count: u64,
    bytes: u64,
    /// 0 if there are no gaps between the rows.
    pitch: u64,
    /// 2^64 / `pitch`, rounded down.
    reciprocal: u64,
}

impl Rows {
    /// One row.
    fn dense(bytes: u64) -> Rows {
        Rows { count: 1, bytes, pitch: 0, reciprocal: 0 }
    }

    fn of(operand: &Operand) -> Rows {
        let Operand { rows: count, row_bytes: bytes, pitch_bytes: pitch, .. } = *operand;
        if count <= 1 || pitch == bytes {
            return Rows { count, bytes, pitch: 0, reciprocal: 0 };
        }
        // A pitch that divides 2^64 gets one less here, which `within` allows for.
        Rows { count, bytes, pitch, reciprocal: u64::MAX / pitch }
    }

    /// The offset from the start of the row that starts last before `offset`.
    #[inline]
    fn within(&self, offset: u64) -> u64 {
        // The reciprocal is less than 1 too small, so the quotient is at most 1 too small.
        let row = ((u128::from(offset) * u128::from(self.reciprocal)) >> 64) as u64;
        let within = offset - row * self.pitch;
        if within >= self.pitch { within - self.pitch } else { within }
    }

    /// Whether an access that lies between the start of the first row and the end of the last stays within one.
    #[inline]
    fn hold(&self, offset: u64, width: u64) -> bool {
        self.pitch == 0 || self.within(offset) + width <= self.bytes
    }

    /// From the start of one row to that of the next.
    fn distance(&self) -> u64 {
        if self.pitch == 0 { self.bytes } else { self.pitch }
    }
}

/// A stretch of global memory as a launch sees it.
pub(crate) struct Region {
    /// The address of the buffer's first byte.
    pub(crate) base: u64,
    pub(crate) buffer: Arc<Buffer>,
    /// Shared by the regions of a buffer.
    pub(crate) tracks: Arc<Tracks>,
    /// The address of the first byte that may be touched.
    start: u64,
    /// From there to the end of the last one.
    bytes: u64,
    rows: Rows,
    read_only: bool,
    /// Whether a thread may read it before it has waited for the predecessor.
    early: bool,
    /// The operand it is.
    name: Option<String>,
}

impl Region {
    /// All of a buffer.
    pub(crate) fn whole(base: u64, buffer: Arc<Buffer>, read_only: bool) -> Region {
        let bytes = buffer.bytes();
        Region {
            base,
            buffer,
            tracks: Arc::default(),
            start: base,
            bytes,
            rows: Rows::dense(bytes),
            read_only,
            early: read_only,
            name: None,
        }
    }

    /// An operand of `bytes` bytes, which lie in the buffer at `base`.
    pub(crate) fn operand(operand: &Operand, bytes: u64, base: u64, buffer: Arc<Buffer>) -> Region {
        Region {
            base,
            buffer,
            tracks: Arc::default(),
            start: operand.address,
            bytes,
            rows: Rows::of(operand),
            read_only: !operand.writable,
            early: operand.early,
            name: Some(operand.name.clone()),
        }
    }

    #[inline]
    fn allows(&self, Need { write, early }: Need) -> bool {
        !(write && self.read_only) && !(early && (write || !self.early))
    }

    #[inline]
    fn holds(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset < self.bytes && bytes <= self.bytes - offset && self.rows.hold(offset, bytes)
    }

    /// The row that an access comes nearest to, and how near that is.
    fn nearest(&self, address: u64, bytes: u64) -> (u64, Nearest) {
        let pitch = self.rows.distance().max(1);
        let last = self.rows.count.saturating_sub(1);
        let row = (address.saturating_sub(self.start) / pitch).min(last);
        let rows = [row, (row + 1).min(last)].map(|row| {
            let base = self.start + row * pitch;
            let end = base + self.rows.bytes;
            let before = base.saturating_sub(address.saturating_add(bytes));
            let nearest = Nearest {
                operand: self.name.clone(),
                row,
                rows: self.rows.count,
                base,
                bytes: self.rows.bytes,
            };
            (before.max(address.saturating_sub(end)), nearest)
        });
        let [this, next] = rows;
        if next.0 < this.0 { next } else { this }
    }
}

/// The global memory of one launch.
pub(crate) struct GlobalView {
    /// Ordered by where they start. Those of operands may share bytes.
    regions: Vec<Region>,
    freed: Vec<(u64, u64)>,
}

/// The conditions of an access.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// To store.
    pub(crate) write: bool,
    /// Not to have waited for the predecessor.
    pub(crate) early: bool,
}

/// Why an access to global memory is not allowed.
pub(crate) enum Miss {
    /// One that must follow a wait for the predecessor: the operand, if it is one.
    Early(Option<String>),
    Freed(Allocation),
    /// A store to what may only be read: the operand, if it is one.
    ReadOnly(Option<String>),
    /// With what it comes nearest to, if there is anything.
    Outside(Option<Nearest>),
}

impl GlobalView {
    pub(crate) fn new(mut regions: Vec<Region>, freed: Vec<(u64, u64)>) -> GlobalView {
        regions.sort_by_key(|region| region.start);
        // The regions of one buffer are neighbours.
        for index in 1..regions.len() {
            if regions[index].base == regions[index - 1].base {
                regions[index].tracks = regions[index - 1].tracks.clone();
            }
        }
        GlobalView { regions, freed }
    }

    /// A region that holds all `bytes` bytes at `address` and allows what is needed, looked for at index `hint` first.
    #[inline]
    pub(crate) fn find(
        &self,
        address: u64,
        bytes: u64,
        need: Need,
        hint: &mut u32,
    ) -> Option<&Region> {
        let allows = |region: &&Region| region.allows(need) && region.holds(address, bytes);
        match self.regions.get(*hint as usize).filter(allows) {
            Some(region) => Some(region),
            None => self.search(address, allows, hint),
        }
    }

    fn search(
        &self,
        address: u64,
        allows: impl Fn(&&Region) -> bool,
        hint: &mut u32,
    ) -> Option<&Region> {
        let after = self.regions.partition_point(|region| region.start <= address);
        // Allocations do not share bytes, so that only the last one is looked at, or the access is a fault.
        let (index, region) =
            self.regions[..after].iter().enumerate().rev().find(|(_, region)| allows(region))?;
        *hint = index as u32;
        Some(region)
    }

    /// The reason why [`GlobalView::find`] found no region.
    #[cold]
    pub(crate) fn miss(&self, address: u64, bytes: u64, need: Need) -> Miss {
        let find = |need| self.find(address, bytes, need, &mut 0);
        if let Some(region) = find(Need { early: false, ..need }).filter(|_| need.early) {
            return Miss::Early(region.name.clone());
        }
        if let Some(region) = find(Need { write: false, early: false }).filter(|_| need.write) {
            return Miss::ReadOnly(region.name.clone());
        }
        let freed = self.freed.iter().find(|(base, bytes)| address.wrapping_sub(*base) < *bytes);
        if let Some((base, bytes)) = freed {
            return Miss::Freed(Allocation { base: *base, bytes: *bytes });
        }
        let nearest = self.regions.iter().map(|region| region.nearest(address, bytes));
        let nearest = nearest.min_by_key(|(distance, _)| *distance);
        Miss::Outside(nearest.map(|(_, nearest)| nearest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: u64, bytes: u64, pitch: u64) -> Rows {
        let name = String::new();
        let (address, writable, early) = (0, false, false);
        let operand = Operand {
            name,
            address,
            rows: count,
            row_bytes: bytes,
            pitch_bytes: pitch,
            writable,
            early,
        };
        Rows::of(&operand)
    }

    #[test]
    fn the_reciprocal_divides() {
        let near = |at: u64| [at.saturating_sub(1), at, at.saturating_add(1)];
        let powers: Vec<u64> = (1..64).flat_map(|exponent| near(1 << exponent)).collect();
        for pitch in powers.iter().copied().chain([3, 10, 258, 8 << 30, u64::MAX]) {
            if pitch < 2 {
                continue;
            }
            let rows = rows(2, 1, pitch);
            let multiples = [1, 2, 3, 7, 1000].map(|times| pitch.saturating_mul(times));
            for offset in powers.iter().copied().chain(multiples.into_iter().flat_map(near)) {
                assert_eq!(rows.within(offset), offset % pitch, "{offset} % {pitch}");
            }
        }
    }

    #[test]
    fn rows_hold_what_does_not_reach_their_gaps() {
        let gaps = rows(3, 10, 16);
        for offset in 0..42 {
            for width in [1, 2, 4, 8, 16] {
                let inside = offset % 16 + width <= 10;
                assert_eq!(gaps.hold(offset, width), inside, "{width} B at {offset}");
            }
        }
        assert!(rows(3, 16, 16).hold(8, 16));
    }
}
