//! Global → shared memory: the copy atom and how the threads of a block share a tile.

use std::num::NonZeroU16;

use crate::field::Field;
use crate::hardware::{Target, WARP};
use crate::layout::bank_passes;
use crate::level::shared_tile::SharedTile;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Axis, Side};

/// The instruction that moves a tile from global to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyAtom {
    /// `cp.async`: asynchronous, through no register.
    CpAsync {
        /// Bytes of one copy where alignment allows: 4, 8 or 16.
        bytes: NonZeroU16,
        /// Which caches it fills.
        cache: CacheOperator,
    },
}

/// Cache operator of a `cp.async` (PTX ISA, "cp.async").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheOperator {
    /// All levels.
    Ca,
    /// L2 only; 16-byte copies only.
    Cg,
}

impl CacheOperator {
    /// Both operators.
    pub const ALL: [CacheOperator; 2] = [CacheOperator::Ca, CacheOperator::Cg];

    /// The name in the copy atom and in PTX.
    pub const fn name(self) -> &'static str {
        match self {
            CacheOperator::Ca => "ca",
            CacheOperator::Cg => "cg",
        }
    }
}

impl CopyAtom {
    /// Bytes of one copy where alignment allows.
    pub fn bytes(self) -> u32 {
        let CopyAtom::CpAsync { bytes, .. } = self;
        u32::from(bytes.get())
    }

    /// Its cache operator.
    pub fn cache(self) -> CacheOperator {
        let CopyAtom::CpAsync { cache, .. } = self;
        cache
    }

    /// As written in `copy = ..`.
    pub(crate) fn name(self) -> String {
        format!("cp_async({}, {})", self.bytes(), self.cache().name())
    }
}

/// The proof that the copies of a block fill the stages of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalToShared {
    /// Which operand is copied.
    pub side: Side,
    /// With what.
    pub atom: CopyAtom,
    /// Copies that one stage takes, over all threads.
    pub copies: u32,
    /// Passes of the banks that one warp's copy needs at most; 1 is conflict-free.
    pub bank_passes: u32,
}

/// The atom's own laws: sizes, cache operator, targets.
pub(crate) fn check_atom(
    side: Side,
    atom: CopyAtom,
    targets: &[Target],
) -> Result<(), Vec<Diagnostic>> {
    let mut broken = Vec::new();
    let bytes = atom.bytes();
    if ![4, 8, 16].contains(&bytes) {
        broken.push(Diagnostic::new(
            Rule::CopySize,
            Field::CopyBytes(side),
            format!("cp.async moves 4, 8 or 16 B, not {bytes}"),
            if bytes < 6 {
                "4 is near"
            } else if bytes < 12 {
                "8 is near"
            } else {
                "16 is near"
            },
        ));
    } else if atom.cache() == CacheOperator::Cg && bytes != 16 {
        broken.push(Diagnostic::new(
            Rule::CopySize,
            Field::CopyCache(side),
            format!("cp.async.cg moves 16 B at a time, not {bytes}"),
            format!("cp_async({bytes}, ca) or cp_async(16, cg)"),
        ));
    }
    // Both sides copy by cp.async, so one diagnostic a target says it for both.
    let too_old = targets.iter().enumerate().filter(|(_, t)| **t < Target::Sm80);
    broken.extend(too_old.filter(|_| side == Side::A).map(|(number, target)| {
        Diagnostic::new(
            Rule::CopyOnTarget,
            Field::Target(number),
            format!("cp.async came with sm_80, {target} does not have it"),
            "name targets from sm_80 on",
        )
    }));
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Proves that `threads` threads write each element of the tile once.
pub(crate) fn plan(
    tile: &SharedTile,
    atom: CopyAtom,
    threads: u32,
) -> Result<GlobalToShared, Vec<Diagnostic>> {
    let vector = atom.bytes() / tile.element_bytes;
    let written = copies_of_each_element(tile, vector, threads);
    if let Some(times) = written.iter().find(|times| **times != 1) {
        return Err(vec![not_covered(tile, atom, vector, *times)]);
    }
    Ok(GlobalToShared {
        side: tile.side,
        atom,
        copies: tile.layout.size() / vector,
        bank_passes: store_passes(tile, vector),
    })
}

/// How often each element of a stage is written: the loop of `global_to_shared`, thread by thread.
fn copies_of_each_element(tile: &SharedTile, vector: u32, threads: u32) -> Vec<u8> {
    let layout = &tile.layout;
    let per_row = layout.cols / vector;
    let copies = layout.rows * per_row; // 0 where a row is shorter than a vector
    let mut written = vec![0u8; layout.size() as usize];
    for first in (0..copies).step_by(threads as usize) {
        for copy in (first..first + threads).take_while(|copy| *copy < copies) {
            let to = layout.offset(copy / per_row, copy % per_row * vector);
            for element in to..to + vector {
                if let Some(times) = written.get_mut(element as usize) {
                    *times = times.saturating_add(1);
                }
            }
        }
    }
    written
}

fn not_covered(tile: &SharedTile, atom: CopyAtom, vector: u32, times: u8) -> Diagnostic {
    let axis = match (tile.k_contiguous, tile.side) {
        (true, _) => Axis::K,
        (false, Side::A) => Axis::M,
        (false, Side::B) => Axis::N,
    };
    let (cols, letter) = (tile.layout.cols, axis.letter());
    let (below, above) = (cols / vector * vector, cols.next_multiple_of(vector));
    let near = if below == 0 { above.to_string() } else { format!("{below} or {above}") };
    Diagnostic::new(
        Rule::CopyCoversTile,
        Field::Tile(axis),
        format!(
            "a row of the tile of {} is BLK_{letter} = {cols} elements, {} moves {vector} at a \
             time: some elements are written {times} times",
            tile.side.letter().to_uppercase(),
            atom.name()
        ),
        format!("BLK_{letter} = {near} is a whole number of copies"),
    )
}

/// The most passes that the banks need for the copies of one warp: its lanes write consecutive
/// vectors of the tile.
fn store_passes(tile: &SharedTile, vector: u32) -> u32 {
    let layout = &tile.layout;
    let per_row = layout.cols / vector;
    let copies: Vec<u32> = (0..layout.rows * per_row)
        .map(|copy| layout.offset(copy / per_row, copy % per_row * vector) * tile.element_bytes)
        .collect();
    let bytes = vector * tile.element_bytes;
    copies.chunks(WARP as usize).map(|warp| bank_passes(warp, bytes)).max().unwrap_or(1)
}

/// The device function `global_to_shared` and what it calls; `atoms` are those of both sides.
pub(crate) fn cuda(atoms: [CopyAtom; 2]) -> Vec<&'static str> {
    let past_l1 = atoms.iter().any(|atom| atom.cache() == CacheOperator::Cg);
    let mut fragments = vec![include_str!("../../ptx/cp_async_ca.cuh")];
    if past_l1 {
        fragments.push(include_str!("../../ptx/cp_async_cg.cuh"));
        fragments.push(include_str!("copy_cg.cuh"));
    } else {
        fragments.push(include_str!("copy_ca.cuh"));
    }
    fragments.push(include_str!("../../ptx/cp_async_group.cuh"));
    fragments.push(include_str!("cp_async.cuh"));
    fragments
}
