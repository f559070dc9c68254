//! Block → warps: how the warps of a block share its tile, and the atoms of a warp.
//!
//! Warps along K have the same part of the output, each a part of every tile's K: their sums are
//! added up when they are staged for the epilogue.

use std::cmp::Reverse;

use crate::axis::Axis;
use crate::field::Field;
use crate::hardware::{MAX_THREADS_PER_BLOCK, WARP};
use crate::help::{Edit, Values};
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Mma;
use crate::text::Sections;

/// The proof that equal warp tiles of whole MMA atoms cover the block tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warps {
    /// BLK_M, BLK_N, BLK_K.
    pub block: [u32; 3],
    /// Warps along M, N and K.
    pub grid: [u32; 3],
    /// WARP_M, WARP_N, WARP_K: the part of the block tile of one warp, in elements.
    pub tile: [u32; 3],
    /// MMA atoms of a warp tile along M, N and K (its k-steps of a stage).
    pub atoms: [u32; 3],
    /// Warps that share each part of the grid: one, or the four of a warpgroup.
    pub warps: u32,
    /// Threads of a block that multiply.
    pub threads: u32,
}

impl Warps {
    /// What the grid counts, as the key is written.
    pub(crate) fn units(&self) -> &'static str {
        if self.warps == 1 { "warps" } else { "warpgroups" }
    }
}

/// Proves it for an atom of these m, n, k, or names every extent that does not fit.
pub(crate) fn plan(
    block: [u32; 3],
    grid: [u32; 3],
    mma: Mma,
    atom: [u32; 3],
) -> Result<Warps, Vec<Diagnostic>> {
    let mut broken = Vec::new();
    for (at, axis) in Axis::ALL.into_iter().enumerate() {
        broken.extend(warps_tile_block(axis, block[at], grid[at], atom[at], mma));
        broken.extend(match axis {
            Axis::K | Axis::R => atoms_tile_k(block[at], grid[at], atom[at], mma),
            _ => atoms_tile_warp(axis, block[at], grid[at], atom[at], mma),
        });
    }
    broken.extend(match mma {
        Mma::Wgmma(_) => warpgroups_of_block(grid),
        _ => threads_fit_block(grid),
    });
    if !broken.is_empty() {
        return Err(broken);
    }
    let tile = [0, 1, 2].map(|at| block[at] / grid[at]);
    let atoms = [0, 1, 2].map(|at| tile[at] / atom[at]);
    let threads = grid.iter().product::<u32>() * mma.warps() * WARP;
    Ok(Warps { block, grid, tile, atoms, warps: mma.warps(), threads })
}

impl Warps {
    /// First row, column and k of the part of the block tile that this warp has, or that this warpgroup
    /// has: they are numbered along M first, along K last. The function `warps` of the text.
    pub fn part(&self, number: u32) -> [u32; 3] {
        let [along_m, along_n, _] = self.grid;
        let place = [number % along_m, number / along_m % along_n, number / (along_m * along_n)];
        [0, 1, 2].map(|axis| place[axis] * self.tile[axis])
    }

    /// The device function `warps`, or `warpgroup_of`.
    pub(crate) fn write(&self, text: &mut Sections) {
        text.of(Part::Warps).add(match (self.warps, self.grid[2]) {
            // One warp along k starts at 0, which has to be a constant: it is a part of every address.
            (1, 1) => include_str!("warps.cuh"),
            (1, _) => include_str!("warps_along_k.cuh"),
            _ => include_str!("warpgroups.cuh"),
        });
    }
}

/// What one of `warps` has of an extent; all of it where they do not divide it.
pub(crate) fn share(extent: u32, warps: u32) -> u32 {
    if extent.is_multiple_of(warps) { extent / warps } else { extent }
}

