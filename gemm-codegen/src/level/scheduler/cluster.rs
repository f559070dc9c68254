//! Clusters: blocks that run at the same time and copy what both multiply once.

use std::num::NonZeroU16;

use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::help::Values;
use crate::level::mma::Mma;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

/// Rows of a tile in shared memory after which its swizzle repeats: each part begins with such a group.
const ROWS: u32 = 8;

/// The blocks of a cluster, two, which compute neighbouring tiles: the key `cluster`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Along M and along N.
    pub blocks: [u32; 2],
}

impl Cluster {
    /// The cluster as written. One block is not a cluster; more than two are an error elsewhere.
    pub(crate) fn of(written: Option<[NonZeroU16; 2]>) -> Option<Cluster> {
        let blocks = written?.map(|extent| u32::from(extent.get()));
        matches!(blocks, [2, 1] | [1, 2]).then_some(Cluster { blocks })
    }

    /// How many blocks it has.
    pub fn size(self) -> u32 {
        self.blocks[0] * self.blocks[1]
    }

    /// The side whose tile all its blocks multiply: each copies a part of it to all of them.
    pub fn shared(self) -> Side {
        if self.blocks[0] > 1 { Side::B } else { Side::A }
    }

    /// The blocks that copy the tile of a side together.
    pub(crate) fn parts(cluster: Option<Cluster>, side: Side) -> u32 {
        cluster.filter(|cluster| cluster.shared() == side).map_or(1, Cluster::size)
    }

    /// The constants of its extents.
    pub(crate) fn cuda_constants(self) -> String {
        let [m, n] = self.blocks;
        format!(
            "constexpr int CLUSTER_M = {m}, CLUSTER_N = {n}, CLUSTER = {};  // blocks\n",
            self.size()
        )
    }

    /// The number of a block in its cluster, and the barrier of the cluster.
    pub(super) fn write(text: &mut Sections) {
        text.add(include_str!("../../ptx/cluster.cuh"));
    }
}

/// Proves that a cluster has two blocks of warpgroups, or one.
pub(crate) fn check(written: Option<[NonZeroU16; 2]>, mma: Mma) -> Result<(), Vec<Diagnostic>> {
    let Some(extents) = written else { return Ok(()) };
    let [m, n] = extents.map(|extent| u32::from(extent.get()));
    let at = Field::Cluster(if m >= n { Axis::M } else { Axis::N });
    let mut broken = Vec::new();
    if !mma.is_wgmma() {
        broken.push(Diagnostic::new(
            Rule::ClusterOfWarpgroups,
            at,
            "only blocks of warpgroups form clusters",
            "write `mma = wgmma`, or remove `cluster`",
        ));
    }
    if m * n > 2 {
        broken.push(Diagnostic::new(
            Rule::ClusterOfTwo,
            at,
            format!("{m} x {n} = {} blocks per cluster, but the limit is 2", m * n),
            "use `cluster = [2, 1]` or `cluster = [1, 2]`",
        ));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Proves that each block copies whole groups of rows of the tile that all of them multiply. Of a tile of
/// B along K they are its BLK_N `columns`; rows of A are whole atoms, and rows along K those of a box.
pub(crate) fn check_copies(
    cluster: Cluster,
    columns: u32,
    k_contiguous: bool,
) -> Result<(), Vec<Diagnostic>> {
    let (blocks, unit) = (cluster.size(), ROWS * cluster.size());
    if cluster.shared() == Side::A || !k_contiguous || columns.is_multiple_of(unit) {
        return Ok(());
    }
    let after = format!(" for {blocks} blocks per cluster");
    let broken = Diagnostic::new(
        Rule::ClusterCopies,
        Field::Tile(Axis::N),
        format!(
            "each of {blocks} blocks copies {columns} / {blocks} rows of B, not a multiple of {ROWS}"
        ),
        format!("BLK_N has to be a multiple of {unit}{after}"),
    );
    Err(vec![broken.naming(Values::extents(Axis::N, columns, unit, after))])
}
