//! Grid → block: the order in which blocks walk the output.

use std::num::NonZeroU16;

/// The order of the blocks in a grid: they walk a strip of some blocks' width along one axis
/// before they step along the other, so that blocks running together share panels in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raster {
    /// Strips of this many blocks along M: consecutive blocks differ in M first.
    AlongM(NonZeroU16),
    /// Strips of this many blocks along N: consecutive blocks differ in N first.
    AlongN(NonZeroU16),
}
