//! How many sectors and lines of global memory a request touches.

use super::GlobalTraffic;
use crate::exec::lanes_of;
use crate::program::LANES;

const SECTOR_BYTES: u64 = 32;
const SECTORS_PER_LINE: u64 = 4;

/// The request of a warp whose lanes in `mask` access `bytes(lane)` bytes each, none of which crosses a sector.
pub(super) fn request(
    addresses: &[u64; LANES],
    mask: u32,
    bytes: impl Fn(usize) -> u32,
) -> GlobalTraffic {
    let mut traffic = GlobalTraffic::default();
    let mut sectors = [0u64; LANES];
    let mut count = 0;
    for lane in lanes_of(mask) {
        let width = bytes(lane);
        traffic.bytes += u64::from(width);
        if width > 0 {
            sectors[count] = addresses[lane] / SECTOR_BYTES;
            count += 1;
        }
    }
    let sectors = &mut sectors[..count];
    if !sectors.is_sorted() {
        sectors.sort_unstable();
    }
    traffic.requests = u64::from(count > 0);
    traffic.sectors = distinct(sectors.iter().copied());
    traffic.lines = distinct(sectors.iter().map(|sector| sector / SECTORS_PER_LINE));
    traffic
}

/// How many different values there are among sorted ones.
fn distinct(sorted: impl Iterator<Item = u64>) -> u64 {
    let (mut last, mut count) = (None, 0);
    for value in sorted {
        count += u64::from(last != Some(value));
        last = Some(value);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(address: impl Fn(u64) -> u64, mask: u32, bytes: u32) -> [u64; 4] {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let traffic = request(&addresses, mask, |_| bytes);
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

    #[test]
    fn lanes_that_touch_nothing_ask_for_nothing() {
        assert_eq!(touched(|lane| 4 * lane, 0, 4), [0; 4]);
        assert_eq!(touched(|lane| 4 * lane, u32::MAX, 0), [0; 4]);
        assert_eq!(touched(|lane| 4 * lane, 0x100, 4), [1, 1, 1, 4]);
    }
}
