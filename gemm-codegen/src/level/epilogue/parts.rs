//! Which part of the output a block, or a warpgroup, reduces by itself.

use super::reduced::Parts;
use super::{BlockEpilogue, Epilogue, GroupEpilogue};
use crate::level::mma::{BAND, wgmma};

impl Epilogue {
    /// The parts of the rows of the output, then those of its columns.
    pub(crate) fn parts(&self) -> [Parts; 2] {
        match self {
            Epilogue::Block(block) => of_block(block),
            Epilogue::Groups(groups) => of_groups(groups),
        }
    }
}

fn of_block(block: &BlockEpilogue) -> [Parts; 2] {
    let [rows, cols] = [block.staged_rows * block.passes, block.columns()];
    [
        Parts { lines: rows, part: cols, passes: 1, across: cols },
        Parts { lines: cols, part: rows, passes: block.passes, across: rows },
    ]
}

fn of_groups(groups: &GroupEpilogue) -> [Parts; 2] {
    let of_atom = (groups.columns / BAND).div_ceil(groups.pass_bands);
    let [m, n] = [groups.passes / of_atom * wgmma::ROWS, groups.columns];
    // The passes of an atom have the same m, those of all atoms the same n.
    let of_m = Parts { lines: m, part: n, passes: 1, across: n };
    let of_n = Parts { lines: n, part: wgmma::ROWS, passes: 1, across: m };
    if groups.stages_results() {
        // Each warp counts in the 16 rows that it has of an atom.
        let of_m = Parts { lines: wgmma::ROWS / wgmma::WARPS, part: n, passes: 1, across: n };
        return [of_m, of_n];
    }
    match groups.n_contiguous {
        true => [of_m, of_n],
        false => [of_n, Parts { passes: of_atom, ..of_m }],
    }
}
