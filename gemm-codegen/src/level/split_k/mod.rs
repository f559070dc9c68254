//! Grid → block along K: several blocks share a tile of the output, each with a part of K.
//!
//! Each block leaves its sums in a workspace and counts itself in; the one that comes last adds up
//! those of all, in the order of the splits, and goes on to the epilogue. So there is one launch,
//! the body is applied once to the whole sum, and the result does not depend on who comes last.

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

/// How the K of a tile is shared, and what that takes of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitK {
    /// Blocks that share a tile, at least 2. K has to have as many tiles of BLK_K.
    pub splits: u32,
    /// Bytes of the sums that one of them leaves in the workspace.
    pub partial_bytes: u32,
}

/// Proves that a tile can be shared by so many; 1 shares nothing.
pub(crate) fn check(splits: u32) -> Result<u32, Vec<Diagnostic>> {
    if splits <= MAX_SPLITS {
        return Ok(splits);
    }
    Err(vec![Diagnostic::new(
        Rule::SplitsOfTile,
        Field::SplitK,
        format!(
            "{splits} blocks share a tile, gemm-codegen has at most {MAX_SPLITS} add up theirs"
        ),
        format!("use at most {MAX_SPLITS}; the blocks of all tiles should run at the same time"),
    )])
}

/// What sharing takes, where there is any: a block leaves all of its accumulators.
pub(crate) fn plan(splits: u32, warps: &Warps, registers: &Registers) -> Option<SplitK> {
    let partial_bytes = warps.threads * registers.accumulators * REGISTER_BYTES;
    (splits > 1).then_some(SplitK { splits, partial_bytes })
}

impl SplitK {
    /// The constants and the device functions in front of the raster.
    pub(crate) fn cuda_part(&self) -> String {
        format!(
            "constexpr int SPLITS = {};\n\
             static_assert(sizeof(Accumulators) * THREADS == {}, \"what a block leaves for the others\");\n\
             struct Part {{ int from, k; }};  // of the sum: where it begins, how long it is\n\n{}",
            self.splits,
            self.partial_bytes,
            include_str!("part.cuh"),
        )
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
        assert_eq!(check(1), Ok(1));
        assert_eq!(check(MAX_SPLITS), Ok(MAX_SPLITS));
        let broken = check(MAX_SPLITS + 1).unwrap_err();
        assert_eq!((broken[0].rule, broken[0].at), (Rule::SplitsOfTile, Field::SplitK));
    }

    #[test]
    fn a_block_leaves_a_sum_for_each_element_of_its_tile() {
        let warps = warps::plan([64, 96, 32], [2, 2, 1], Mma::M16n8k16, [16, 8, 16]).unwrap();
        let registers = Registers::new(warps.tile[0] * warps.tile[1], 20, 0, warps.threads);
        assert_eq!(plan(1, &warps, &registers), None);
        let shared = SplitK { splits: 5, partial_bytes: 64 * 96 * 4 };
        assert_eq!(plan(5, &warps, &registers), Some(shared));
    }
}
