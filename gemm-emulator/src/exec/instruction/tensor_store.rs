//! Copies of boxes of tensors from shared to global memory.
//!
//! A store reads shared memory until the wait for that, and writes global memory until the full wait for it, or until
//! the end of its thread: at its start or then, by seed. (PTX ISA, "cp.async.bulk.tensor", "cp.async.bulk.wait_group")

use super::tensor_box::{self, inside};
use super::tensor_copy::{ALIGNMENT, CHUNK};
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step, Stop};
use crate::exec::stores::{Piece, TensorWrite};
use crate::fault::{Direction, TensorStoreProblem, Violation};
use crate::lanes::lanes_of;
use crate::memory::{Race, ReadingId, SharedProblem};
use crate::program::{BulkWait, TensorStore};
use crate::ptx::Space;
use crate::tensor_map::TensorMap;
use crate::trace::SharedRange;

pub(super) fn execute(step: &mut Step<'_>, store: &TensorStore) -> Executed {
    let from = step.addresses(store.from);
    for lane in lanes_of(step.active) {
        let (map, corner) = tensor_box::of_lane(step, &store.to, lane)?;
        if corner[0] * i64::from(map.element_bytes) % CHUNK as i64 != 0 {
            let coordinate = corner[0];
            return Err(stop(TensorStoreProblem::Coordinate { coordinate }, lane));
        }
        let (space, address, direction) = (Space::Shared, from[lane], Direction::Read);
        let request = Request { space, address, bytes: ALIGNMENT, direction, lane }.checked()?;
        let (reading, bytes) = read(step, request, &map)?;
        let pieces = pieces(step, (&map, &corner), &bytes, lane)?;
        let rows: Vec<_> =
            pieces.iter().map(|piece| (piece.address, piece.bytes.len() as u64)).collect();
        if let Some(profile) = &mut step.common.profile {
            profile.tensor_copied(step.pc, &rows, map.box_bytes());
        }
        let written = rows.iter().map(|(_, bytes)| bytes).sum::<u64>();
        step.common.statistics.global_bytes_stored += written;
        step.common.statistics.shared_bytes_loaded += map.box_bytes();
        let late = step.common.random.bool();
        let pieces = if late { pieces } else { land(step, pieces, lane)? };
        step.warp.stores.start(lane, TensorWrite { reading, pieces });
        let range = SharedRange { address: from[lane] as u32, bytes: map.box_bytes() as u32 };
        step.trace(|tracer, agent| tracer.store_tensor(agent, range));
    }
    Ok(())
}

fn stop(problem: TensorStoreProblem, lane: usize) -> Box<Stop> {
    Stop::new(Violation::TensorStore(problem), lane)
}

/// Starts to read a box from shared memory: its bytes as if without a swizzle.
fn read(step: &mut Step<'_>, request: Request, map: &TensorMap) -> Executed<(ReadingId, Vec<u8>)> {
    let Request { address, lane, .. } = request;
    let places = (0..map.box_bytes()).step_by(CHUNK);
    let chunks = places.map(|at| map.swizzle.apply(address + at));
    let chunks = chunks.map(u32::try_from).collect::<Result<Vec<u32>, _>>();
    let outside = |_| Request { bytes: map.box_bytes() as u32, ..request }.out_of_bounds(None);
    let chunks = chunks.map_err(outside)?;
    let (shared, thread) = (&mut step.common.shared, step.warp.member(lane));
    let reading = shared.next_store(thread);
    let started = shared.start_reading(reading, chunks.clone(), thread..thread + 1);
    started.map_err(|(at, problem)| match problem {
        SharedProblem::Race(Race { at, other, unfenced: true, .. }) => {
            stop(TensorStoreProblem::NotFenced { address: at.into(), other }, lane)
        }
        problem => {
            Request { address: at.into(), bytes: CHUNK as u32, ..request }.shared_problem(problem)
        }
    })?;
    Ok((reading, chunks.iter().flat_map(|at| shared.chunk(*at)).copied().collect()))
}

/// What a store writes of each row of its box. Rows are cut in whole units of 16 bytes, so that one that ends within
/// such a unit is written beyond its end: measured on an H200.
fn pieces(
    step: &mut Step<'_>,
    (map, corner): (&TensorMap, &[i64]),
    bytes: &[u8],
    lane: usize,
) -> Executed<Vec<Piece>> {
    let extent = map.dims[0].next_multiple_of(CHUNK as u64 / u64::from(map.element_bytes));
    let mut pieces = Vec::new();
    for (number, row) in bytes.chunks(map.row_bytes() as usize).enumerate() {
        let Some(part) = inside(map, extent, corner, number as u64) else { continue };
        // The bounds of all of it, then the order of what a single access may write.
        write_of(part.address, part.bytes as u32, lane).region(step)?;
        for at in (0..part.bytes).step_by(CHUNK) {
            let request = write_of(part.address + at, CHUNK as u32, lane);
            let (region, _) = request.in_global(step)?;
            request.keep_coherent(step, region)?;
        }
        let bytes = row[part.skipped as usize..(part.skipped + part.bytes) as usize].to_vec();
        pieces.push(Piece { address: part.address, bytes });
    }
    Ok(pieces)
}

fn write_of(address: u64, bytes: u32, lane: usize) -> Request {
    Request { space: Space::Global, address, bytes, direction: Direction::Write, lane }
}

/// Writes to global memory; nothing is left to write.
fn land(step: &mut Step<'_>, pieces: Vec<Piece>, lane: usize) -> Executed<Vec<Piece>> {
    for Piece { address, bytes } in pieces {
        let (region, offset) = write_of(address, bytes.len() as u32, lane).region(step)?;
        region.buffer.write_bytes(offset, &bytes);
    }
    Ok(Vec::new())
}

pub(super) fn wait(step: &mut Step<'_>, wait: BulkWait) -> Executed {
    for lane in lanes_of(step.active) {
        if let Some(last) = step.warp.stores.read(lane, wait.groups) {
            let thread = step.warp.member(lane);
            step.common.shared.finish_readings(last, thread..thread + 1);
        }
        if !wait.reads {
            let pieces = step.warp.stores.finish(lane, wait.groups);
            land(step, pieces, lane)?;
        }
    }
    step.trace(|tracer, agent| tracer.wait_for_stores(agent, wait.groups));
    Ok(())
}

/// Threads end: their stores have read shared memory, and write global memory now at the latest.
pub(super) fn exit(step: &mut Step<'_>) -> Executed {
    for lane in lanes_of(step.active) {
        if step.warp.stores.reads(lane) {
            return Err(stop(TensorStoreProblem::Left, lane));
        }
        let pieces = step.warp.stores.finish(lane, 0);
        land(step, pieces, lane)?;
    }
    Ok(())
}
