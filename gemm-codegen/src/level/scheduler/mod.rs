//! Output → blocks: which tile of the output a block computes, with which part of its K, and in which
//! order blocks walk the tiles.

mod cluster;
mod invariant;
mod k_order;
mod persistent;
mod raster;
mod split_k;

use crate::batch_text::counts_argument;
use crate::part::Part;
use crate::spec::{Accumulator, KOrder, Raster, Walk};
use crate::text::Sections;

pub use cluster::Cluster;
pub(crate) use cluster::check as check_cluster;
pub(crate) use invariant::check as check_invariant;
pub(crate) use k_order::check as check_k_order;
pub(crate) use persistent::check as check_walk;
pub(crate) use raster::cuda_block;
pub use split_k::{ClusterSplitK, MAX_SPLITS, SplitK};
pub(crate) use split_k::{
    check, check_alone, check_cluster as check_cluster_splits, check_columns, plan,
};

/// How tiles of the output are given to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Each block computes one tile. The blocks of a cluster copy tiles together, if there is one.
    OneTile(Option<Cluster>),
    /// Several blocks share the K of a tile, of each one or of those of the tail. Their sums meet
    /// in a workspace.
    SplitK(SplitK),
    /// The blocks of a cluster share the K of each tile. Their sums meet in their shared memory.
    ClusterSplitK(ClusterSplitK),
    /// Each block walks over tiles.
    Persistent(Persistent),
}

/// Blocks that walk over tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Persistent {
    /// How the warpgroups of a block share its tiles.
    pub walk: Walk,
    /// In which order the producer brings the k-tiles of a tile.
    pub k_order: KOrder,
    /// The blocks that copy tiles together, if they do.
    pub cluster: Option<Cluster>,
}

impl Scheduler {
    /// How the K of a tile is shared through a workspace, if it is.
    pub fn split_k(&self) -> Option<SplitK> {
        match self {
            Scheduler::SplitK(split_k) => Some(*split_k),
            Scheduler::OneTile(_) | Scheduler::ClusterSplitK(_) | Scheduler::Persistent(_) => None,
        }
    }

    /// How the blocks of a cluster share the K of a tile, if they do.
    pub fn cluster_split_k(&self) -> Option<ClusterSplitK> {
        match self {
            Scheduler::ClusterSplitK(split_k) => Some(*split_k),
            Scheduler::OneTile(_) | Scheduler::SplitK(_) | Scheduler::Persistent(_) => None,
        }
    }

    /// Whether a block multiplies a part of K, in either way.
    pub(crate) fn has_part(&self) -> bool {
        matches!(self, Scheduler::SplitK(_) | Scheduler::ClusterSplitK(_))
    }

    /// How a block walks over several tiles, if it does.
    pub fn walk(&self) -> Option<Walk> {
        self.persistent().map(|blocks| blocks.walk)
    }

    /// In which order the k-tiles of a tile are brought.
    pub fn k_order(&self) -> KOrder {
        self.persistent().map_or(KOrder::Ascending, |blocks| blocks.k_order)
    }

    /// The blocks that copy tiles together, if they do.
    pub fn cluster(&self) -> Option<Cluster> {
        match self {
            Scheduler::OneTile(cluster) | Scheduler::Persistent(Persistent { cluster, .. }) => {
                *cluster
            }
            Scheduler::SplitK(_) | Scheduler::ClusterSplitK(_) => None,
        }
    }

    fn persistent(&self) -> Option<Persistent> {
        match self {
            Scheduler::Persistent(blocks) => Some(*blocks),
            Scheduler::OneTile(_) | Scheduler::SplitK(_) | Scheduler::ClusterSplitK(_) => None,
        }
    }

    /// The device functions that say what a block computes.
    pub(crate) fn write_blocks(
        &self,
        text: &mut Sections,
        (raster, rank): (Raster, usize),
        in_turn: bool,
    ) {
        let clustered = self.cluster().is_some();
        if clustered {
            Cluster::write(text, false);
        }
        match self {
            Scheduler::SplitK(split_k) => split_k.write_shares(text),
            Scheduler::ClusterSplitK(_) => ClusterSplitK::write_part(text),
            Scheduler::OneTile(_) | Scheduler::Persistent(_) => {}
        }
        raster.write(text, rank, clustered);
        if self.walk().is_some() {
            Walk::write(text, rank);
        }
        if in_turn {
            text.of(Part::Tiles).add(include_str!("segments.cuh"));
        }
        if in_turn && self.walk().is_some() {
            text.of(Part::Tiles).add(include_str!("tiles_of_segments.cuh"));
        }
    }

    /// The device function that reduces the partial sums of a tile.
    pub(crate) fn write_reduction(&self, text: &mut Sections, accumulator: Accumulator) {
        match self {
            Scheduler::SplitK(split_k) => split_k.write_reduction(text, accumulator),
            Scheduler::ClusterSplitK(_) => ClusterSplitK::write_reduction(text, accumulator),
            Scheduler::OneTile(_) | Scheduler::Persistent(_) => {}
        }
    }

    /// The first lines of the entry point: what the block computes.
    ///
    /// Several products that lie next to each other are one of as many times the columns; `columns` are those of
    /// products in turn, whose tiles follow each other.
    pub(crate) fn cuda_block(&self, rank: usize, products: u32, columns: &str) -> String {
        let counts = counts_argument(rank);
        let in_turn = !columns.is_empty();
        let n = match products {
            _ if in_turn => "segments.columns()",
            1 => "n",
            _ => "PRODUCTS * n",
        };
        let segments = match in_turn {
            true => format!("const Segments segments = {{{{{columns}}}}};\n"),
            false => String::new(),
        };
        let (share, tile) = match self {
            Scheduler::OneTile(Some(_)) => ("", "int(blockIdx.x / CLUSTER)"),
            Scheduler::OneTile(None) => ("", "int(blockIdx.x)"),
            Scheduler::SplitK(split_k) => (split_k.cuda_share(), "share.tile"),
            Scheduler::ClusterSplitK(_) => ("", "int(blockIdx.x / SPLITS)"),
            Scheduler::Persistent(_) => {
                let matrices = if rank == 0 { "" } else { ", matrices" };
                let tiles = match in_turn {
                    true => {
                        format!("TilesOfSegments tiles(Tiles(m, {n}{counts}{matrices}), segments);")
                    }
                    false => format!("Tiles tiles(m, {n}{counts}{matrices});"),
                };
                return format!("{segments}{tiles}\nBlock block;");
            }
        };
        let block = format!("raster(m, {n}{counts}, {tile})");
        let block = if in_turn { format!("segments.place({block})") } else { block };
        format!("{segments}{share}const Block block = {block};")
    }

    /// The line of the entry point that says which part of K, of this extent, the block multiplies.
    pub(crate) fn cuda_part(&self, name: &str, k: &str) -> String {
        match self {
            Scheduler::OneTile(_) | Scheduler::Persistent(_) => String::new(),
            Scheduler::SplitK(_) => format!("const Part {name} = part_of(share, {k});"),
            Scheduler::ClusterSplitK(_) => format!("const Part {name} = part_of_block({k});"),
        }
    }

    /// The line of the entry point that follows the sums of a block.
    pub(crate) fn cuda_reduction(&self) -> &'static str {
        match self {
            Scheduler::OneTile(_) | Scheduler::Persistent(_) => "",
            Scheduler::SplitK(split_k) => split_k.cuda_reduction(),
            Scheduler::ClusterSplitK(_) => "reduce(acc, shared, cluster_rank());",
        }
    }
}
