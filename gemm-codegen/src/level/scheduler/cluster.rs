//! Clusters: blocks that run at the same time and copy once what several of them multiply.

use std::num::NonZeroU16;

use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::form::Form;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

/// The most blocks of a cluster that every GPU with clusters runs (CUDA C++ Programming Guide, "Thread
/// Block Clusters").
const MOST: u32 = 8;

/// The blocks of a cluster, which compute neighbouring tiles: the key `cluster`. Those along M multiply the
/// same tile of B, those along N the same tile of A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Along M and along N: powers of two.
    pub blocks: [u32; 2],
}

impl Cluster {
    /// What is written, if that is a cluster of several blocks that may be.
    pub(crate) fn legal(written: Option<[NonZeroU16; 2]>) -> Option<Cluster> {
        let blocks = written?.map(|extent| u32::from(extent.get()));
        (blocks != [1, 1] && is_legal(blocks)).then_some(Cluster { blocks })
    }

    /// How many blocks it has.
    pub fn size(self) -> u32 {
        self.blocks[0] * self.blocks[1]
    }

    /// The blocks that copy the tile of a side together, a part each to all of them.
    pub fn parts(cluster: Option<Cluster>, side: Side) -> u32 {
        let parts = |Cluster { blocks: [m, n] }| match side {
            Side::A => n,
            Side::B => m,
        };
        cluster.map_or(1, parts)
    }

    /// The blocks that fill a stage of one of them: itself, and those that multiply its tile of A or of B.
    pub(crate) fn fillers(self) -> u32 {
        let [m, n] = self.blocks;
        m + n - 1
    }

    /// The constants of its extents.
    pub(crate) fn cuda_constants(self) -> String {
        let [m, n] = self.blocks;
        format!(
            "constexpr int CLUSTER_M = {m}, CLUSTER_N = {n}, CLUSTER = {};  // blocks\n",
            self.size()
        )
    }

    /// The number of a block in its cluster, and the barriers of the cluster, whose blocks may send each
    /// other sums.
    pub(super) fn write(text: &mut Sections, sends: bool) {
        text.add(include_str!("../../ptx/cluster.cuh"));
        if sends {
            text.add(include_str!("../../ptx/cluster_sync.cuh"));
        }
    }
}

/// Whether a cluster may have these numbers of blocks along M and N: then each block copies as many rows
/// of what it shares.
fn is_legal([m, n]: [u32; 2]) -> bool {
    m.is_power_of_two() && n.is_power_of_two() && m.saturating_mul(n) <= MOST
}

/// Proves that a cluster has blocks of warpgroups, and not too many. One block is not a cluster.
pub(crate) fn check(
    written: Option<[NonZeroU16; 2]>,
    form: Form,
) -> Result<Option<Cluster>, Vec<Diagnostic>> {
    let Some(extents) = written else { return Ok(None) };
    let blocks @ [m, n] = extents.map(|extent| u32::from(extent.get()));
    let mut broken = Vec::new();
    if form != Form::Groups {
        broken.push(Diagnostic::new(
            Rule::ClusterOfWarpgroups,
            Field::Cluster(if m >= n { Axis::M } else { Axis::N }),
            "`cluster` requires `mma = wgmma`: only its kernels copy a tile to several blocks",
            "write `mma = wgmma`, or remove `cluster`",
        ));
    }
    if !is_legal(blocks) {
        let [near_m, near_n] = near(blocks);
        broken.push(Diagnostic::new(
            Rule::ClusterSize,
            Field::Cluster(if near_m == m { Axis::N } else { Axis::M }),
            format!(
                "{m} x {n} = {} blocks per cluster: both extents must be 1, 2, 4 or 8, and their product \
                 at most {MOST}",
                m.saturating_mul(n)
            ),
            format!("use `cluster = [{near_m}, {near_n}]`"),
        ));
    }
    if broken.is_empty() { Ok(Cluster::legal(written)) } else { Err(broken) }
}

/// The nearest legal cluster that is not larger along M or N.
fn near(blocks: [u32; 2]) -> [u32; 2] {
    let [mut m, mut n] = blocks.map(|extent| 1 << extent.min(MOST).ilog2());
    while !is_legal([m, n]) {
        if m > n { m /= 2 } else { n /= 2 }
    }
    [m, n]
}
