//! Global → shared memory: the copy atom and how the threads of a block share a tile.

mod atom;
mod cache;
mod cuda;
mod pieces;
mod policy;
pub(crate) mod tensor;

use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::hardware::WARP;
use crate::help::Values;
use crate::layout::bank_passes;
use crate::level::shared_tile::{self, SharedTile};
use crate::rule::{Diagnostic, Rule};
use crate::spec::CopyAtom;

pub(crate) use atom::{check_both, check_size};
pub(crate) use cuda::{TensorCopies, cuda_part, write_cp_async, write_ld_global, write_tensor};
pub(crate) use pieces::Copiers;
pub use pieces::{Copier, Piece};
pub(crate) use policy::{cuda_no_policy, write_policies};
pub use tensor::TensorBox;

/// The proof that the copies of a block fill the stages of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalToShared {
    /// Which operand is copied.
    pub side: Side,
    /// With what.
    pub atom: CopyAtom,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Numbers of a line that an element has along K.
    pub numbers: u32,
    /// Copies that one stage takes, over all threads.
    pub copies: u32,
    /// Threads that share a row at the most, if these are not as many as there are.
    pub row_threads: Option<u32>,
    /// Panels of the tile, each one tensor copy, where its rows are longer than those of a box or run
    /// along M or N.
    pub panels: Option<u32>,
    /// 32-bit registers in which a thread holds its copies of the next tile.
    pub registers: u32,
    /// Passes of the banks that one warp's copy needs at most; 1 is conflict-free.
    pub bank_passes: u32,
}

/// Proves that `threads` threads write each element of the tile once.
pub(crate) fn plan(
    tile: &SharedTile,
    atom: CopyAtom,
    threads: u32,
) -> Result<GlobalToShared, Vec<Diagnostic>> {
    check_element(tile.side, atom, tile.element_bytes)?;
    if atom.is_tma() {
        return Ok(GlobalToShared {
            side: tile.side,
            atom,
            element_bytes: tile.element_bytes,
            numbers: tile.numbers,
            copies: tile.panels().unwrap_or(1),
            row_threads: None,
            panels: tile.panels(),
            registers: 0,
            bank_passes: 1,
        });
    }
    let vector = atom.bytes() / tile.element_bytes;
    if !copies_cover(tile, vector, threads) {
        return Err(vec![not_covered(tile, atom, vector)]);
    }
    Ok(GlobalToShared {
        side: tile.side,
        atom,
        element_bytes: tile.element_bytes,
        numbers: tile.numbers,
        copies: tile.layout.size() / vector,
        row_threads: row_threads(tile),
        panels: None,
        registers: registers(tile, atom, threads),
        bank_passes: store_passes(tile, atom, threads, u32::MAX),
    })
}

/// A copy of less than an element leaves the rest of it out.
pub(crate) fn check_element(
    side: Side,
    atom: CopyAtom,
    element_bytes: u32,
) -> Result<(), Vec<Diagnostic>> {
    let bytes = atom.bytes();
    if bytes >= element_bytes {
        return Ok(());
    }
    let letter = side.letter().to_uppercase();
    Err(vec![Diagnostic::new(
        Rule::CopyCoversTile,
        Field::CopyBytes(side),
        format!(
            "an element of {letter} has {element_bytes} B, but {} copies {bytes} B",
            atom.name()
        ),
        match element_bytes {
            16 => "copy 16 B".to_owned(),
            bytes => format!("copy {bytes} or 16 B"),
        },
    )])
}

/// The registers in which a thread holds its copies of one stage. None for a copy of less than an
/// element, which [`check_element`] refuses.
pub(crate) fn registers(tile: &SharedTile, atom: CopyAtom, threads: u32) -> u32 {
    let words = match atom {
        CopyAtom::CpAsync { .. } | CopyAtom::Tma { .. } => return 0,
        CopyAtom::LdGlobal { .. } => atom.bytes() / 4,
    };
    let vector = atom.bytes() / tile.element_bytes;
    let [rows, cols] = tile.of_factor();
    let Some(per_row) = cols.checked_div(vector) else { return 0 };
    let [thread_rows, thread_cols] = thread_layout(tile, per_row, threads);
    let copies = rows.div_ceil(thread_rows).saturating_mul(per_row / thread_cols);
    copies.saturating_mul(words).saturating_mul(tile.parts.count)
}

