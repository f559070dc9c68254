//! [`Parts`]: factors of several products, whose tiles lie next to each other in one.
//!
//! A kernel of several products is one product of as many times the columns, whose second factor has some
//! columns of each factor in turn: as many as a warp multiplies of each. So all sums of an element lie in
//! one warp, and all that is known of a tile holds for theirs.

use crate::axis::Axis;
use crate::field::Field;
use crate::hardware::WARP;
use crate::help::Values;
use crate::level::mma::BAND;
use crate::level::warps::Warps;
use crate::rule::{Diagnostic, Rule};

/// How the lines of a tile, m of A or n of B, are divided among the factors that lie next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// How many factors there are.
    pub count: u32,
    /// Lines of each that follow each other: a warp has such a part of each factor.
    pub extent: u32,
}

impl Parts {
    /// Those of a tile of one factor.
    pub(crate) const ONE: Parts = Parts { count: 1, extent: u32::MAX };

    /// `count` parts, one per factor; `of_warp`: lines of a warp, those of all factors together.
    pub(crate) fn of(count: u32, of_warp: u32) -> Parts {
        match (count, of_warp / count.max(1)) {
            (0 | 1, _) | (_, 0) => Parts::ONE,
            (_, extent) => Parts { count, extent },
        }
    }

    /// The part in which a line of the tile lies, counted over those of all factors.
    pub fn of_line(self, line: u32) -> u32 {
        line / self.extent
    }

    /// Where line `number` of what the tile has of a factor lies in it.
    pub fn place(self, factor: u32, number: u32) -> u32 {
        if self.count == 1 {
            return number;
        }
        let Parts { count, extent } = self;
        (number / extent * count + factor) * extent + number % extent
    }
}

/// What a warp's columns must be a multiple of: for each product whole bands, and whole copies, which
/// move `copied` columns each.
pub(crate) fn columns_of_parts(products: u32, copied: u32) -> u32 {
    if products == 1 { 1 } else { products * BAND.max(copied) }
}

/// Proves that each warp has a part of every one of `products`: a multiple of this number of `columns`.
pub(crate) fn check(products: u32, warps: &Warps, columns: u32) -> Result<(), Vec<Diagnostic>> {
    let of_warp = warps.tile[1];
    if of_warp.is_multiple_of(columns) {
        return Ok(());
    }
    let (of_block, each) = (columns * warps.grid[1], columns / products);
    let after = format!(" for {products} products");
    let is_group = warps.threads > WARP * warps.grid.iter().product::<u32>();
    let who = if is_group { "warpgroup" } else { "warp" };
    let broken = Diagnostic::new(
        Rule::ProductsOfTile,
        Field::Tile(Axis::N),
        format!(
            "a {who} has {of_warp} columns for {products} products, not a whole number of {each} for each"
        ),
        format!("BLK_N has to be a multiple of {of_block}{after}"),
    );
    Err(vec![broken.naming(Values::extents(Axis::N, warps.block[1], of_block, after))])
}

/// Proves that the blocks of a cluster do not share the K of several products: each would store columns of
/// some products alone.
pub(crate) fn check_splits(products: u32, splits: u32) -> Result<(), Vec<Diagnostic>> {
    if products == 1 || splits == 1 {
        return Ok(());
    }
    Err(vec![Diagnostic::new(
        Rule::ProductsOfTile,
        Field::SplitK,
        format!(
            "each of {splits} blocks of a cluster would store 1 / {splits} of the columns of {products} \
             products, which lie next to each other"
        ),
        "remove `split_k`, or use an atom of one warp, whose blocks share K through a workspace",
    )])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::warps;
    use crate::spec::Mma;

    #[test]
    fn the_parts_of_all_factors_are_a_tile() {
        for (count, extent, lines) in [(1, 8, 64), (2, 8, 64), (3, 16, 96), (4, 24, 192)] {
            let parts = Parts::of(count, count * extent);
            let mut places: Vec<u32> = (0..count)
                .flat_map(|factor| (0..lines / count).map(move |line| parts.place(factor, line)))
                .collect();
            places.sort_unstable();
            assert_eq!(places, (0..lines).collect::<Vec<_>>(), "{count} x {extent}");
        }
    }

    #[test]
    fn a_warp_has_whole_bands_and_copies_of_each_product() {
        let legal = |products, columns: u32, copy| {
            let block = [16, 2 * columns, 32];
            let warps = warps::plan(block, [1, 2, 1], Mma::M16n8k16, [16, 8, 16]).unwrap();
            check(products, &warps, columns_of_parts(products, copy)).is_ok()
        };
        assert!(legal(1, 8, 1) && legal(2, 16, 1) && !legal(2, 24, 1) && legal(3, 24, 1));
        assert!(legal(2, 32, 16) && !legal(2, 16, 16) && legal(4, 64, 16) && !legal(4, 32, 16));
    }
}
