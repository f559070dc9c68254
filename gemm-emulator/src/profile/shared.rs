//! How many wavefronts the banks of shared memory need.

use super::SharedTraffic;
use crate::fault::Direction;
use crate::lanes::{LANES, lanes_of};

/// Bytes that the banks deliver together: 32 banks of 4 bytes.
const CYCLE: u64 = 128;
const BANK_BYTES: u64 = 4;

/// The request of a warp whose lanes in `mask` access `bytes` bytes each, at addresses that are multiples of it.
pub(super) fn request(
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u32,
    direction: Direction,
) -> SharedTraffic {
    let mut traffic = SharedTraffic {
        requests: u64::from(mask != 0),
        bytes: u64::from(bytes) * u64::from(mask.count_ones()),
        ..SharedTraffic::default()
    };
    for group in groups(addresses, mask, bytes, direction) {
        serve(&mut traffic, passes(addresses, group, bytes));
    }
    traffic
}

/// The lanes that are served together, as masks.
fn groups(
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u32,
    direction: Direction,
) -> impl Iterator<Item = u32> {
    let parts: &[[u32; 2]] = match bytes {
        16 => &[[0x0000_00ff, 0x0000_ff00], [0x00ff_0000, 0xff00_0000]],
        _ => &[[0x0000_ffff, 0xffff_0000]],
    };
    let groups = parts.iter().flat_map(move |halves| {
        let [low, high] = halves.map(|half| mask & half);
        let one = bytes <= 4 || is_one_group(addresses, low | high, direction);
        if one { [low | high, 0] } else { [low, high] }
    });
    groups.filter(|group| *group != 0)
}

/// The wavefront that serves each lane of [`request`], from 0. In which order a bank delivers its words is not
/// documented: here in that of the lanes.
pub(crate) fn wavefronts(
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u32,
    direction: Direction,
) -> [u32; LANES] {
    let (mut of_lanes, mut served) = ([0; LANES], 0);
    for group in groups(addresses, mask, bytes, direction) {
        served += number(addresses, group, bytes, |lane, pass| of_lanes[lane] = served + pass);
    }
    of_lanes
}

/// The wavefront that serves each row of [`rows`].
pub(crate) fn wavefronts_of_rows(addresses: &[u64]) -> Vec<u32> {
    let (mut of_rows, mut served) = (vec![0; addresses.len()], 0);
    for (group, of_group) in addresses.chunks(8).zip(of_rows.chunks_mut(8)) {
        served += number(group, u32::MAX, 16, |row, pass| of_group[row] = served + pass);
    }
    of_rows
}

/// Tells the pass in which each lane of a group is served, and returns how many there are.
fn number(addresses: &[u64], active: u32, bytes: u32, mut tell: impl FnMut(usize, u32)) -> u32 {
    let unit = u64::from(bytes).max(BANK_BYTES);
    let columns = CYCLE / unit;
    let mut met: Vec<(u64, u32)> = Vec::new();
    let mut passes = [0; LANES];
    for (lane, address) in addresses.iter().enumerate().filter(|(lane, _)| active >> lane & 1 == 1)
    {
        let chunk = address / unit;
        let pass = match met.iter().find(|(other, _)| *other == chunk) {
            Some((_, pass)) => *pass,
            None => {
                let next = &mut passes[(chunk % columns) as usize];
                met.push((chunk, *next));
                *next += 1;
                *next - 1
            }
        };
        tell(lane, pass);
    }
    passes.into_iter().max().unwrap_or(0)
}

/// Whether lanes that would be served in two groups are served in one.
fn is_one_group(addresses: &[u64; LANES], lanes: u32, direction: Direction) -> bool {
    let same = |lane: usize, other: usize| {
        direction == Direction::Read && addresses[lane] == addresses[other]
    };
    [1, 2].into_iter().any(|distance| {
        lanes_of(lanes).all(|lane| {
            let other = lane ^ distance;
            lanes >> other & 1 == 0 || same(lane, other)
        })
    })
}

/// The request of a warp that moves matrices; each eight rows of 16 bytes are one of them.
pub(super) fn rows(addresses: &[u64]) -> SharedTraffic {
    let bytes = 16 * addresses.len() as u64;
    let mut traffic = SharedTraffic { requests: 1, bytes, ..SharedTraffic::default() };
    addresses.chunks(8).for_each(|group| serve(&mut traffic, passes(group, u32::MAX, 16)));
    traffic
}

/// The request of one tensor copy, which writes whole cycles without conflicts.
pub(super) fn tensor(bytes: u64) -> SharedTraffic {
    let cycles = bytes.div_ceil(CYCLE);
    SharedTraffic { requests: 1, groups: cycles, wavefronts: cycles, most_per_group: 1, bytes }
}

fn serve(traffic: &mut SharedTraffic, passes: u32) {
    traffic.groups += 1;
    traffic.wavefronts += u64::from(passes);
    traffic.most_per_group = traffic.most_per_group.max(passes);
}

