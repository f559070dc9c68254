//! What multiplies, and in which precision, as written.

use std::borrow::Cow;
use std::num::NonZeroU16;

/// What `mma = ..` names: the shape of a tensor core's atom, m, n, k of one instruction, which one
/// follows from the elements; or the register tile of a lane without tensor cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mma {
    /// `mma.sync.aligned.m8n8k4`.
    M8n8k4,
    /// `mma.sync.aligned.m16n8k4`.
    M16n8k4,
    /// `mma.sync.aligned.m16n8k8`.
    M16n8k8,
    /// `mma.sync.aligned.m16n8k16`.
    M16n8k16,
    /// `mma.sync.aligned.m16n8k32`.
    M16n8k32,
    /// `wgmma.mma_async.sync.aligned`: four warps multiply 64 rows by the columns of their part of the
    /// block tile. `m64nNkK` names the instruction outright, `wgmma` leaves N and K to the tile and the
    /// elements.
    Wgmma(Option<WgmmaShape>),
    /// `fma(m, n)`: each lane sums m × n products of its own by `fma.rn`.
    Fma {
        /// Rows of a lane.
        m: NonZeroU16,
        /// Columns of a lane.
        n: NonZeroU16,
    },
}

impl Mma {
    /// Every shape of a tensor core's atom; that of warpgroups as it follows from the tile.
    pub const ALL: [Mma; 6] =
        [Mma::M8n8k4, Mma::M16n8k4, Mma::M16n8k8, Mma::M16n8k16, Mma::M16n8k32, Mma::Wgmma(None)];

    /// The name in `mma = ..`; of a tensor core's atom, PTX has it too. That of warpgroups is `wgmma`,
    /// whether its shape is written or not.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Mma::M8n8k4 => "m8n8k4",
            Mma::M16n8k4 => "m16n8k4",
            Mma::M16n8k8 => "m16n8k8",
            Mma::M16n8k16 => "m16n8k16",
            Mma::M16n8k32 => "m16n8k32",
            Mma::Wgmma(_) => "wgmma",
            Mma::Fma { m, n } => return Cow::Owned(format!("fma({m}, {n})")),
        })
    }

    /// The shape of the instruction of warpgroups, where it is named outright and some instruction has
    /// its columns.
    pub fn written_shape(self) -> Option<WgmmaShape> {
        match self {
            Mma::Wgmma(written) => written.filter(WgmmaShape::has_columns),
            _ => None,
        }
    }
}

/// N and K of `mma = m64nNkK`, which names the instruction outright. Both follow from the tile, its
/// warpgroups and the elements, and have to be written as they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WgmmaShape {
    /// Columns of one instruction.
    pub n: NonZeroU16,
    /// Products of a sum that it adds.
    pub k: NonZeroU16,
}

/// What an MMA atom sums in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulator {
    /// binary32.
    F32,
    /// binary16, two in a register.
    F16,
    /// binary64.
    F64,
    /// 32-bit integers that wrap.
    I32,
}

impl Accumulator {
    /// Every one, in the order in which messages list them.
    pub const ALL: [Accumulator; 4] =
        [Accumulator::F32, Accumulator::F16, Accumulator::F64, Accumulator::I32];

    /// The name, which is that of the Rust type.
    pub const fn name(self) -> &'static str {
        match self {
            Accumulator::F32 => "f32",
            Accumulator::F16 => "f16",
            Accumulator::F64 => "f64",
            Accumulator::I32 => "i32",
        }
    }
}

/// After how much of K sums are promoted: added to f32 registers, and begun again. The key `promote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// Never: the instruction sums all of K.
    Never,
    /// After this much of K, in elements.
    Every(NonZeroU16),
}

/// How exactly f32 factors are multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// As they are, by fused multiply-adds.
    #[default]
    F32,
    /// Rounded to tf32, 10 bits of fraction, for tensor cores.
    Tf32,
    /// Each as the sum of two f16, of a row that is scaled by a power of two, for tensor cores: three
    /// products, whose sums are promoted. Absolute errors are those of f32 relative to the largest element
    /// of a row.
    F16x3,
    /// Each as the sum of three bf16, for tensor cores: six products, whose sums are promoted. As exact as f32,
    /// element by element.
    Bf16x6,
}

impl Precision {
    /// Every one, the default first.
    pub const ALL: [Precision; 4] =
        [Precision::F32, Precision::Tf32, Precision::F16x3, Precision::Bf16x6];

    /// The name in `precision = ..`.
    pub const fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::Tf32 => "tf32",
            Precision::F16x3 => "f16x3",
            Precision::Bf16x6 => "bf16x6",
        }
    }
}
