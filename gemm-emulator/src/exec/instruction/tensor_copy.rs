//! Copies of boxes of tensors to shared memory.

use super::mbarrier;
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step, Stop};
use crate::fault::{Direction, Violation};
use crate::lanes::{Lanes, lanes_of};
use crate::memory::resolve;
use crate::number::nearest_tf32;
use crate::program::TensorCopy;
use crate::ptx::Space;
use crate::tensor_map::TensorMap;

/// Alignment of the destination of a copy (PTX ISA, "Tensors", alignment of shared memory).
const ALIGNMENT: u32 = 128;
/// Bytes that a swizzle moves as one.
const CHUNK: usize = 16;

pub(super) fn execute(step: &mut Step<'_>, copy: &TensorCopy) -> Executed {
    let [to, maps, barriers] = [copy.to, copy.map, copy.barrier].map(|at| step.addresses(at));
    let coordinates: Vec<Lanes<u32>> =
        copy.coordinates.iter().map(|at| *step.warp.registers.word(*at)).collect();
    for lane in lanes_of(step.active) {
        let map = map_at(step, copy, maps[lane], lane)?;
        let corner: Vec<i64> =
            coordinates.iter().map(|lanes| i64::from(lanes[lane] as i32)).collect();
        let barrier = mbarrier::locate(Space::Shared, barriers[lane], lane)?;
        let (space, address, direction) = (Space::Shared, to[lane], Direction::Write);
        let request = Request { space, address, bytes: ALIGNMENT, direction, lane }.checked()?;
        let (bytes, rows) = load_box(step, (&map, &corner), lane)?;
        let bytes = swizzled(&map, address, bytes);
        let from = (step.warp.thread(lane), step.pc);
        let started = step.common.shared.copy_tensor((address, &bytes), barrier.address, from);
        started.map_err(|problem| {
            Request { bytes: bytes.len() as u32, ..request }.shared_problem(problem)
        })?;
        if let Some(profile) = &mut step.common.profile {
            profile.tensor_copied(step.pc, &rows, map.box_bytes());
        }
        let read = rows.iter().map(|(_, bytes)| bytes).sum::<u64>();
        step.common.statistics.global_bytes_loaded += read;
        step.common.statistics.shared_bytes_stored += map.box_bytes();
    }
    Ok(())
}

/// The map that a lane's address leads to.
fn map_at(step: &Step<'_>, copy: &TensorCopy, address: u64, lane: usize) -> Executed<TensorMap> {
    let (space, address) = match copy.map_space {
        Space::Generic => resolve(address),
        space => (space, address),
    };
    let bad = |what| Stop::new(Violation::BadTensorMap { space, address, what }, lane);
    if space != Space::Parameter {
        return Err(bad("it is not a parameter of the kernel"));
    }
    if !address.is_multiple_of(TensorMap::ALIGNMENT) {
        return Err(bad("its address is not a multiple of 64"));
    }
    let bytes = step.context.parameters.bytes(address);
    let map = bytes.and_then(TensorMap::decode).ok_or_else(|| bad("there is none"))?;
    if map.dims.len() != copy.coordinates.len() {
        return Err(bad("it has another number of dimensions than the copy"));
    }
    Ok(map)
}

/// The bytes of the box at `corner`, zeros outside of the tensor, and what was read: address and bytes of each row.
/// Elements are rounded as the map says.
#[expect(clippy::type_complexity, reason = "only the profile needs the rows")]
fn load_box(
    step: &mut Step<'_>,
    (map, corner): (&TensorMap, &[i64]),
    lane: usize,
) -> Executed<(Vec<u8>, Vec<(u64, u64)>)> {
    let mut bytes = vec![0; map.box_bytes() as usize];
    let mut rows = Vec::new();
    for (number, row) in bytes.chunks_mut(map.row_bytes() as usize).enumerate() {
        let Some(part) = inside(map, corner, number as u64) else { continue };
        let (space, bytes, direction) = (Space::Global, part.bytes as u32, Direction::Read);
        let request = Request { space, address: part.address, bytes, direction, lane };
        let (region, offset) = request.in_global(step)?;
        let to = &mut row[part.skipped as usize..(part.skipped + part.bytes) as usize];
        region.buffer.read_bytes(offset, to);
        if map.rounds_to_tf32 {
            round_to_tf32(to);
        }
        rows.push((part.address, part.bytes));
    }
    Ok((bytes, rows))
}

