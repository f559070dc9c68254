//! Instructions of a warpgroup: four warps; the number of the first is divisible by four.

use super::matrix::{Accumulator, MatrixElement};
use super::parts::PredicateUse;
use super::summation::Summation;

/// `wgmma` and `setmaxnreg`. (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "setmaxnreg")
#[derive(Debug)]
pub(crate) enum WarpgroupOp {
    Multiply(Box<WarpgroupMultiply>),
    /// Orders earlier accesses to accumulators before later multiplications.
    Fence,
    Commit,
    /// Waits until at most this many of the newest groups are in flight.
    Wait(u32),
    SetRegisters(SetRegisters),
}

/// `setmaxnreg`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetRegisters {
    /// The registers that each thread may use from then on.
    pub(crate) count: u32,
    /// Whether there are to be more than before.
    pub(crate) increases: bool,
}

/// `wgmma.mma_async`: d = a * b, or a * b + d, with 64 rows of a and d.
#[derive(Debug)]
pub(crate) struct WarpgroupMultiply {
    pub(crate) a: Factor,
    pub(crate) b: Factor,
    /// Columns of b and d.
    pub(crate) columns: usize,
    pub(crate) accumulator: Accumulator,
    /// Of floats.
    pub(crate) summation: Summation,
    /// Integer results are clamped to their type instead of wrapped.
    pub(crate) saturate: bool,
    /// Word registers: for each 8 columns those that `mma.sync` has for 16 x 8 accumulators.
    pub(crate) d: Vec<u32>,
    /// Whether d is added.
    pub(crate) adds: PredicateUse,
}

/// Where a factor lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FactorSource {
    /// In shared memory: a long register with its matrix descriptor.
    Descriptor(u32),
    /// Only A: in word registers, those that `mma.sync` has for 16 rows of A.
    Registers([u32; 4]),
}

/// A matrix that is multiplied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor {
    pub(crate) element: MatrixElement,
    pub(crate) source: FactorSource,
    pub(crate) negated: bool,
    /// Neighbours along M or N are contiguous, instead of those along K.
    pub(crate) transposed: bool,
}

impl WarpgroupMultiply {
    /// Rows of a and d.
    pub(crate) const ROWS: usize = 64;
    /// Extent of the contraction in bytes.
    pub(crate) const K_BYTES: usize = 32;

    /// The registers that hold A, if it is in registers.
    pub(crate) fn factor_registers(&self) -> &[u32] {
        match &self.a.source {
            FactorSource::Registers(registers) => registers,
            FactorSource::Descriptor(_) => &[],
        }
    }

    /// Extent of the contraction in elements.
    pub(crate) fn k(&self) -> usize {
        8 * Self::K_BYTES / self.a.element.bits()
    }
}
