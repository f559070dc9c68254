//! [`QuantizedError`]: why weights, or tokens of a layer, are not read.

use candle_core::quantized::GgmlDType;
use candle_core::{DType, DeviceLocation};

/// Why quantised weights are not read, or a layer of them does not run.
///
/// Inside [`candle_core::Error`], where [`Error::of`](crate::Error::of) finds it as
/// [`Error::Quantized`](crate::Error::Quantized).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum QuantizedError {
    /// K is not a multiple of the group, or the group is 0.
    #[error("{}", groups(*k, *group))]
    Groups { k: usize, group: usize },

    /// The rows of `scales` do not divide K.
    #[error("scales: K = {k} is not a multiple of {groups}, the rows, one for each group of K")]
    Rows { k: usize, groups: usize },

    /// A host slice has another number of elements than the matrix that it is.
    #[error("{operand}: expected {} × {} elements, got {got}", .extents[0], .extents[1])]
    Length { operand: &'static str, extents: [usize; 2], got: usize },

    /// A tensor has other dimensions. Those of `expected` follow from the tensor of `given_by`.
    #[error(
        "{operand}: expected the dimensions {expected:?} (by those of {given_by}), got {got:?}"
    )]
    Dimensions {
        operand: &'static str,
        expected: Vec<usize>,
        got: Vec<usize>,
        given_by: &'static str,
    },

    /// A tensor has not this many dimensions.
    #[error("{operand}: expected {expected} dimensions, got {got:?}")]
    Rank { operand: &'static str, expected: usize, got: Vec<usize> },

    /// A tensor has another dtype.
    #[error("{operand}: expected {expected}, got {got:?}")]
    Dtype { operand: &'static str, expected: &'static str, got: DType },

    /// GPTQ of other integers than those of 4 bits. N is that of `qweight` and `scales`.
    #[error(
        "qzeros: expected {expected} columns (4 bits for each of N = {n}), got {got}, those of {bits} bits: only 4 bits \
         are read\nhelp: quantise with `bits = 4`"
    )]
    Bits { bits: usize, n: usize, expected: usize, got: usize },

    /// GPTQ whose `qweight` has the columns of `scales` as its rows.
    #[error(
        "qweight: expected the dimensions [K / 8, {n}] (N = {n} by scales), got {got:?}, which are transposed\n\
         help: pass `&qweight.t()?`"
    )]
    Transposed { n: usize, got: [usize; 2] },

    /// A GGUF tensor of a format that is not read.
    #[error(
        "weights: expected Q8_0, Q4_0, Q4_1, Q4K or Q6K, got {got:?}\nhelp: read it by candle's `QMatMul`"
    )]
    Format { got: GgmlDType },

    /// A GGUF tensor whose storage is not that of its dimensions.
    #[error("weights: expected {expected} bytes of {format:?}, got {got}")]
    Bytes { format: GgmlDType, expected: usize, got: usize },

    /// GPTQ in the order of activations: the rows of K are not in the order of the groups.
    #[error(
        "g_idx: expected group {expected} of row {row} along K ({group} rows a group), got {got}: \
         quantised in the order of activations (`desc_act`), where the rows of a group are not \
         neighbours\nhelp: quantise with `desc_act = false`, or sort the rows of K by `g_idx` and \
         give the layer tokens with their columns in that order"
    )]
    ActOrder { row: usize, group: usize, expected: usize, got: i64 },

    /// A layer of groups that no function has.
    #[error(
        "weights: expected groups of a multiple of 32 along K (of 16 where values are I8 and have no offsets), \
         got {got}"
    )]
    Group { got: usize },

    /// Tokens on another device than the weights of a layer. Two of candle's devices that were made separately differ, even of
    /// one GPU.
    #[error("{operand}: expected a tensor on {expected:?}, where the weights are, got {got:?}")]
    Device { operand: &'static str, expected: DeviceLocation, got: DeviceLocation },

    /// A layer on a device where it has no function.
    #[error(
        "a layer of quantised weights runs on a CPU, or with the feature `cuda` on a GPU, got {got:?}"
    )]
    NoFunction { got: DeviceLocation },

    /// Tokens of a layer are not stored row by row.
    #[error(
        "x: a tensor of dimensions {dims:?} and strides {strides:?} is not stored row by row\n\
         help: call `contiguous()` on it"
    )]
    NotRows { dims: Vec<usize>, strides: Vec<usize> },

    /// Tokens with other columns than the weights of a layer.
    #[error("x: expected {expected} columns (K of the weights), got {got}")]
    Columns { expected: usize, got: usize },
}

fn groups(k: usize, group: usize) -> String {
    match group {
        0 => format!(
            "group: expected how many neighbours along K have one scale, a divisor of K = {k}, got 0\n\
             help: pass {k} for one scale a row"
        ),
        _ => format!("K = {k} is not a multiple of {group}, the neighbours along K with one scale"),
    }
}
