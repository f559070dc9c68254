//! Split-K: several blocks share a tile of the output, each with a part of its K.
//!
//! Each block stores its partial sums to a workspace and counts itself in. The last-arriving block
//! reduces the partial sums of all, in the order of the splits, and runs the epilogue. So there is one
//! launch, the body is applied once to the whole sum, and the result does not depend on the order of
//! arrival.
//!
//! Every tile is shared, so that few tiles fill a GPU; or only those of the tail, the last and partial
//! wave, which would leave SMs idle.
//!
//! Blocks of warpgroups need no workspace: those that share a tile form a cluster, see `cluster`.

mod cluster;

use super::{Cluster, Scheduler};
use crate::part::Part;

use crate::field::Field;
use crate::form::Form;
use crate::level::warps::Warps;
use crate::registers::{REGISTER_BYTES, Registers};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Splits};
use crate::text::Sections;

pub use cluster::ClusterSplitK;
pub(crate) use cluster::{check_alone, check_cluster, check_columns};

/// The most blocks that share a tile. More than the SMs of any target could not run at the same time,
/// and one block reduces the partial sums of all.
pub const MAX_SPLITS: u32 = 256;

/// How the K of a tile is shared by blocks that meet in a workspace, and what that takes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitK {
    /// The most blocks that share a tile, at least 2.
    pub splits: u32,
    /// Whether only the tiles of the last wave are shared: a launch says how many tiles are whole, and
    /// how many blocks share each of the others. Else `splits` share each tile; where K has fewer tiles
    /// of BLK_K, some of them add zeros.
    pub tail: bool,
    /// Bytes of the sums that one of them leaves in the workspace.
    pub partial_bytes: u32,
}

/// Proves that this number of blocks can share a tile; 1 shares nothing. Those of warpgroups are a cluster, which has fewer.
pub(crate) fn check(splits: Splits, form: Form) -> Result<Splits, Vec<Diagnostic>> {
    let most = splits.most();
    if most <= MAX_SPLITS || form == Form::Groups {
        return Ok(splits);
    }
    Err(vec![Diagnostic::new(
        Rule::SplitsOfTile,
        Field::SplitK,
        format!("{most} splits per tile, but a tile has at most {MAX_SPLITS}"),
        format!("use at most {MAX_SPLITS}; splits pay off while all blocks run in one wave"),
    )])
}

/// The scheduler of blocks that share tiles, in clusters or by a workspace, or share none and may form a
/// cluster. By a workspace, a block stores all of its accumulators.
pub(crate) fn plan(
    (splits, in_cluster): (Splits, Option<ClusterSplitK>),
    cluster: Option<Cluster>,
    warps: &Warps,
    registers: &Registers,
) -> Scheduler {
    if let Some(split_k) = in_cluster {
        return Scheduler::ClusterSplitK(split_k);
    }
    let partial_bytes = warps.threads * registers.accumulators * REGISTER_BYTES;
    let tail = matches!(splits, Splits::Tail(_));
    match splits.most() {
        ..=1 => Scheduler::OneTile(cluster),
        splits => Scheduler::SplitK(SplitK { splits, tail, partial_bytes }),
    }
}

impl SplitK {
    /// As written in `split_k = ..`.
    pub fn name(&self) -> String {
        match self.tail {
            false => self.splits.to_string(),
            true => format!("tail({})", self.splits),
        }
    }

    /// The constants, the structs and the device functions of a block's share.
    pub(super) fn write_shares(&self, text: &mut Sections) {
        let splits = match self.tail {
            false => format!("constexpr int SPLITS = {};\n", self.splits),
            true => String::new(),
        };
        text.add(format!(
            "{splits}\
             static_assert(sizeof(Accumulators) * THREADS == {}, \"partial sums of a block\");\n\
             // A block's share of the output: its tile, the number of that among the shared tiles, and\n\
             // which of how many parts of k.\n\
             struct Share {{ int tile, number, split, splits; }};\n\
             struct Part {{ int from, k; }};  // of the sum: its first k, and its extent\n",
            self.partial_bytes,
        ));
        text.of(Part::Tiles).add(match self.tail {
            true => include_str!("share_of_tail.cuh"),
            false => include_str!("share_of_block.cuh"),
        });
        text.of(Part::Tiles).add(include_str!("part_of.cuh"));
    }

    /// The device function `split_k` and what it adds with.
    pub(super) fn write_reduction(&self, text: &mut Sections, accumulator: Accumulator) {
        text.add(match accumulator {
            Accumulator::F16 => include_str!("add_halves.cuh"),
            _ => include_str!("add.cuh"),
        });
        text.add(include_str!("../../../ptx/count_in.cuh"));
        text.of(Part::Reduction).add(include_str!("split_k.cuh"));
    }

    /// The first line of the entry point.
    pub(super) fn cuda_share(&self) -> &'static str {
        match self.tail {
            false => "const Share share = share_of_block();\n",
            true => "const Share share = share_of_block(whole, splits);\n",
        }
    }

    /// The line of the entry point that follows the sums of a block.
    pub(super) fn cuda_reduction(&self) -> &'static str {
        match self.tail {
            false => "if (!split_k(acc, share, partials, arrivals)) return;",
            true => "if (share.splits > 1 && !split_k(acc, share, partials, arrivals)) return;",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::level::warps;
    use crate::spec::Mma;

    #[test]
    fn a_tile_is_shared_up_to_the_limit() {
        for splits in [Splits::Every, Splits::Tail] {
            let check = |most: u32| {
                check(splits(NonZeroU16::new(most as u16).unwrap()), Form::WarpsByTensors)
            };
            assert!(check(1).is_ok() && check(MAX_SPLITS).is_ok());
            let broken = check(MAX_SPLITS + 1).unwrap_err();
            assert_eq!((broken[0].rule, broken[0].at), (Rule::SplitsOfTile, Field::SplitK));
        }
    }

    #[test]
    fn a_block_leaves_a_sum_for_each_element_of_its_tile() {
        let warps = warps::plan([64, 96, 32], [2, 2, 1], Mma::M16n8k16, [16, 8, 16]).unwrap();
        let registers = Registers::new(warps.tile[0] * warps.tile[1], 20, 0, warps.threads);
        let [one, five] = [1, 5].map(|splits| NonZeroU16::new(splits).unwrap());
        for (splits, tail) in
            [(Splits::Every as fn(_) -> _, false), (Splits::Tail as fn(_) -> _, true)]
        {
            let plan = |splits| plan((splits, None), None, &warps, &registers);
            assert_eq!(plan(splits(one)), Scheduler::OneTile(None));
            let shared = SplitK { splits: 5, tail, partial_bytes: 64 * 96 * 4 };
            assert_eq!(plan(splits(five)), Scheduler::SplitK(shared));
        }
    }
}
