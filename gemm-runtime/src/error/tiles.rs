//! [`TileError`]: what is wrong with the scales of a factor.

use gemm_codegen::Axis;

use super::{Dimension, Operand};

/// What is wrong with the scales of a factor: each of its tiles has one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum TileError {
    /// There are more scales than tiles, or fewer.
    #[error(
        "{operand}: expected {expected} {dimension} ({} = {extent} in tiles of {tile}), got {got}",
        .axis.letter()
    )]
    Count {
        operand: Operand,
        dimension: Dimension,
        axis: Axis,
        extent: usize,
        tile: usize,
        expected: usize,
        got: usize,
    },

    /// A tile would end beyond K.
    #[error("{operand}: K = {k} is not a multiple of {tile}, the K of a tile with one scale")]
    Part { operand: Operand, k: usize, tile: usize },
}
