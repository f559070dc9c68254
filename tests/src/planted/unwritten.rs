//! Reads of what nothing has written.

use super::{BASE, Bug, Edit, Seen, violation};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the first fragments come from a stage that is not yet filled",
        edits: &[Edit::once(
            "fragments_a[0], ring, warp.m, warp.k",
            "fragments_a[0], last, warp.m, warp.k",
        )],
        violation: violation!(Uninitialized { space: Shared, bytes: 16, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "a part of B is not copied",
        edits: &[Edit::once(
            "if (in_tile) copy_async",
            "if (in_tile && (Tile::TRANSPOSED || row < Tile::ROWS / 2)) copy_async",
        )],
        violation: violation!(Uninitialized { space: Shared, bytes: 16, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        seen: Seen::In("shared_to_register"),
        ..BASE
    },
    Bug {
        name: "copies of single elements leave out what lies past the end",
        golden: "copies_of_4_bytes",
        edits: &[Edit::once(
            "store_shared<Tile>(to, inside ? from->bits : 0);",
            "if (inside) store_shared<Tile>(to, from->bits);",
        )],
        shape: [64, 64, 60],
        alignment: 2,
        violation: violation!(Uninitialized { space: Shared, bytes: 16, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4",
        seen: Seen::In("shared_to_register"),
        ..BASE
    },
    Bug {
        name: "the second half of each atom is not staged",
        // With two stages, which are legal, the staging reaches past the ring.
        edits: &[
            Edit::once("STAGES = 4,", "STAGES = 2,"),
            Edit::once("sizeof(Shared) == SHARED_BYTES", "true"),
            Edit::once("band < MMA_M / 8;", "band < 1;"),
        ],
        violation: violation!(Uninitialized { space: Shared, bytes: 16, .. }),
        instruction: "ld.shared.v4",
        seen: Seen::In("epilogue"),
        ..BASE
    },
    Bug {
        name: "what the output held before is added",
        edits: &[Edit::once(
            "values.apply(results, sums, row, col, valid);",
            "float before[OUT_VECTOR];
            load<ALIGN_out>(before, out + row * ld + col, valid);
            for (int i = 0; i < OUT_VECTOR; ++i) sums[i] += before[i];
            values.apply(results, sums, row, col, valid);",
        )],
        output_is_unwritten: true,
        violation: violation!(Uninitialized { space: Global, bytes: 16, .. }),
        instruction: "ld.global.v4",
        ..BASE
    },
];
