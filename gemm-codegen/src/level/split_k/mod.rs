//! Grid → block along K: several blocks share a tile of the output, each with a part of K.
//!
//! Each block leaves its sums in a workspace and counts itself in; the one that comes last adds up
//! those of all, in the order of the splits, and goes on to the epilogue. So there is one launch,
//! the body is applied once to the whole sum, and the result does not depend on who comes last.
//!
//! All tiles are shared, so that few tiles fill a GPU; or those of the tail, which are fewer than the
//! blocks that run at a time and would leave the rest of the GPU waiting for them.

use std::num::NonZeroU16;

use crate::field::Field;
use crate::level::mma::Accumulator;
use crate::level::warps::Warps;
use crate::resources::Registers;
use crate::rule::{Diagnostic, Rule};

/// The most blocks that share a tile. No target has as many SMs, so more of them would only wait
/// for each other; and one block adds up the sums of all.
pub const MAX_SPLITS: u32 = 256;

/// Bytes of a register.
const REGISTER_BYTES: u32 = 4;

/// Which tiles of the output have their K split, and into how many parts: `split_k = ..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Splits {
    /// All, into so many.
    Every(NonZeroU16),
    /// Those that would leave the last wave of blocks partly empty, into at most so many: a launch
    /// chooses how many, by its shape and the device.
    Tail(NonZeroU16),
}

impl Splits {
    /// The most blocks that share a tile.
    pub fn most(self) -> u32 {
        let (Splits::Every(most) | Splits::Tail(most)) = self;
        most.get().into()
    }
}

/// How the K of a tile is shared, and what that takes of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitK {
    /// The most blocks that share a tile, at least 2.
    pub splits: u32,
    /// Whether only the tiles of the last wave are shared: a launch says how many tiles are whole, and
    /// how many blocks share each of the others. Else so many share each tile, and K has to have as many
    /// tiles of BLK_K.
    pub tail: bool,
    /// Bytes of the sums that one of them leaves in the workspace.
    pub partial_bytes: u32,
}

/// Proves that a tile can be shared by so many; 1 shares nothing.
pub(crate) fn check(splits: Splits) -> Result<Splits, Vec<Diagnostic>> {
    let most = splits.most();
    if most <= MAX_SPLITS {
        return Ok(splits);
    }
    Err(vec![Diagnostic::new(
        Rule::SplitsOfTile,
        Field::SplitK,
        format!("{most} blocks share a tile, gemm-codegen has at most {MAX_SPLITS} add up theirs"),
        format!("use at most {MAX_SPLITS}; the blocks of all tiles should run at the same time"),
    )])
}

/// What sharing takes, where there is any: a block leaves all of its accumulators.
pub(crate) fn plan(splits: Splits, warps: &Warps, registers: &Registers) -> Option<SplitK> {
    let partial_bytes = warps.threads * registers.accumulators * REGISTER_BYTES;
    let tail = matches!(splits, Splits::Tail(_));
    let splits = splits.most();
    (splits > 1).then_some(SplitK { splits, tail, partial_bytes })
}

impl SplitK {
    /// The constants and the device functions in front of the raster.
    pub(crate) fn cuda_part(&self) -> String {
        let [splits, share] = match self.tail {
            false => [
                format!("constexpr int SPLITS = {};\n", self.splits),
                include_str!("share_of_block.cuh").to_owned(),
            ],
            true => [String::new(), include_str!("share_of_block_tail.cuh").to_owned()],
        };
        format!(
            "{splits}\
             static_assert(sizeof(Accumulators) * THREADS == {}, \"what a block leaves for the others\");\n\
             // A block's share of the output: its tile, the number of that among those that are shared,\n\
             // and which of how many parts of k.\n\
             struct Share {{ int tile, number, split, splits; }};\n\
             struct Part {{ int from, k; }};  // of the sum: where it begins, how long it is\n\n{share}\n{}",
            self.partial_bytes,
            include_str!("part_of.cuh"),
        )
    }

    /// As written in `split_k = ..`.
    pub fn name(&self) -> String {
        match self.tail {
            false => self.splits.to_string(),
            true => format!("tail({})", self.splits),
        }
    }

    /// The parameters of the entry point behind all others.
    pub(crate) fn cuda_parameters(&self) -> &'static str {
        match self.tail {
            false => "void* partials, unsigned* arrivals",
            true => "void* partials, unsigned* arrivals, int whole, int splits",
        }
    }

    /// The entry point's first line.
    pub(crate) fn cuda_share(&self) -> &'static str {
        match self.tail {
            false => "    const Share share = share_of_block();\n",
            true => "    const Share share = share_of_block(whole, splits);\n",
        }
    }

    /// The entry point's line behind the sums of a block.
    pub(crate) fn cuda_meeting(&self) -> &'static str {
        match self.tail {
            false => "    if (!split_k(acc, share, partials, arrivals)) return;\n",
            true => {
                "    if (share.splits > 1 && !split_k(acc, share, partials, arrivals)) return;\n"
            }
        }
    }

    /// The device function `split_k` and what it adds with.
    pub(crate) fn cuda(&self, accumulator: Accumulator) -> String {
        let add = match accumulator {
            Accumulator::F16 => include_str!("add_f16.cuh"),
            _ => include_str!("add.cuh"),
        };
        format!("{add}\n{}", include_str!("split_k.cuh"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::mma::Mma;
    use crate::level::warps;

    #[test]
    fn a_tile_is_shared_up_to_the_limit() {
        for splits in [Splits::Every, Splits::Tail] {
            let check = |most: u32| check(splits(NonZeroU16::new(most as u16).unwrap()));
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
            assert_eq!(plan(splits(one), &warps, &registers), None);
            let shared = SplitK { splits: 5, tail, partial_bytes: 64 * 96 * 4 };
            assert_eq!(plan(splits(five), &warps, &registers), Some(shared));
        }
    }
}