/// What shares a tile, one of them or several.
fn noun(mma: Mma, count: u32) -> String {
    let noun = if mma.warps() == 1 { "warp" } else { "warpgroup" };
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

/// Where their number is written.
fn field(mma: Mma, axis: Axis) -> Field {
    if mma.warps() == 1 { Field::Warps(axis) } else { Field::Warpgroups(axis) }
}

fn warps_tile_block(
    axis: Axis,
    extent: u32,
    warps: u32,
    atom: u32,
    mma: Mma,
) -> Option<Diagnostic> {
    // A block that the atom does not divide has no legal number of warps: the block is the mistake.
    if extent.is_multiple_of(warps) || !extent.is_multiple_of(atom) {
        return None;
    }
    let letter = axis.letter();
    let mut fits: Vec<u32> = (1..=32).filter(|w| extent.is_multiple_of(w * atom)).collect();
    fits.sort_by_key(|fit| (fit.abs_diff(warps), Reverse(*fit)));
    let edits = fits.into_iter().map(|fit| match mma.warps() {
        1 => Edit::Warps(axis, fit),
        _ => Edit::Warpgroups(axis, fit),
    });
    let broken = Diagnostic::new(
        Rule::WarpsTileBlock,
        field(mma, axis),
        format!(
            "BLK_{letter} = {extent} is not divisible by {warps} {}: {} remain",
            noun(mma, warps),
            extent % warps
        ),
        format!("the {} along {letter} have to divide BLK_{letter}", noun(mma, 2)),
    );
    Some(broken.naming(Values::one(edits, "")))
}

fn atoms_tile_warp(axis: Axis, extent: u32, warps: u32, atom: u32, mma: Mma) -> Option<Diagnostic> {
    // A block that the warps do not divide has no warp tile; then only the block can be judged.
    let (tile, what) = match extent % warps {
        0 => (extent / warps, format!("a {} tile of {} along", noun(mma, 1), extent / warps)),
        _ => (extent, format!("a block tile of {extent} along")),
    };
    if tile.is_multiple_of(atom) {
        return None;
    }
    let letter = axis.letter();
    let unit = warps.saturating_mul(atom);
    let with = along(mma, warps, letter);
    let broken = Diagnostic::new(
        Rule::AtomsTileWarp,
        Field::Tile(axis),
        format!(
            "{what} {letter} is not a multiple of {atom}, the {letter} of {}: {} remain",
            mma.name(),
            tile % atom
        ),
        format!("BLK_{letter} has to be a multiple of {unit} for {with}"),
    );
    Some(broken.naming(Values::extents(axis, extent, unit, format!(" with {with}"))))
}

/// A block has the registers of three warpgroups that multiply and of one that copies.
fn warpgroups_of_block([m, n, _]: [u32; 3]) -> Option<Diagnostic> {
    const MOST: u32 = 3;
    let groups = m.saturating_mul(n);
    let (at, other, others) = if m > n { (Axis::M, n, Axis::N) } else { (Axis::N, m, Axis::M) };
    (groups > MOST).then(|| {
        let fits = (1..=MOST / other.min(MOST)).rev().map(|fit| Edit::Warpgroups(at, fit));
        let after = format!(", with {other} along {}", others.letter());
        Diagnostic::new(
            Rule::WarpgroupsOfBlock,
            Field::Warpgroups(at),
            format!(
                "{m} x {n} = {groups} warpgroups, but the registers of a block are enough for {MOST} that \
                 multiply"
            ),
            format!("use at most {MOST} warpgroups in total"),
        )
        .naming(Values::one(fits, after))
    })
}

/// `2 warps along M`.
fn along(mma: Mma, warps: u32, letter: &str) -> String {
    format!("{warps} {} along {letter}", noun(mma, warps))
}

/// What has this K: an instruction, or where a factor is converted a k-step of several.
fn k_step(mma: Mma, k: u32) -> String {
    let is_instruction = matches!(mma, Mma::Fma { .. } | Mma::Wgmma(_)) || mma.shape()[2] == k;
    if is_instruction { mma.name().into_owned() } else { format!("a k-step by {}", mma.name()) }
}

fn atoms_tile_k(block_k: u32, warps: u32, atom_k: u32, mma: Mma) -> Option<Diagnostic> {
    let warp_k = share(block_k, warps);
    if warp_k.is_multiple_of(atom_k) {
        return None;
    }
    let unit = warps.saturating_mul(atom_k);
    let (each, legal) = match warps {
        1 => (String::new(), String::new()),
        // A block that the warps do not divide has no warp tile; then only the block can be judged.
        _ if warp_k == block_k => (String::new(), format!(" for {}", along(mma, warps, "K"))),
        _ => {
            let each = format!(", {warp_k} for each of {warps} warps,");
            (each, format!(" for {}", along(mma, warps, "K")))
        }
    };
    let of = k_step(mma, atom_k);
    let broken = Diagnostic::new(
        Rule::AtomsTileK,
        Field::Tile(Axis::K),
        format!(
            "BLK_K = {block_k}{each} is not a multiple of {atom_k}, the K of {}: {} remain",
            of,
            warp_k % atom_k
        ),
        format!("BLK_K has to be a multiple of {unit}{legal}"),
    );
    Some(broken.naming(Values::extents(Axis::K, block_k, unit, legal)))
}

fn threads_fit_block(grid: [u32; 3]) -> Option<Diagnostic> {
    let warps = grid.map(u64::from).iter().product::<u64>();
    let (threads, most) = (warps * u64::from(WARP), MAX_THREADS_PER_BLOCK / WARP);
    if threads <= u64::from(MAX_THREADS_PER_BLOCK) {
        return None;
    }
    let [m, n, k] = grid;
    let at = if k > m.max(n) { 2 } else { usize::from(m <= n) };
    let axis = Axis::ALL[at];
    let others = warps / u64::from(grid[at]);
    // The largest that fits and divides the tile, which other rules judge.
    let fits = (1..=u64::from(most) / others).rev().map(|fit| Edit::Warps(axis, fit as u32));
    let with = format!(", with {others} along the others");
    let product = if k == 1 { format!("{m} x {n}") } else { format!("{m} x {n} x {k}") };
    let broken = Diagnostic::new(
        Rule::ThreadsFitBlock,
        Field::Warps(axis),
        format!(
            "{product} warps are {threads} threads, but a block has at most {MAX_THREADS_PER_BLOCK}"
        ),
        format!("use at most {most} warps in total"),
    );
    Some(broken.naming(Values::one(fits, with)))
}

#[cfg(test)]
mod tests;
