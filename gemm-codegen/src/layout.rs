//! Coordinate → offset: the layouts of tiles in shared memory.

/// CuTe's `Swizzle<B, M, S>`, counted in **elements**: bits `M+S .. M+S+B` of an offset are xored
/// into bits `M .. M+B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// How many bits are xored.
    pub b: u8,
    /// The lowest bit that changes: `2^M` elements stay together.
    pub m: u8,
    /// How far above it the bits come from.
    pub s: u8,
}
