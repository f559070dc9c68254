//! How many sectors and lines of global memory a request touches.

use super::GlobalTraffic;
use crate::lanes::{LANES, lanes_of};

const SECTOR_BYTES: u64 = 32;
const SECTORS_PER_LINE: u64 = 4;

/// The request of a warp whose lanes in `mask` access `bytes(lane)` bytes each, within a sector.
///
/// `place(lane)` tells apart fetches of one sector that are not made as one.
pub(super) fn request(
    addresses: &[u64; LANES],
    mask: u32,
    bytes: impl Fn(usize) -> u32,
    place: impl Fn(usize) -> u64,
) -> GlobalTraffic {
    let mut traffic = GlobalTraffic::default();
    let mut fetches = [(0u64, 0u64); LANES];
    let mut count = 0;
    for lane in lanes_of(mask) {
        let width = bytes(lane);
        traffic.bytes += u64::from(width);
        if width > 0 {
            fetches[count] = (addresses[lane] / SECTOR_BYTES, place(lane));
            count += 1;
        }
    }
    let fetches = &mut fetches[..count];
    if !fetches.is_sorted() {
        fetches.sort_unstable();
    }
    traffic.requests = u64::from(count > 0);
    traffic.sectors = distinct(fetches.iter());
    traffic.lines = distinct(fetches.iter().map(|(sector, _)| sector / SECTORS_PER_LINE));
    traffic
}

/// The request of a warp's `cp.async` from `from` to `to` in shared memory.
pub(super) fn copy(
    from: &[u64; LANES],
    to: &[u64; LANES],
    mask: u32,
    bytes: impl Fn(usize) -> u32,
    past_l1: bool,
) -> GlobalTraffic {
    let place = |lane: usize| {
        let (half_from, half_to) = (from[lane] / 16, to[lane] / 16);
        let exchanged = (half_from ^ half_to) & 1;
        to[lane] / SECTOR_BYTES * 2 + exchanged
    };
    request(from, mask, bytes, |lane| if past_l1 { place(lane) } else { 0 })
}

/// The request of one tensor copy: what it reads of each row, in ascending order of their addresses.
pub(super) fn rows(rows: &[(u64, u64)]) -> GlobalTraffic {
    let sectors = rows
        .iter()
        .filter(|(_, bytes)| *bytes > 0)
        .flat_map(|(address, bytes)| address / SECTOR_BYTES..=(address + bytes - 1) / SECTOR_BYTES);
    GlobalTraffic {
        requests: u64::from(sectors.clone().next().is_some()),
        sectors: distinct(sectors.clone()),
        lines: distinct(sectors.map(|sector| sector / SECTORS_PER_LINE)),
        bytes: rows.iter().map(|(_, bytes)| bytes).sum(),
    }
}

/// How many different values there are among sorted ones.
fn distinct<T: PartialEq>(sorted: impl Iterator<Item = T>) -> u64 {
    let (mut last, mut count) = (None, 0);
    for value in sorted {
        let next = Some(value);
        count += u64::from(last != next);
        last = next;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(address: impl Fn(u64) -> u64, mask: u32, bytes: u32) -> [u64; 4] {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let traffic = request(&addresses, mask, |_| bytes, |_| 0);
        [traffic.requests, traffic.sectors, traffic.lines, traffic.bytes]
    }

    #[test]
    fn sectors_and_lines_are_counted_once_a_request() {
        assert_eq!(touched(|lane| 4 * lane, u32::MAX, 4), [1, 4, 1, 128]);
        assert_eq!(touched(|lane| 16 * lane, u32::MAX, 16), [1, 16, 4, 512]);
        assert_eq!(touched(|lane| 16 + 4 * lane, u32::MAX, 4), [1, 5, 2, 128]);
        assert_eq!(touched(|lane| 128 * (31 - lane), u32::MAX, 2), [1, 32, 32, 64]);
        assert_eq!(touched(|_| 64, u32::MAX, 8), [1, 1, 1, 256]);
    }

    /// As measured, see the calibration in docs/emulator.md.
    #[test]
    fn copies_past_l1_fetch_a_sector_for_each_place_it_goes_to() {
        let from = std::array::from_fn(|lane| 16 * lane as u64);
        let sectors =
            |to: [u64; LANES], past_l1| copy(&from, &to, u32::MAX, |_| 16, past_l1).sectors;
        let apart = from.map(|at| 2 * at);
        assert_eq!(
            [sectors(from, true), sectors(apart, true), sectors(apart, false)],
            [16, 32, 16]
        );
        assert_eq!(sectors(from.map(|at| at ^ 16), true), 16, "halves in the other order");
        assert_eq!(sectors(from.map(|at| at ^ 32), true), 16, "sectors in another order");
        assert_eq!(sectors(from.map(|at| at + 16), true), 32, "halves of different sectors");
    }

    #[test]
    fn rows_of_a_tensor_share_sectors() {
        let counts = |of: &[(u64, u64)]| {
            let traffic = rows(of);
            [traffic.requests, traffic.sectors, traffic.lines, traffic.bytes]
        };
        assert_eq!(counts(&[(0, 128), (512, 128)]), [1, 8, 2, 256]);
        assert_eq!(counts(&[(16, 32), (48, 32)]), [1, 3, 1, 64]);
        assert_eq!(counts(&[(130, 2), (258, 0)]), [1, 1, 1, 2]);
        assert_eq!(counts(&[]), [0; 4]);
    }

    #[test]
    fn lanes_that_touch_nothing_ask_for_nothing() {
        assert_eq!(touched(|lane| 4 * lane, 0, 4), [0; 4]);
        assert_eq!(touched(|lane| 4 * lane, u32::MAX, 0), [0; 4]);
        assert_eq!(touched(|lane| 4 * lane, 0x100, 4), [1, 1, 1, 4]);
    }
}
