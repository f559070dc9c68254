//! Split-K within clusters: the blocks that share a tile of the output run at the same time and
//! reduce their sums through distributed shared memory.
//!
//! Each block of a cluster multiplies its part of K. Then it sends its sums of the other blocks'
//! columns to those blocks, whose rings are idle by then, reduces the sums of its own columns in
//! the order of the ranks, and runs the epilogue for them. So no workspace is needed, each block
//! stores a part of the tile, and the result does not depend on which block ends first.

use std::num::NonZeroU16;

use crate::axis::Axis;
use crate::field::Field;
use crate::form::Form;
use crate::help::{Values, one_of};
use crate::level::mma::BAND;
use crate::level::scheduler::Cluster;
use crate::level::warps::Warps;
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Splits, Walk};
use crate::text::Sections;

/// Blocks of a cluster that can share a tile. Eight are the most that every GPU with clusters runs
/// (CUDA C++ Programming Guide, "Thread Block Clusters"); powers of two divide the usual tiles.
const SIZES: [u32; 3] = [2, 4, 8];

/// Bytes of a sum of `wgmma`.
const SUM_BYTES: u32 = 4;

/// How the blocks of a cluster share the K of each tile of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterSplitK {
    /// Blocks of a cluster. Each has a part of K, and stores a part of the columns of each
    /// warpgroup.
    pub splits: u32,
}

impl ClusterSplitK {
    /// The blocks of a cluster that can share each tile; none for other numbers of them, and for tails.
    pub(crate) fn of(splits: Splits) -> Option<ClusterSplitK> {
        let Splits::Every(count) = splits else { return None };
        let splits = u32::from(count.get());
        SIZES.contains(&splits).then_some(ClusterSplitK { splits })
    }

    /// Bytes of the sums that a block with a tile of these extents receives from the others. Sums
    /// that fit the registers of the consumers fit its shared memory too.
    pub(crate) fn received_bytes(self, [m, n, _]: [u32; 3]) -> u32 {
        m * n / self.splits * (self.splits - 1) * SUM_BYTES
    }

    /// The constant of its size.
    pub(crate) fn cuda_constants(self) -> String {
        format!(
            "constexpr int SPLITS = {};  // blocks of a cluster, which share the K of a tile\n",
            self.splits
        )
    }

    /// The device function of a block's part of K, and what it calls.
    pub(in crate::level::scheduler) fn write_part(text: &mut Sections) {
        Cluster::write(text, true);
        text.of(Part::Tiles).add(include_str!("part_of_block.cuh"));
    }

    /// The device function `reduce` and what it stores with.
    pub(in crate::level::scheduler) fn write_reduction(text: &mut Sections, sums: Accumulator) {
        text.of(Part::Reduction)
            .add_file(include_str!("reduce.cuh"), &[("INTEGERS", sums == Accumulator::I32)]);
    }
}

/// Proves that the blocks that share a tile of warpgroups form a cluster.
pub(crate) fn check_cluster(
    splits: Splits,
    form: Form,
) -> Result<Option<ClusterSplitK>, Vec<Diagnostic>> {
    let most = splits.most();
    if form != Form::Groups || most == 1 {
        return Ok(None);
    }
    let (message, help) = match (ClusterSplitK::of(splits), splits) {
        (Some(split_k), _) => return Ok(Some(split_k)),
        (None, Splits::Tail(_)) => (
            format!(
                "`tail({most})` leaves the splits to the launch, but with `mma = wgmma` they are a cluster, \
                 fixed at compile time"
            ),
            "use `split_k = 2`, `4` or `8`, which splits every tile".to_owned(),
        ),
        (None, Splits::Every(_)) => (
            format!(
                "`split_k = {most}`, but with `mma = wgmma` the splits of a tile are a cluster of 2, 4 or 8 blocks"
            ),
            format!("use {}", nearest(most)),
        ),
    };
    Err(vec![Diagnostic::new(Rule::WarpgroupSplits, Field::SplitK, message, help)])
}

/// Proves that a cluster whose blocks share a tile does nothing else. `cluster` and `walk` are as written.
pub(crate) fn check_alone(
    splits: Splits,
    form: Form,
    walk: Option<Walk>,
    cluster: Option<[NonZeroU16; 2]>,
) -> Result<(), Vec<Diagnostic>> {
    if form != Form::Groups || splits.most() == 1 {
        return Ok(());
    }
    let alone =
        |at, message: &str, help: &str| Diagnostic::new(Rule::SplitsAlone, at, message, help);
    let mut broken = Vec::new();
    if walk.is_some() {
        broken.push(alone(
            Field::Walk,
            "`split_k` cannot be combined with `schedule`: partial sums arrive in the stages, which a \
             persistent block fills for its next tile",
            "remove `schedule`, or `split_k`",
        ));
    }
    if let Some([m, n]) = cluster.filter(|blocks| *blocks != [NonZeroU16::MIN; 2]) {
        broken.push(alone(
            Field::Cluster(if m >= n { Axis::M } else { Axis::N }),
            "`split_k` cannot be combined with `cluster`: the splits of a tile are a cluster themselves, \
             and have no k-tile in common",
            "remove `cluster`, or `split_k`",
        ));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// The keys with the sizes next to a number.
fn nearest(splits: u32) -> String {
    let below = SIZES.iter().rev().find(|size| **size < splits);
    let above = SIZES.iter().find(|size| **size > splits);
    let keys = below.into_iter().chain(above).map(|size| format!("`split_k = {size}`"));
    let names: Vec<String> = keys.collect();
    one_of(names.iter().map(String::as_str))
}

/// Proves that each block stores whole bands of the columns of each warpgroup.
pub(crate) fn check_columns(split_k: ClusterSplitK, warps: &Warps) -> Result<(), Vec<Diagnostic>> {
    let (splits, columns) = (split_k.splits, warps.tile[1]);
    let unit = splits * BAND;
    if columns.is_multiple_of(unit) {
        return Ok(());
    }
    let groups = warps.grid[1];
    let after = match groups {
        1 => format!(" for {splits} blocks per tile"),
        _ => format!(" for {splits} blocks per tile and {groups} warpgroups along N"),
    };
    let broken = Diagnostic::new(
        Rule::SplitColumns,
        Field::Tile(Axis::N),
        format!(
            "{splits} blocks store the {columns} columns of a warpgroup: {columns} / {splits} each are not a \
             multiple of {BAND}"
        ),
        format!("BLK_N has to be a multiple of {}{after}", unit * groups),
    );
    Err(vec![broken.naming(Values::extents(Axis::N, warps.block[1], unit * groups, after))])
}