/// The most different words that one bank, or the banks of an aligned chunk together, must deliver.
fn passes(addresses: &[u64], active: u32, bytes: u32) -> u32 {
    let unit = u64::from(bytes).max(BANK_BYTES);
    let columns = CYCLE / unit;
    // Column by column, the chunk served last: most often none has two.
    let mut taken = 0u32;
    let mut last = [0u64; LANES];
    let mut clean = true;
    let lanes = addresses.iter().enumerate().filter(|(lane, _)| active >> lane & 1 == 1);
    for (_, address) in lanes.clone() {
        let chunk = address / unit;
        let column = (chunk % columns) as usize;
        clean &= taken >> column & 1 == 0 || last[column] == chunk;
        taken |= 1 << column;
        last[column] = chunk;
    }
    if clean {
        return 1;
    }
    let mut chunks = [0u64; LANES];
    let mut count = 0;
    for (_, address) in lanes {
        chunks[count] = address / unit;
        count += 1;
    }
    let chunks = &mut chunks[..count];
    chunks.sort_unstable();
    let mut passes = [0u32; LANES];
    for (at, chunk) in chunks.iter().enumerate() {
        if at == 0 || chunks[at - 1] != *chunk {
            passes[(chunk % columns) as usize] += 1;
        }
    }
    passes.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_pitch(pitch: u64) -> [u64; LANES] {
        std::array::from_fn(|lane| lane as u64 * pitch)
    }

    fn load(addresses: &[u64; LANES], mask: u32, bytes: u32) -> SharedTraffic {
        request(addresses, mask, bytes, Direction::Read)
    }

    fn most(addresses: &[u64; LANES], bytes: u32) -> u32 {
        load(addresses, u32::MAX, bytes).most_per_group
    }

    #[test]
    fn consecutive_lanes_are_free_of_conflicts() {
        for (bytes, groups) in [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)] {
            let traffic = load(&with_pitch(bytes), u32::MAX, bytes as u32);
            assert_eq!((traffic.groups, traffic.wavefronts), (groups, groups), "{bytes} B");
            assert_eq!((traffic.requests, traffic.bytes), (1, 32 * bytes));
        }
    }

    #[test]
    fn strides_meet_in_a_bank() {
        let most_of = |pitch| most(&with_pitch(pitch), 4);
        assert_eq!([4, 8, 12, 16, 64, 128, 132].map(most_of), [1, 2, 1, 4, 16, 32, 1]);
        assert_eq!(
            [16, 32, 48, 64, 128, 144].map(|p| most(&with_pitch(p), 16)),
            [1, 2, 1, 4, 8, 1]
        );
        assert_eq!([8, 16, 24, 128].map(|p| most(&with_pitch(p), 8)), [1, 2, 1, 16]);
    }

    #[test]
    fn lanes_at_one_word_are_served_together() {
        for (bytes, wavefronts) in [(4, 1), (8, 1), (16, 2)] {
            let traffic = load(&[64; LANES], u32::MAX, bytes);
            assert_eq!((traffic.wavefronts, traffic.groups), (wavefronts, wavefronts), "{bytes} B");
        }
        // Two words of one bank, in turns: the chunk last seen is never the same.
        let turns = std::array::from_fn(|lane| 128 * (lane as u64 % 2));
        assert_eq!(most(&turns, 4), 2);
        assert_eq!(most(&turns, 16), 2);
    }

    /// As measured, see the calibration in docs/emulator.md.
    #[test]
    fn neighbours_at_one_place_are_served_with_the_other_half() {
        let pairs = std::array::from_fn(|lane| lane as u64 / 2 * 16);
        assert_eq!(load(&pairs, u32::MAX, 16).wavefronts, 2);
        assert_eq!(request(&pairs, u32::MAX, 16, Direction::Write).wavefronts, 4);
        let next_but_one = std::array::from_fn(|lane| (lane as u64 / 4 * 2 + lane as u64 % 2) * 8);
        assert_eq!(load(&next_but_one, u32::MAX, 8).wavefronts, 1);
        let fourth_lanes = load(&with_pitch(128), 0x1111_1111, 16);
        assert_eq!((fourth_lanes.groups, fourth_lanes.wavefronts), (2, 8));
        assert_eq!(load(&with_pitch(128), 0x1111_1111, 8).groups, 1);
    }

    #[test]
    fn lanes_held_back_take_no_part() {
        let addresses = with_pitch(128);
        let traffic = load(&addresses, 0b101, 16);
        assert_eq!((traffic.groups, traffic.wavefronts, traffic.bytes), (1, 2, 32));
        assert_eq!(load(&addresses, 0, 16), SharedTraffic::default());
        assert_eq!(load(&addresses, 1 << 31, 16).wavefronts, 1);
    }

    #[test]
    fn the_wavefronts_of_lanes_are_those_that_are_counted() {
        for (pitch, bytes) in [
            (0, 4),
            (4, 4),
            (8, 4),
            (12, 4),
            (64, 4),
            (132, 4),
            (8, 8),
            (16, 8),
            (16, 16),
            (32, 16),
            (64, 16),
        ] {
            let addresses = with_pitch(pitch);
            for direction in [Direction::Read, Direction::Write] {
                let counted = request(&addresses, u32::MAX, bytes, direction).wavefronts;
                let of_lanes = wavefronts(&addresses, u32::MAX, bytes, direction);
                let mut met = of_lanes.to_vec();
                met.sort_unstable();
                met.dedup();
                let all: Vec<u32> = (0..counted as u32).collect();
                assert_eq!(met, all, "{bytes} B, {pitch} apart: {of_lanes:?}");
            }
        }
        let of_rows = |pitch| wavefronts_of_rows(&with_pitch(pitch)[..16]);
        assert_eq!(of_rows(16), [[0; 8], [1; 8]].concat());
        assert_eq!(of_rows(128), (0..16).collect::<Vec<u32>>());
    }

    #[test]
    fn matrices_are_served_one_by_one() {
        let rows_of = |pitch: u64| rows(&(0..32).map(|row| row * pitch).collect::<Vec<u64>>());
        assert_eq!((rows_of(16).wavefronts, rows_of(16).groups), (4, 4));
        assert_eq!((rows_of(64).wavefronts, rows_of(64).conflicts()), (16, 12));
        assert_eq!(rows(&[0; 8]).groups, 1);
    }
}
