//! Copies of tensors whose rows run along M or N: panels of a tile, and the loads from them.

use super::{BASE, Bug, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16";
const COPY: &str = "cp.async.bulk.tensor.2d";

/// Two panels of A and of B, and warps with four loads of one of each.
const PANELS: Bug = BASE.golden("tensor_along_derived").shape([128, 128, 320]);

pub(super) const BUGS: &[Bug] = &[
    PANELS
        .bug("a panel is copied over the previous one")
        .edit("to += Tile::PANEL_BYTES, box.col", "box.col")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY),
    PANELS
        .bug("a panel is copied to the place of the next one")
        .edit(
            "auto box = Tile::box(block, k0);",
            "auto box = Tile::box(block, k0);\n    to += Tile::PANEL_BYTES;",
        )
        .finds(violation!(Uninitialized { space: Shared, .. }))
        .at_in(LDMATRIX, "ldmatrix_x4"),
    PANELS
        .bug("the last panel of a tile is not copied")
        .edit("panel < Tile::PANELS;", "panel < Tile::PANELS - 1;")
        .deadlocks(),
    PANELS
        .bug("a load swizzles the first row only")
        .edit("(row ^ (beside * BYTES))", "(row + beside * BYTES)")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
];
