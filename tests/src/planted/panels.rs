//! Copies of tensors whose rows run along M or N: panels of a tile, and the loads from them.

use super::{BASE, Bug, Edit, Seen, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16";
const COPY: &str = "cp.async.bulk.tensor.2d";
const WAIT: &str = "mbarrier.try_wait.parity";

/// Two panels of A and of B, and warps with four loads of one of each.
const PANELS: Bug = Bug { golden: "tensor_along_derived", shape: [128, 128, 320], ..BASE };

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "a panel is copied over the one in front",
        edits: &[Edit::once("\"r\"(stage + panel * Tile::PANEL_BYTES)", "\"r\"(stage)")],
        violation: violation!(TensorCopyInFlight { direction: Write, .. }),
        instruction: COPY,
        ..PANELS
    },
    Bug {
        name: "a panel is copied behind its place",
        edits: &[Edit::once(
            "stage + panel * Tile::PANEL_BYTES",
            "stage + (panel + 1) * Tile::PANEL_BYTES",
        )],
        violation: violation!(Uninitialized { space: Shared, .. }),
        instruction: LDMATRIX,
        seen: Seen::In("ldmatrix_x4"),
        ..PANELS
    },
    Bug {
        name: "the last panel of a tile is not copied",
        edits: &[Edit::once("panel < Tile::PANELS;", "panel < Tile::PANELS - 1;")],
        violation: violation!(MbarrierDeadlock { .. }),
        instruction: WAIT,
        seen: Seen::In("mbarrier_try_wait"),
        ..PANELS
    },
    Bug {
        name: "a load does not swizzle what is beside the first",
        edits: &[Edit::once("(row ^ (beside * BYTES))", "(row + beside * BYTES)")],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..PANELS
    },
];