/// Rounds f32.
fn round_to_tf32(bytes: &mut [u8]) {
    for element in bytes.as_chunks_mut::<4>().0 {
        *element = nearest_tf32(u32::from_le_bytes(*element)).to_le_bytes();
    }
}

/// The part of a row of a box that lies within the tensor.
struct Inside {
    address: u64,
    bytes: u64,
    /// Bytes of the row before it.
    skipped: u64,
}

fn inside(map: &TensorMap, corner: &[i64], number: u64) -> Option<Inside> {
    let mut left = number;
    let mut address = u128::from(map.address);
    for (dimension, stride) in (1..).zip(&map.strides) {
        let extent = u64::from(map.box_dims[dimension]);
        let at = u64::try_from(corner[dimension] + (left % extent) as i64).ok()?;
        left /= extent;
        if at >= map.dims[dimension] {
            return None;
        }
        address += u128::from(at) * u128::from(*stride);
    }
    let end = (corner[0] + i64::from(map.box_dims[0])).min(map.dims[0] as i64);
    let start = corner[0].max(0);
    let elements = u64::try_from(end - start).ok().filter(|elements| *elements > 0)?;
    let element = u64::from(map.element_bytes);
    address += u128::from(start as u64 * element);
    Some(Inside {
        // What does not fit an address lies in no allocation either.
        address: u64::try_from(address).unwrap_or(u64::MAX),
        bytes: elements * element,
        skipped: (start - corner[0]) as u64 * element,
    })
}

/// The bytes of a box in the order in which they lie in shared memory.
fn swizzled(map: &TensorMap, address: u64, bytes: Vec<u8>) -> Vec<u8> {
    if map.swizzle.span().is_none() {
        return bytes;
    }
    let mut out = bytes.clone();
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        let to = map.swizzle.apply(address + (number * CHUNK) as u64) - address;
        out[to as usize..to as usize + CHUNK].copy_from_slice(chunk);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::Swizzle;

    fn map() -> TensorMap {
        TensorMap {
            address: 0x1000,
            element_bytes: 2,
            dims: vec![20, 5, 3],
            strides: vec![48, 512],
            box_dims: vec![16, 2, 2],
            swizzle: Swizzle::None,
            rounds_to_tf32: false,
        }
    }

    fn part(corner: [i64; 3], number: u64) -> Option<(u64, u64, u64)> {
        inside(&map(), &corner, number).map(|part| (part.address, part.bytes, part.skipped))
    }

    #[test]
    fn rows_are_cut_at_every_side() {
        assert_eq!(part([0, 0, 0], 3), Some((0x1000 + 48 + 512, 32, 0)));
        assert_eq!(part([7, 0, 0], 0), Some((0x1000 + 14, 26, 0)));
        assert_eq!(part([-3, 0, 0], 0), Some((0x1000, 26, 6)));
        assert_eq!(part([-16, 0, 0], 0), None);
        assert_eq!(part([20, 0, 0], 0), None);
        assert_eq!(part([0, 4, 0], 0), Some((0x1000 + 4 * 48, 32, 0)));
        assert_eq!(part([0, 4, 0], 1), None);
        assert_eq!(part([0, -1, 0], 0), None);
        assert_eq!(part([0, 0, 2], 2), None);
    }

    #[test]
    fn an_address_beyond_all_is_in_no_allocation() {
        let far = TensorMap {
            dims: vec![16, 1 << 32],
            strides: vec![(1 << 40) - 16],
            box_dims: vec![16, 1],
            ..map()
        };
        let part = inside(&far, &[0, i64::from(i32::MAX)], 0).expect("is inside");
        assert_eq!(part.address, u64::MAX);
    }
}
