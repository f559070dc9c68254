//! Copies of boxes of tensors to shared memory.

use super::mbarrier;
use super::tensor_box::{self, inside};
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step};
use crate::fault::Direction;
use crate::lanes::lanes_of;
use crate::number::nearest_tf32;
use crate::program::TensorCopy;
use crate::ptx::Space;
use crate::tensor_map::TensorMap;

/// Alignment of the destination of a copy (PTX ISA, "Tensors", alignment of shared memory).
pub(super) const ALIGNMENT: u32 = 128;
/// Bytes that a swizzle moves as one.
pub(super) const CHUNK: usize = 16;

pub(super) fn execute(step: &mut Step<'_>, copy: &TensorCopy) -> Executed {
    let [to, barriers] = [copy.to, copy.barrier].map(|at| step.addresses(at));
    for lane in lanes_of(step.active) {
        let (map, corner) = tensor_box::of_lane(step, &copy.from, lane)?;
        let barrier = mbarrier::locate(Space::Shared, barriers[lane], lane)?;
        let (space, address, direction) = (Space::Shared, to[lane], Direction::Write);
        let request = Request { space, address, bytes: ALIGNMENT, direction, lane }.checked()?;
        let (bytes, rows) = load_box(step, (&map, &corner), lane)?;
        let bytes = swizzled(&map, address, bytes);
        let from = (step.warp.member(lane), step.pc);
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
        let Some(part) = inside(map, map.dims[0], corner, number as u64) else { continue };
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
