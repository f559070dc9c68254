//! Reads of what nothing has written.

use super::{BASE, Bug, violation};

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("the first fragments come from a stage that is not yet filled")
        .edit("fragments_b[0], pipeline.read", "fragments_b[0], pipeline.last")
        .finds(violation!(Uninitialized { space: Shared, bytes: 16, .. }))
        .at("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    BASE.bug("a part of B is not copied")
        .edit(
            "if (in_tile) copy_async",
            "if (in_tile && (Tile::TRANSPOSED || row < Tile::ROWS / 2)) copy_async",
        )
        .finds(violation!(Uninitialized { space: Shared, bytes: 16, .. }))
        .at_in("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "shared_to_register"),
    BASE.bug("copies of single elements leave out elements past the end")
        .golden("copies_of_4_bytes")
        .edit(
            "store_shared<Tile>(to, inside ? from->bits : 0);",
            "if (inside) store_shared<Tile>(to, from->bits);",
        )
        .shape([64, 64, 60])
        .alignment(2)
        .finds(violation!(Uninitialized { space: Shared, bytes: 16, .. }))
        .at_in("ldmatrix.sync.aligned.m8n8.x4", "shared_to_register"),
    BASE.bug("the second half of each atom is not staged")
        // With two stages, which are legal, the staging reaches past the ring.
        .edit("STAGES = 4,", "STAGES = 2,")
        .edit("sizeof(Shared) == SHARED_BYTES", "true")
        .edit("band < MMA_M / 8;", "band < 1;")
        .finds(violation!(Uninitialized { space: Shared, bytes: 16, .. }))
        .at_in("ld.shared.v4", "epilogue"),
    BASE.bug("the old value of the output is added")
        .edit(
            "values.apply(results, sums, row, col, valid);",
            "float before[OUT_VECTOR];
            load<ALIGN_out>(before, outputs.to + row * outputs.ld + col, valid);
            for (int i = 0; i < OUT_VECTOR; ++i) sums[i] += before[i];
            values.apply(results, sums, row, col, valid);",
        )
        .unwritten_output()
        .finds(violation!(Uninitialized { space: Global, bytes: 16, .. }))
        .at("ld.global.v4"),
];
