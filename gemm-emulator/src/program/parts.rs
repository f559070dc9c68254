//! Parts of instructions: types, functions, modifiers, addresses.

pub(crate) use crate::number::{ByteFloat, Rounding};
use crate::ptx::Space;

/// The types of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer1 {
    Neg,
    Abs,
    Not,
    Popc,
    Clz,
    Brev,
    Bfind,
    BfindShift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer2 {
    Add,
    Sub,
    AddSaturate,
    SubSaturate,
    MulLo,
    MulHi,
    Mul24Lo,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer3 {
    MadLo,
    MadHi,
    Sad,
}

/// The parts that are multiplied: `dp2a` takes bytes of b, from its lower or upper half, for the halves of a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotProduct {
    HalvesLow,
    HalvesHigh,
    Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float1 {
    Neg,
    Abs,
    Sqrt,
    Reciprocal,
    ReciprocalRoot,
    Exp2,
    Log2,
    Sin,
    Cos,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    MinNan,
    MaxNan,
    CopySign,
}

/// The modifiers of floating-point arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Style {
    pub(crate) rounding: Rounding,
    /// Subnormal inputs and results count as zero.
    pub(crate) flush: bool,
    /// Results are clamped to [0, 1], NaN to 0.
    pub(crate) saturate: bool,
    /// Negative results are 0.
    pub(crate) relu: bool,
    /// Results too large become the largest finite number.
    pub(crate) finite: bool,
}

/// The 16-bit floats that a word holds two of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairFloat {
    F16,
    Bf16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Unordered(UnorderedComparison),
    /// Both are numbers.
    Numbers,
    /// One is NaN.
    NotNumbers,
}

/// Comparisons that are true when an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnorderedComparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// A predicate read, perhaps inverted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredicateUse {
    pub(crate) index: u32,
    pub(crate) negated: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum AddressRegister {
    /// A 32-bit address.
    Word(u32),
    Long(u32),
}

/// A memory operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) register: AddressRegister,
    pub(crate) offset: i64,
}

/// A load or store of one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) address: Address,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub(crate) width: u8,
    /// Elements of the vector: 1, 2 or 4.
    pub(crate) count: u8,
    /// How a loaded element fills its register.
    pub(crate) extend: Extend,
    /// The registers are 64 bits wide.
    pub(crate) long: bool,
    /// A load of what the grid must not write: `ld.global.nc`, `ldu`.
    pub(crate) non_coherent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extend {
    Zero,
    Sign32,
    Sign64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    Exchange,
    CompareExchange,
    Min,
    Max,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicAccess {
    pub(crate) f: Atomic,
    pub(crate) ty: Scalar,
    /// Two values of the type in a word.
    pub(crate) packed: bool,
    pub(crate) space: Space,
    pub(crate) address: Address,
    /// Size: 2, 4 or 8.
    pub(crate) bytes: u32,
    /// Alignment of the address: more than the size for the first element of a vector.
    pub(crate) align: u32,
}

/// `cp.async`: global to shared, landing at a later wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsyncCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) bytes: u8,
    /// `.cg`: the data is not kept in L1.
    pub(crate) past_l1: bool,
    /// A word register with the number of bytes to read; the rest is zero-filled.
    pub(crate) source_bytes: Option<u32>,
    /// A predicate that, if true, makes it write zeros only.
    pub(crate) ignore_source: Option<PredicateUse>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Popc,
    And,
    Or,
}

/// A barrier instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    /// A word register with the barrier's number.
    pub(crate) id: u32,
    /// A word register with the number of threads; all of the block without.
    pub(crate) threads: Option<u32>,
    /// Whether the warp must be converged.
    pub(crate) aligned: bool,
    /// Whether the thread waits (`sync`, `red`) or only arrives.
    pub(crate) waits: bool,
    pub(crate) reduction: Option<BarrierReduction>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierReduction {
    pub(crate) f: Reduction,
    pub(crate) source: PredicateUse,
    /// A word register for `popc`, a predicate for the others.
    pub(crate) d: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatClass {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}
