//! [`Field`]: a place in a [`Spec`](crate::Spec) that a diagnostic can point at.

use crate::axis::{Axis, Side};
use crate::spec::NodeId;

/// A place in a [`Spec`](crate::Spec). The macro maps each to a span of the user's source; a
/// place that was left to its default maps to the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The function as a whole (its name).
    Function,
    /// One extent of `tile`.
    Tile(Axis),
    /// One extent of `warps`.
    Warps(Axis),
    /// One extent of `warpgroups`; never [`Axis::K`].
    Warpgroups(Axis),
    /// One extent of `cluster`; never [`Axis::K`].
    Cluster(Axis),
    /// `mma`.
    Mma,
    /// One extent of `fma(m, n)`; never [`Axis::K`].
    FmaExtent(Axis),
    /// `precision`.
    Precision,
    /// `acc`.
    Accumulator,
    /// `promote`.
    Promotion,
    /// The copy atom of a side.
    Copy(Side),
    /// The byte count inside a side's copy atom.
    CopyBytes(Side),
    /// The cache operator inside a side's copy atom.
    CopyCache(Side),
    /// The whole swizzle of a side.
    Swizzle(Side),
    /// One of B, M, S (0, 1, 2) of a side's swizzle.
    SwizzleBits(Side, usize),
    /// `stages`.
    Stages,
    /// `schedule`.
    Walk,
    /// `k_order`.
    KOrder,
    /// `raster`.
    Raster,
    /// `split_k`.
    SplitK,
    /// A name of `pdl`.
    PdlOperand(usize),
    /// An entry of `targets`.
    Target(usize),
    /// The name of an operand.
    Operand(usize),
    /// The element type of an operand.
    OperandElement(usize),
    /// The batch index of an operand.
    OperandBatch(usize),
    /// An index of an operand: 0 the row, 1 the column (0 for a vector).
    OperandIndex(usize, usize),
    /// The type of an output, by its number: the returned one, or that of the `&mut` parameter.
    Output(usize),
    /// The name of an output that is a parameter.
    OutputName,
    /// The element type of an output.
    OutputElement(usize),
    /// The batch index of an output.
    OutputBatch(usize),
    /// An index of an output: 0 the row, 1 the column.
    OutputIndex(usize, usize),
    /// The name of a function of the user's own.
    UserFunction(usize),
    /// A node of the body, or of a function that it may call.
    Body(NodeId),
}
