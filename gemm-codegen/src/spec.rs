//! [`Spec`]: what was asked for. Everything in it is public and may be wrong; only
//! [`Plan::new`](crate::Plan::new) says whether it is legal.

use std::num::NonZeroU16;

use crate::axis::PerSide;
use crate::body::{self, Body};
use crate::element::{Element, ScalarType};
use crate::hardware::Target;
use crate::layout::Swizzle;
use crate::level::global_to_shared::CopyAtom;
use crate::level::mma::{Accumulator, Mma, Precision};
use crate::level::scheduler::{KOrder, Raster, Splits, Walk};

/// One GEMM as its author wrote it: what is multiplied, what happens to the result, how the GPU
/// does it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Name of the function; the emitted entry point starts with it.
    pub name: String,
    /// Parameters in their order of declaration.
    pub operands: Vec<Operand>,
    /// What is returned, or written into: a body that ends in a tuple has a value for each. From one
    /// to [`MAX_OUTPUTS`](crate::MAX_OUTPUTS), of one order and one batch.
    pub outputs: Vec<Output>,
    /// What happens to the accumulator.
    pub body: Body,
    /// How the GPU does it.
    pub schedule: Schedule,
}

impl Spec {
    /// The first output, whose order and batch all outputs have.
    ///
    /// # Panics
    /// If there is no output, which [`Plan::new`](crate::Plan::new) refuses first.
    pub(crate) fn output(&self) -> &Output {
        &self.outputs[0]
    }

    /// The elements of the two operands that are multiplied, if the body says clearly which they are.
    pub fn factor_elements(&self) -> Option<[Element; 2]> {
        let element = |operand: usize| self.operands[operand].kind.element();
        let multiplied = body::multiplied(self)?;
        Some([element(multiplied.a)?, element(multiplied.b)?])
    }
}

/// One parameter of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name in the signature, the body and the emitted text.
    pub name: String,
    /// The indices of its batch, among those of the output and in their order: `Batched<..>` has a
    /// matrix, or a vector, for each value of them. It is broadcast over those that it lacks.
    pub batch: Vec<String>,
    /// What it is.
    pub kind: OperandKind,
}

/// What a parameter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `Mat<element, indices[0], indices[1]>`: the last index is contiguous in memory.
    Matrix {
        /// Type of its elements.
        element: Element,
        /// Row index, column index.
        indices: [String; 2],
    },
    /// `Vector<element, index>`: broadcast over the output's other index.
    Vector {
        /// Type of its elements.
        element: Element,
        /// The output index it runs along.
        index: String,
    },
    /// `Scalar<element>`: a value in device memory, which a launch reads.
    DeviceScalar(Element),
    /// A plain `f32`, `f64` or `i32`, passed by value.
    Scalar(ScalarType),
}

impl OperandKind {
    /// The type of its value inside a body.
    pub fn value(&self) -> ScalarType {
        match self {
            OperandKind::Matrix { element, .. }
            | OperandKind::Vector { element, .. }
            | OperandKind::DeviceScalar(element) => element.value(),
            OperandKind::Scalar(ty) => *ty,
        }
    }

    /// Whether it has one value for all elements of the output.
    pub fn is_scalar(&self) -> bool {
        matches!(self, OperandKind::Scalar(_) | OperandKind::DeviceScalar(_))
    }

    /// The type of its elements; a scalar that is passed by value has none.
    pub fn element(&self) -> Option<Element> {
        match self {
            OperandKind::Matrix { element, .. }
            | OperandKind::Vector { element, .. }
            | OperandKind::DeviceScalar(element) => Some(*element),
            OperandKind::Scalar(_) => None,
        }
    }
}

/// A matrix that is written, `Mat<element, indices[0], indices[1]>`, or a batch of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The name of the `&mut Mat` parameter that it is: the form in place, whose body can read the
    /// old elements as `*name`. `None` for a matrix that is returned.
    ///
    /// It is none of the operands, so it can be neither multiplied nor written twice.
    pub in_place: Option<String>,
    /// The indices of its batch, the outermost first: `Batched<element, B, ..>` or `Batched<element,
    /// (B, H), ..>`, of any rank. Empty for one matrix.
    pub batch: Vec<String>,
    /// Type of its elements; the body's value is rounded to it.
    pub element: Element,
    /// Row index, column index: the last one is contiguous.
    pub indices: [String; 2],
}

/// How the GPU does it. `None` asks for the derived default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// BLK_M, BLK_N, BLK_K: the part of the problem one block does at a time, in elements.
    pub tile: Option<[NonZeroU16; 3]>,
    /// Warps of a block along M, N and K. Those along K share each tile of a stage.
    pub warps: Option<[NonZeroU16; 3]>,
    /// Warpgroups of a block along M and N, for an atom of warpgroups.
    pub warpgroups: Option<[NonZeroU16; 2]>,
    /// How the blocks of warpgroups walk over several tiles; each has one if it is left out.
    pub walk: Option<Walk>,
    /// The order in which such blocks sum the k-tiles of a tile.
    pub k_order: Option<KOrder>,
    /// Blocks of a cluster along M and N, which copy once what several multiply; one if it is left out.
    pub cluster: Option<[NonZeroU16; 2]>,
    /// The MMA atom: the instruction a warp multiplies with.
    pub mma: Option<Mma>,
    /// How exactly f32 factors are multiplied: as they are if it is left out, as for all others.
    pub precision: Option<Precision>,
    /// What it sums in.
    pub acc: Option<Accumulator>,
    /// The copy atom from global to shared memory.
    pub copy: PerSide<Option<CopyAtom>>,
    /// The swizzle of each operand's tile in shared memory.
    pub swizzle: PerSide<Option<Swizzle>>,
    /// Tiles of the ring in shared memory.
    pub stages: Option<NonZeroU16>,
    /// The order in which blocks walk the output.
    pub raster: Option<Raster>,
    /// Blocks that share the K of each tile of the output, or of the last ones; 1 if left out.
    pub split_k: Option<Splits>,
    /// Starts before its predecessor in the stream has ended (programmatic dependent launch). The author
    /// promises that the predecessor does not write the factors named here: they are loaded before it has
    /// ended, everything else after.
    pub pdl: Option<Vec<String>>,
    /// The architectures on which it has to be legal.
    pub targets: Option<Vec<Target>>,
    /// What the author takes responsibility for.
    pub allow: Vec<Allow>,
}

impl Schedule {
    /// Whether a side names tensor copies.
    pub(crate) fn copies_tensors(&self) -> bool {
        [self.copy.a, self.copy.b].into_iter().flatten().any(CopyAtom::is_tma)
    }
}

/// A rule that its author may waive: the kernel stays right, it only gets slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allow {
    /// Accept shared-memory accesses that the banks serve in several passes.
    BankConflicts,
}

impl Allow {
    /// Everything that can be allowed.
    pub const ALL: [Allow; 1] = [Allow::BankConflicts];

    /// The name inside `allow(..)`.
    pub const fn name(self) -> &'static str {
        match self {
            Allow::BankConflicts => "bank_conflicts",
        }
    }
}
