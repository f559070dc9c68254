//! Batches with tensor copies: the matrix of a tile, as a coordinate and as an offset.

use gemm_emulator::TensorStoreProblem;

use super::{BASE, Bug, violation};

/// Blocks walk over the tiles of three matrices, whose rows the copy unit stores.
const WALK: Bug = BASE.golden("wgmma_batched").batch(3).shape([128, 64, 128]);

/// The same of two values of an outer index.
const NESTED: Bug = WALK.golden("wgmma_nested");

/// The same of two values of each of two outer indices.
const THREE: Bug = WALK.golden("wgmma_of_three_indices");

pub(super) const BUGS: &[Bug] = &[
    WALK.bug("the number of a matrix is the first coordinate of a store")
        .edit(
            "\"l\"(&out), \"r\"(col), \"r\"(row), \"r\"(matrix)",
            "\"l\"(&out), \"r\"(matrix), \"r\"(col), \"r\"(row)",
        )
        .finds(violation!(TensorStore(TensorStoreProblem::Coordinate { coordinate: 1 })))
        .at("cp.async.bulk.tensor.3d.global"),
    WALK.bug("threads store to the matrix after that of their tile")
        .edit("out + block.batch * stride_out", "out + (block.batch + 1) * stride_out")
        .shape([128, 60, 128])
        .finds(violation!(OutOfBounds { space: Global, direction: Write, .. }))
        .at_in("st.global", "epilogue"),
    WALK.bug("blocks walk over the tiles of one matrix too many")
        .edit("* matrices) {}", "* (matrices + 1)) {}")
        .finds(violation!(OutOfBounds { space: Global, direction: Read, .. }))
        .at_in("ld.global", "epilogue"),
    WALK.bug("a batch is copied as one matrix")
        .edit("tensor.3d.shared::cluster", "tensor.2d.shared::cluster")
        .edit("[%0], [%1, {%2, %3, %4}]", "[%0], [%1, {%2, %3}]")
        .finds(violation!(BadTensorMap { .. }))
        .at("cp.async.bulk.tensor.2d"),
    NESTED
        .bug("a tile takes the inner index of its matrix for the outer one")
        .edit("{number / i1, number % i1}", "{number % i1, number / i1}")
        .finds(violation!(OutOfBounds { space: Global, direction: Read, .. }))
        .at_in("ld.global", "epilogue"),
    THREE
        .bug("a store has one coordinate less than its map")
        .edit("cp.async.bulk.tensor.5d.global", "cp.async.bulk.tensor.4d.global")
        .edit("{%1, %2, %3, %4, %5}], [%6]", "{%1, %2, %3, %4}], [%6]")
        .finds(violation!(BadTensorMap { .. }))
        .at("cp.async.bulk.tensor.4d.global"),
];