/// Threads that share a row of a tile at the most, if its copies transpose it.
fn row_threads(tile: &SharedTile) -> Option<u32> {
    tile.is_transposed().then(|| shared_tile::row_threads(tile.layout.cols))
}

/// How the threads of a block lie on a tile whose rows are this many copies: rows, columns. As many
/// as share the copies of a row equally.
fn thread_layout(tile: &SharedTile, per_row: u32, threads: u32) -> [u32; 2] {
    let along = |n: &u32| per_row.is_multiple_of(*n);
    let most = row_threads(tile).unwrap_or(threads);
    let cols = (1..=per_row.min(most)).rev().find(along).unwrap_or(1);
    [threads / cols, cols]
}

/// The copies that each thread of a block starts for one stage, as (thread, row, column of the
/// tile): the loops of `global_to_shared` over the thread layout of `Source`.
fn copies(tile: &SharedTile, vector: u32, threads: u32) -> impl Iterator<Item = [u32; 3]> {
    let ([rows, cols], tile) = (tile.of_factor(), *tile);
    let per_row = cols / vector;
    let [thread_rows, thread_cols] = thread_layout(&tile, per_row, threads);
    let passes = (0..rows).step_by(thread_rows as usize).flat_map(move |row| {
        (0..per_row * vector).step_by((thread_cols * vector) as usize).map(move |col| (row, col))
    });
    let of_one = passes.flat_map(move |(row, col)| {
        let threads = thread_rows.min(rows - row) * thread_cols;
        (0..threads).map(move |thread| {
            [thread, row + thread / thread_cols, col + thread % thread_cols * vector]
        })
    });
    (0..tile.parts.count).flat_map(move |factor| {
        of_one.clone().map(move |[thread, row, col]| {
            let [row, col] = tile.place(factor, [row, col]);
            [thread, row, col]
        })
    })
}

/// Whether each element of a stage is written once, and nothing but elements.
fn copies_cover(tile: &SharedTile, vector: u32, threads: u32) -> bool {
    let mut written = vec![0u8; tile.layout.span() as usize];
    let mut count = 0;
    for [_, row, col] in copies(tile, vector, threads) {
        let to = tile.layout.offset(row, col);
        for element in to..to + vector {
            if let Some(times) = written.get_mut(element as usize) {
                *times = times.saturating_add(1);
            }
            count += 1;
        }
    }
    let once = written.iter().filter(|times| **times == 1).count();
    (once, count) == (tile.layout.size() as usize, tile.layout.size())
}

fn not_covered(tile: &SharedTile, atom: CopyAtom, vector: u32) -> Diagnostic {
    let axis = match (tile.k_contiguous, tile.side) {
        (true, _) => Axis::K,
        (false, Side::A) => Axis::M,
        (false, Side::B) => Axis::N,
    };
    let (cols, letter) = (tile.of_factor()[1], axis.letter());
    Diagnostic::new(
        Rule::CopyCoversTile,
        Field::Tile(axis),
        format!(
            "a row of the tile of {} has BLK_{letter} = {cols} elements, not a multiple of the \
             {vector} that {} copies: {} remain",
            tile.side.letter().to_uppercase(),
            atom.name(),
            cols % vector
        ),
        format!("BLK_{letter} has to be a multiple of {vector}"),
    )
    .naming(Values::extents(axis, cols, vector, ""))
}

