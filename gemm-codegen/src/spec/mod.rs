//! [`Spec`]: what was asked for. Everything in it is public and may be wrong; only
//! [`Plan::new`](crate::Plan::new) says whether it is legal.

mod body;
mod copy;
pub(crate) mod form;
mod mma;
mod order;
mod planes;
mod schedule;

use crate::element::{Element, ScalarType};

pub use body::{BinaryOp, Body, Node, NodeId, UnaryOp, UserFunction};
pub use copy::{CacheOperator, CachePolicy, CopyAtom};
pub use mma::{Accumulator, Mma, Precision, Promotion, WgmmaShape};
pub use order::{KOrder, Raster, Splits, Walk};
pub use planes::Planes;
pub use schedule::{Allow, Schedule};

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
    /// The first output, whose batch all outputs have. Only it can be in place.
    ///
    /// # Panics
    /// If there is no output, which [`Plan::new`](crate::Plan::new) refuses first.
    pub(crate) fn output(&self) -> &Output {
        &self.outputs[0]
    }

    /// Row and column index of the first output that is a matrix, if one is: the order of all.
    pub(crate) fn order(&self) -> Option<&[String; 2]> {
        self.outputs.iter().find_map(|output| output.indices.of_matrix())
    }

    /// The number of the first output that is a matrix; 0 if none is.
    pub(crate) fn leading(&self) -> usize {
        self.outputs.iter().position(|output| !output.indices.is_reduced()).unwrap_or(0)
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
    /// `Tiled<element, indices[0], indices[1], extents[0], extents[1]>`: an element for each tile of a factor of
    /// these indices, by which that factor is multiplied.
    Tiled {
        /// Type of its elements.
        element: Element,
        /// Row index, column index of the factor.
        indices: [String; 2],
        /// Rows and columns of a tile.
        extents: [u32; 2],
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
            | OperandKind::Tiled { element, .. }
            | OperandKind::Vector { element, .. }
            | OperandKind::DeviceScalar(element) => element.value(),
            OperandKind::Scalar(ty) => *ty,
        }
    }

    /// The indices of its matrix or vector.
    pub(crate) fn indices(&self) -> &[String] {
        match self {
            OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => indices,
            OperandKind::Vector { index, .. } => std::slice::from_ref(index),
            OperandKind::DeviceScalar(_) | OperandKind::Scalar(_) => &[],
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
            | OperandKind::Tiled { element, .. }
            | OperandKind::Vector { element, .. }
            | OperandKind::DeviceScalar(element) => Some(*element),
            OperandKind::Scalar(_) => None,
        }
    }
}

/// What is written: a matrix, a vector of reductions, or a batch of either.
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
    /// Type of its elements; the body's value, or what it is reduced to, is rounded to it.
    pub element: Element,
    /// Its indices within a matrix of the product.
    pub indices: OutputIndices,
}

/// The indices of an output among those of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputIndices {
    /// `Mat<_, I, J>`: row index, column index; the last one is contiguous.
    Matrix([String; 2]),
    /// `Vector<_, I>`: the body's values are reduced over the other index.
    Reduced(String),
}

impl OutputIndices {
    /// Both, in order, or the one that is left.
    pub fn names(&self) -> &[String] {
        match self {
            OutputIndices::Matrix(indices) => indices,
            OutputIndices::Reduced(index) => std::slice::from_ref(index),
        }
    }

    /// The same, to be changed.
    pub fn names_mut(&mut self) -> &mut [String] {
        match self {
            OutputIndices::Matrix(indices) => indices,
            OutputIndices::Reduced(index) => std::slice::from_mut(index),
        }
    }

    /// Row and column index of a matrix.
    pub(crate) fn of_matrix(&self) -> Option<&[String; 2]> {
        match self {
            OutputIndices::Matrix(indices) => Some(indices),
            OutputIndices::Reduced(_) => None,
        }
    }

    /// Whether it is reduced over an index.
    pub(crate) fn is_reduced(&self) -> bool {
        matches!(self, OutputIndices::Reduced(_))
    }
}
