//! Block → warps: how the warps of a block share its tile, and the atoms of a warp.

use crate::field::Field;
use crate::hardware::{MAX_THREADS_PER_BLOCK, WARP};
use crate::level::mma::Mma;
use crate::nearest;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Axis;

/// The proof that equal warp tiles of whole MMA atoms cover the block tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warps {
    /// BLK_M, BLK_N, BLK_K.
    pub block: [u32; 3],
    /// Warps along M and N.
    pub grid: [u32; 2],
    /// WARP_M, WARP_N: the part of the block tile of one warp, in elements.
    pub tile: [u32; 2],
    /// MMA atoms of a warp tile along M and N, and along BLK_K (the k-steps of a stage).
    pub atoms: [u32; 3],
    /// Threads of a block.
    pub threads: u32,
}

/// Proves it for an atom of these m, n, k, or names every extent that does not fit.
pub(crate) fn plan(
    block: [u32; 3],
    grid: [u32; 2],
    mma: Mma,
    atom: [u32; 3],
) -> Result<Warps, Vec<Diagnostic>> {
    let [atom_m, atom_n, atom_k] = atom;
    let mut broken = Vec::new();
    let extents = [(Axis::M, block[0], grid[0], atom_m), (Axis::N, block[1], grid[1], atom_n)];
    for (axis, extent, warps, atom) in extents {
        broken.extend(warps_tile_block(axis, extent, warps, atom));
        broken.extend(atoms_tile_warp(axis, extent, warps, atom, mma));
    }
    broken.extend(atoms_tile_k(block[2], atom_k, mma));
    broken.extend(threads_fit_block(grid));
    if !broken.is_empty() {
        return Err(broken);
    }
    let tile = [block[0] / grid[0], block[1] / grid[1]];
    Ok(Warps {
        block,
        grid,
        tile,
        atoms: [tile[0] / atom_m, tile[1] / atom_n, block[2] / atom_k],
        threads: grid[0] * grid[1] * WARP,
    })
}

fn warps_tile_block(axis: Axis, extent: u32, warps: u32, atom: u32) -> Option<Diagnostic> {
    if extent.is_multiple_of(warps) {
        return None;
    }
    let letter = axis.letter();
    let fits: Vec<u32> = (1..=32).filter(|w| extent.is_multiple_of(w * atom)).collect();
    let help = match nearest(&fits, warps) {
        Some(near) => format!("{near} warps divide {extent}"),
        None => format!(
            "BLK_{letter} = {} is {warps} warp tiles",
            extent.next_multiple_of(warps.saturating_mul(atom))
        ),
    };
    Some(Diagnostic::new(
        Rule::WarpsTileBlock,
        Field::Warps(axis),
        format!(
            "BLK_{letter} = {extent} is not {warps} equal warp tiles: {} are left over",
            extent % warps
        ),
        help,
    ))
}

fn atoms_tile_warp(axis: Axis, extent: u32, warps: u32, atom: u32, mma: Mma) -> Option<Diagnostic> {
    // A block that the warps do not divide has no warp tile; then only the block can be judged.
    let (tile, what) = match extent % warps {
        0 => (extent / warps, format!("a warp tile is {} along", extent / warps)),
        _ => (extent, "the block tile is".to_owned() + &format!(" {extent} along")),
    };
    if tile.is_multiple_of(atom) {
        return None;
    }
    let letter = axis.letter();
    let unit = warps.saturating_mul(atom);
    let (below, above) = (extent / unit * unit, extent.next_multiple_of(unit));
    let help = match below {
        0 => format!("BLK_{letter} = {above} is the smallest for {}", along(warps, letter)),
        _ => format!("BLK_{letter} = {below} or {above} is legal for {}", along(warps, letter)),
    };
    Some(Diagnostic::new(
        Rule::AtomsTileWarp,
        Field::Tile(axis),
        format!("{what} {letter}, {} is {atom}: {} are left over", mma.name(), tile % atom),
        help,
    ))
}

/// `2 warps along M`.
fn along(warps: u32, letter: &str) -> String {
    format!("{warps} warp{} along {letter}", if warps == 1 { "" } else { "s" })
}

fn atoms_tile_k(block_k: u32, atom_k: u32, mma: Mma) -> Option<Diagnostic> {
    if block_k.is_multiple_of(atom_k) {
        return None;
    }
    let (below, above) = (block_k / atom_k * atom_k, block_k.next_multiple_of(atom_k));
    let near = if below == 0 { above.to_string() } else { format!("{below} or {above}") };
    Some(Diagnostic::new(
        Rule::AtomsTileK,
        Field::Tile(Axis::K),
        format!(
            "BLK_K = {block_k} is not a multiple of {atom_k}, the k of {}: {} are left over",
            mma.name(),
            block_k % atom_k
        ),
        format!("BLK_K = {near} is legal"),
    ))
}

fn threads_fit_block(grid: [u32; 2]) -> Option<Diagnostic> {
    let threads = u64::from(grid[0]) * u64::from(grid[1]) * u64::from(WARP);
    if threads <= u64::from(MAX_THREADS_PER_BLOCK) {
        return None;
    }
    let axis = if grid[0] > grid[1] { Axis::M } else { Axis::N };
    let (other, most) = (grid[0].min(grid[1]), MAX_THREADS_PER_BLOCK / WARP);
    let help = match most / other {
        0 => format!("at most {most} warps in all"),
        fits => format!("at most {fits} along {} beside {other}", axis.letter()),
    };
    Some(Diagnostic::new(
        Rule::ThreadsFitBlock,
        Field::Warps(axis),
        format!(
            "{} x {} warps are {threads} threads, a block has at most {MAX_THREADS_PER_BLOCK}",
            grid[0], grid[1]
        ),
        help,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(block: [u32; 3], grid: [u32; 2]) -> Vec<Rule> {
        match plan(block, grid, Mma::M16n8k16, [16, 8, 16]) {
            Ok(_) => Vec::new(),
            Err(broken) => broken.into_iter().map(|d| d.rule).collect(),
        }
    }

    #[test]
    fn each_rule_at_its_boundary() {
        assert_eq!(rules([128, 128, 32], [2, 2]), []);
        assert_eq!(rules([128, 128, 32], [3, 2]), [Rule::WarpsTileBlock]);
        assert_eq!(rules([112, 128, 32], [2, 2]), [Rule::AtomsTileWarp]);
        assert_eq!(rules([96, 128, 32], [2, 2]), []);
        assert_eq!(rules([128, 120, 32], [2, 2]), [Rule::AtomsTileWarp]);
        assert_eq!(rules([128, 112, 32], [2, 2]), []);
        assert_eq!(rules([128, 128, 8], [2, 2]), [Rule::AtomsTileK]);
        assert_eq!(rules([128, 128, 16], [2, 2]), []);
        assert_eq!(rules([128, 256, 32], [8, 4]), []);
        assert_eq!(rules([144, 256, 32], [9, 4]), [Rule::ThreadsFitBlock]);
    }

    #[test]
    fn independent_violations_come_together() {
        assert_eq!(
            rules([100, 100, 33], [3, 1]),
            [Rule::WarpsTileBlock, Rule::AtomsTileWarp, Rule::AtomsTileWarp, Rule::AtomsTileK]
        );
    }

    #[test]
    fn the_evidence_counts_atoms() {
        let warps = plan([96, 80, 48], [2, 5], Mma::M16n8k16, [16, 8, 16]).unwrap();
        assert_eq!((warps.tile, warps.atoms, warps.threads), ([48, 16], [3, 2, 3], 320));
    }
}