/// The most passes that the banks need for a copy by the lanes of a warp, or those of the first
/// that needs `enough`.
pub(crate) fn store_passes(tile: &SharedTile, atom: CopyAtom, threads: u32, enough: u32) -> u32 {
    if atom.is_tma() {
        return 1; // rows of all banks, one after the other
    }
    let bytes = atom.bytes();
    let copies: Vec<[u32; 3]> = copies(tile, bytes / tile.element_bytes, threads).collect();
    let same_instruction =
        |left: &[u32; 3], right: &[u32; 3]| left[0] < right[0] && left[0] / WARP == right[0] / WARP;
    let address = |copy: &[u32; 3]| tile.layout.offset(copy[1], copy[2]) * tile.element_bytes;
    let mut addresses = Vec::with_capacity(WARP as usize);
    let mut most = 1;
    for warp in copies.chunk_by(same_instruction) {
        addresses.clear();
        addresses.extend(warp.iter().map(address));
        most = most.max(bank_passes(&addresses, bytes));
        if most >= enough {
            break;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::element::Element;
    use crate::layout::{Swizzle, TileOrder};
    use crate::spec::CacheOperator;

    fn atom(bytes: u16, cache: CacheOperator) -> CopyAtom {
        CopyAtom::CpAsync { bytes: NonZeroU16::new(bytes).unwrap(), cache, policy: None }
    }

    fn covers(block: [u32; 3], bytes: u16, threads: u32) -> bool {
        let order = TileOrder::Rows(Swizzle { b: 0, m: 3, s: 3 });
        let tile = SharedTile::new(Side::B, block, true, Element::F16, order);
        plan(&tile, atom(bytes, CacheOperator::Ca), threads).is_ok()
    }

    #[test]
    fn copies_divide_a_row() {
        assert!(covers([128, 128, 32], 16, 128));
        assert!(!covers([128, 128, 12], 16, 128));
        assert!(covers([128, 128, 12], 8, 128));
        assert!(!covers([128, 128, 4], 16, 128), "a row shorter than a copy");
    }

    #[test]
    fn a_copy_is_no_less_than_an_element() {
        let of = |bytes| {
            let order = TileOrder::Rows(Swizzle { b: 1, m: 2, s: 2 });
            let tile = SharedTile::new(Side::A, [128, 128, 8], true, Element::F64, order);
            let plan = plan(&tile, atom(bytes, CacheOperator::Ca), 128);
            plan.map(|plan| plan.copies).map_err(|broken| broken[0].at)
        };
        assert_eq!(of(16), Ok(512));
        assert_eq!(of(8), Ok(1024));
        assert_eq!(of(4), Err(Field::CopyBytes(Side::A)));
    }

    #[test]
    fn any_number_of_threads_covers_any_tile() {
        for (n, k, warps) in [(8, 16, 16), (40, 48, 3), (80, 24, 5), (512, 32, 1), (8, 512, 1)] {
            assert!(covers([16, n, k], 16, warps * WARP), "{n} x {k}, {warps} warps");
        }
    }

    #[test]
    fn what_waits_in_registers_is_a_share_of_the_tile() {
        let order = TileOrder::Rows(Swizzle { b: 0, m: 3, s: 3 });
        let tile = SharedTile::new(Side::A, [128, 128, 32], true, Element::F16, order);
        let ld_global = |bytes| CopyAtom::LdGlobal { bytes: NonZeroU16::new(bytes).unwrap() };
        // 8192 B, and a share that is rounded up to whole copies.
        assert_eq!(registers(&tile, ld_global(16), 128), 16);
        assert_eq!(registers(&tile, ld_global(4), 128), 16);
        assert_eq!(registers(&tile, ld_global(16), 96), 24);
        assert_eq!(registers(&tile, atom(16, CacheOperator::Cg), 128), 0);
        let doubles = SharedTile { element_bytes: 8, ..tile };
        assert_eq!(registers(&doubles, ld_global(8), 128), 64);
        assert_eq!(registers(&doubles, ld_global(4), 128), 0, "half an element");
    }

    #[test]
    fn copies_meet_no_bank_twice_and_stay_inside() {
        for (mn, k) in (4..=260).step_by(4).flat_map(|mn| (1..=33).map(move |k| (mn, k))) {
            let tile = SharedTile::transposed(Side::B, [4, mn, k], Element::F32);
            let atom = atom(4, CacheOperator::Ca);
            let plan = plan(&tile, atom, 128).unwrap();
            assert_eq!((plan.bank_passes, plan.copies), (1, mn * k), "{mn} x {k}");
            assert!(tile.address(mn - 1, k - 1) < tile.bytes());
            assert_eq!(tile.address(0, 1) % 16, 0);
        }
    }
}
