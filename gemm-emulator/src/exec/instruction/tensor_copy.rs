//! Copies of boxes of tensors, or of consecutive bytes, to shared memory: of one block, or of several of a cluster.

use super::mbarrier;
use super::tensor_box::{self, inside};
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step, Stop};
use crate::fault::{ClusterProblem, Direction, Violation};
use crate::lanes::lanes_of;
use crate::memory::{Start, cluster_address, cluster_place};
use crate::number::nearest_tf32;
use crate::program::{CopySource, TensorCopy};
use crate::ptx::Space;
use crate::tensor_map::{Swizzle, TensorMap};
use crate::trace::{AccessPart, SharedRange};

/// Alignment of the destination of a copy (PTX ISA, "Tensors", alignment of shared memory).
pub(super) const ALIGNMENT: u32 = 128;
/// Bytes that a swizzle moves as one.
pub(super) const CHUNK: usize = 16;

/// What a copy brings to shared memory, and what it reads of global memory: address and length of each part.
struct Load {
    bytes: Vec<u8>,
    parts: Vec<(u64, u64)>,
    /// For each part, where its bytes are among those of the copy, before a swizzle.
    offsets: Vec<u64>,
}

/// Where a copy goes in each of its blocks.
struct Target {
    offset: u64,
    barrier: u64,
    /// The ranks of the blocks.
    ranks: Vec<u32>,
}

pub(super) fn execute(step: &mut Step<'_>, copy: &TensorCopy) -> Executed {
    for lane in lanes_of(step.active) {
        let target = target(step, copy, lane)?;
        let mut swizzle = Swizzle::None;
        let load = match &copy.from {
            CopySource::Box(from) => {
                let (map, corner) = tensor_box::of_lane(step, from, lane)?;
                let load = load_box(step, (&map, &corner), lane)?;
                swizzle = map.swizzle;
                Load { bytes: swizzled(&map, target.offset, load.bytes), ..load }
            }
            CopySource::Bytes(from, bytes) => {
                let address = step.addresses(*from)[lane];
                load_bytes(step, address, step.warp.registers.word(*bytes)[lane], lane)?
            }
        };
        let written = load.bytes.len() as u64;
        for rank in &target.ranks {
            start(step, *rank, &target, &load.bytes, lane)?;
            step.common.statistics.shared_bytes_stored += written;
        }
        if let Some(profile) = &mut step.common.profile {
            profile.tensor_copied(step.pc, &load.parts, written);
        }
        step.trace_parts(|| accessed(&load, target.offset, swizzle, lane));
        let read = load.parts.iter().map(|(_, bytes)| bytes).sum::<u64>();
        step.common.statistics.global_bytes_loaded += read;
    }
    Ok(())
}

/// Starts the copy to one block.
fn start(step: &mut Step<'_>, rank: u32, to: &Target, bytes: &[u8], lane: usize) -> Executed {
    let (space, address) = match rank == step.common.rank {
        true => (Space::Shared, to.offset),
        false => (Space::Cluster, cluster_address(rank, to.offset)),
    };
    let direction = Direction::Write;
    let request = Request { space, address, bytes: bytes.len() as u32, direction, lane };
    let (thread, pc) = (step.warp.member(lane), step.pc);
    let copy = Start { address: to.offset, bytes, barrier: to.barrier, thread, pc };
    let mut random = step.common.landings.clone();
    let started = step.in_block(rank, request, |shared| shared.copy_tensor(&copy, random.as_mut()));
    step.common.landings = random;
    started?;
    let range = SharedRange { address: to.offset as u32, bytes: bytes.len() as u32 };
    step.trace_copy(rank, range, to.barrier as u32);
    Ok(())
}

/// The destination of a lane's copy: the block of its address, or those of its mask.
fn target(step: &Step<'_>, copy: &TensorCopy, lane: usize) -> Executed<Target> {
    let [to, barrier] = [copy.to, copy.barrier].map(|at| step.addresses(at)[lane]);
    let ((home, offset), (other, barrier)) = (cluster_place(to), cluster_place(barrier));
    let [home, other] = [home, other].map(|rank| rank.unwrap_or(step.common.rank));
    let stop = |problem| Stop::new(Violation::Cluster(problem), lane);
    if home != other {
        return Err(stop(ClusterProblem::OtherBlock));
    }
    mbarrier::locate(Space::Shared, barrier, lane)?;
    let alignment = match copy.from {
        CopySource::Box(_) => ALIGNMENT,
        CopySource::Bytes(..) => CHUNK as u32,
    };
    let (space, direction) = (Space::Shared, Direction::Write);
    Request { space, address: offset, bytes: alignment, direction, lane }.checked()?;
    let blocks = step.context.team.blocks;
    let ranks = match copy.multicast.map(|mask| step.warp.registers.word(mask)[lane] & 0xffff) {
        None => vec![home],
        Some(mask) if mask == 0 || mask >> blocks != 0 => {
            return Err(stop(ClusterProblem::Mask { mask, blocks }));
        }
        Some(mask) => (0..blocks).filter(|rank| mask >> rank & 1 == 1).collect(),
    };
    Ok(Target { offset, barrier, ranks })
}

/// Consecutive bytes.
fn load_bytes(step: &mut Step<'_>, address: u64, length: u32, lane: usize) -> Executed<Load> {
    if length == 0 || !length.is_multiple_of(CHUNK as u32) {
        let what = "size of a bulk copy is not a positive multiple of 16";
        return Err(Stop::new(Violation::BadOperand { what, value: length }, lane));
    }
    let (space, direction) = (Space::Global, Direction::Read);
    let request = Request { space, address, bytes: CHUNK as u32, direction, lane }.checked()?;
    let (region, offset) = Request { bytes: length, ..request }.in_global(step)?;
    let mut bytes = vec![0; length as usize];
    region.buffer.read_bytes(offset, &mut bytes);
    Ok(Load { bytes, parts: vec![(address, length.into())], offsets: vec![0] })
}

/// The box at `corner`, zeros outside of the tensor. Elements are rounded as the map says.
fn load_box(
    step: &mut Step<'_>,
    (map, corner): (&TensorMap, &[i64]),
    lane: usize,
) -> Executed<Load> {
    let mut bytes = vec![0; map.box_bytes() as usize];
    let (mut parts, mut offsets) = (Vec::new(), Vec::new());
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
        parts.push((part.address, part.bytes));
        offsets.push(number as u64 * map.row_bytes() + part.skipped);
    }
    Ok(Load { bytes, parts, offsets })
}

/// The chunks of a copy to `to`, each with its bytes in global memory.
fn accessed(load: &Load, to: u64, swizzle: Swizzle, lane: usize) -> Vec<AccessPart> {
    let chunks = (0..load.bytes.len() as u64).step_by(CHUNK).map(|at| {
        let mut parts = load.offsets.iter().zip(&load.parts);
        let from = parts.find(|(offset, (_, bytes))| (**offset..**offset + bytes).contains(&at));
        let from = from.map(|(offset, (address, _))| address + (at - offset));
        AccessPart::moved(lane, swizzle.apply(to + at) as u32, from, CHUNK as u32)
    });
    chunks.collect()
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
