//! The order in which blocks walk the tiles of the output.

use crate::batch_text::{self, select_rank};
use crate::part::Part;
use crate::spec::Raster;
use crate::text::Sections;

impl Raster {
    /// Where the tile of this number lies among `tiles` along M and N, counted in tiles: those of blocks,
    /// or of clusters. The function `raster` of the text, but for the extents of a tile.
    pub fn place(self, number: u64, [tiles_m, tiles_n]: [u64; 2]) -> [u64; 2] {
        let (along, across) = match self {
            Raster::AlongM(_) => (tiles_m, tiles_n),
            Raster::AlongN(_) => (tiles_n, tiles_m),
        };
        let most = u64::from(self.width());
        let strip_tiles = most.min(along) * across;
        let (strip, within) = (number / strip_tiles, number % strip_tiles);
        let width = most.min(along - strip * most);
        let [along, across] = [strip * most + within % width, within / width];
        match self {
            Raster::AlongM(_) => [along, across],
            Raster::AlongN(_) => [across, along],
        }
    }

    /// The device function `raster`, for one matrix or for a batch, of tiles of blocks or of clusters.
    pub(super) fn write(self, text: &mut Sections, rank: usize, clustered: bool) {
        text.of(Part::Tiles).add(match self {
            Raster::AlongM(_) => include_str!("strips_along_m.cuh"),
            Raster::AlongN(_) => include_str!("strips_along_n.cuh"),
        });
        let file = match clustered {
            true => include_str!("raster_cluster.cuh"),
            false => include_str!("raster.cuh"),
        };
        text.of(Part::Tiles).add(select_rank(file, &[("BATCHED", rank > 0)], rank));
    }
}

/// The struct `Block` that `raster` returns, of one product or of several in turn.
pub(crate) fn cuda_block(rank: usize, in_turn: bool) -> String {
    let structs = batch_text::cuda_structs(rank);
    let (members, what) = match rank {
        0 => ("int m, n", "first row and column of a block tile"),
        1 => ("int batch, m, n", "matrix of a block tile, its first row and column"),
        _ => ("Matrix batch; int m, n", "matrix of a block tile, its first row and column"),
    };
    if in_turn {
        let what = format!("// The {what} in the output of its product.");
        return format!("{structs}{what}\nstruct Block {{ {members}, segment; }};\n");
    }
    let within = if rank == 0 { " in the output" } else { "" };
    format!("{structs}struct Block {{ {members}; }};  // {what}{within}\n")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn every_tile_has_a_number_and_strips_follow_each_other() {
        for (width, tiles) in [(1, [3, 5]), (4, [10, 3]), (8, [3, 7]), (2, [1, 1]), (3, [7, 9])] {
            let width = NonZeroU16::new(width).unwrap();
            for raster in [Raster::AlongM(width), Raster::AlongN(width)] {
                let places: Vec<[u64; 2]> =
                    (0..tiles[0] * tiles[1]).map(|number| raster.place(number, tiles)).collect();
                let inside = places.iter().all(|[m, n]| *m < tiles[0] && *n < tiles[1]);
                let distinct: HashSet<[u64; 2]> = places.iter().copied().collect();
                assert!(inside && distinct.len() == places.len(), "{raster:?} {tiles:?}");
                let axis = usize::from(matches!(raster, Raster::AlongN(_)));
                let strips: Vec<u64> =
                    places.iter().map(|place| place[axis] / u64::from(raster.width())).collect();
                assert!(strips.is_sorted(), "{raster:?} {tiles:?}: {strips:?}");
            }
        }
    }
}
