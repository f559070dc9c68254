//! What warpgroups stage: sums, results, or results over what tensor copies have brought.

use super::fetched::{Fetched, ReadMatrix};
use super::groups::{self, GroupEpilogue, Staging};
use super::stored::Stored;
use crate::axis::Axis;
use crate::level::mma::{BAND, Multiply};
use crate::level::warps::Warps;
use crate::problem::Reduces;

/// Stages of a warpgroup, the best first: three hide the time in which the copy unit stores one and
/// brings the next part. Two are the least, so that threads can fill one while others store another.
const STAGES: [u32; 2] = [3, 2];

/// Chooses what is staged, and so how many columns an epilogue tile holds.
pub(super) fn plan(warps: &Warps, multiply: &Multiply, stored: Stored<'_>) -> GroupEpilogue {
    let sums =
        || groups::with(warps, multiply, stored, (Staging::Sums, multiply.accumulator.staged()));
    let [element] = *stored.outputs else { return sums() };
    // A lane of the fragments of a sum has two rows, and many columns.
    match stored.reduces {
        Reduces::Nothing => {}
        Reduces::Rows if stored.n_contiguous && stored.matrices.is_empty() => {}
        Reduces::Rows | Reduces::Columns => return sums(),
    }
    let results = groups::with(warps, multiply, stored, (Staging::Results, element));
    if stored.matrices.is_empty() {
        return results;
    }
    // Whether tensor copies can move a matrix depends on its columns: of products in turn on the tile.
    let fetched = choose(&results, stored.matrices, stored.room);
    match fetched.filter(|_| !stored.in_turn) {
        Some(fetched) => {
            GroupEpilogue { staging: Staging::Fetched(fetched), apart: true, ..results }
        }
        None => sums(),
    }
}

/// What is fetched for an epilogue that stages results, if these matrices suit its epilogue tiles and
/// the `room` that the ring leaves: they have the output's order and the bytes of its elements.
///
/// Where the columns of an atom are not whole epilogue tiles, the last one begins so that it ends with
/// them. What it has in common with the one before is computed twice, so that no old elements of
/// the output may be read.
fn choose(results: &GroupEpilogue, matrices: &[ReadMatrix], room: u32) -> Option<Fetched> {
    let along = if results.n_contiguous { Axis::N } else { Axis::M };
    let suits = |matrix: &ReadMatrix| {
        matrix.columns == along && matrix.element.bytes() == results.staged_bytes
    };
    let bands = results.columns / BAND;
    let is_whole = bands.is_multiple_of(results.pass_bands);
    let is_once = is_whole || !matrices.iter().any(|matrix| matrix.is_output);
    let is_moved = results.stored_box().is_some() && results.splits == 1 && is_once;
    if !is_moved || !matrices.iter().all(suits) {
        return None;
    }
    let with = |stages| Fetched { matrices: matrices.len() as u32, stages };
    let is_used = |one: &Fetched| one.stages <= results.passes.max(2);
    let fits = |one: &Fetched| {
        let bytes = one.tiles().saturating_mul(results.tile_bytes()) + one.barrier_bytes();
        bytes.saturating_mul(results.groups) <= room
    };
    STAGES.into_iter().map(with).filter(is_used).find(fits)
}
