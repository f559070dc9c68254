//! [`Signature`]: the signature of an annotated function as data.

use std::borrow::Cow;

use gemm_codegen::{Axis, Parameter, ParameterKind, index_name};

use crate::error::Error;
use crate::launch::agree;
use crate::shape::Shape;

/// The signature of an annotated function: the constant `SIGNATURE` of its module.
///
/// It is for crates that make operations of annotated functions: they compare extents as a launch
/// does ([`shape`](Signature::shape)), and a repeated signature with the declared one.
#[derive(Debug)]
pub struct Signature {
    /// The name of the function.
    pub function: &'static str,
    /// The operands, in the order of the signature, and then the outputs. An element type that is a
    /// type parameter of the function is the first one in its list.
    pub parameters: &'static [Parameter],
    /// For each of `parameters`, what the signature says of it.
    pub declared: &'static [Declared],
    /// The names of the indices.
    pub indices: &'static [(Axis, Cow<'static, str>)],
    /// How many of `parameters` are outputs.
    pub outputs: usize,
    /// Whether the output is a `&mut` parameter.
    pub in_place: bool,
}

/// A type in a signature.
#[derive(Debug)]
pub struct Declared {
    /// The type as it is written, such as `Mat<f16, N, K>`.
    pub text: &'static str,
    /// The number of the function's type parameter that its elements have.
    pub type_parameter: Option<usize>,
}

impl Signature {
    /// The signature of a function with an error, which has been reported.
    #[doc(hidden)]
    pub const UNKNOWN: Signature = Signature {
        function: "",
        parameters: &[],
        declared: &[],
        indices: &[],
        outputs: 0,
        in_place: false,
    };

    /// The operands, without the outputs.
    pub fn operands(&self) -> &'static [Parameter] {
        &self.parameters[..self.parameters.len() - self.outputs]
    }

    /// M, N and K of a call with arguments of these rows and columns; the columns of a vector are its
    /// elements. There is one for each of `parameters`, or for each operand.
    ///
    /// # Errors
    /// That of a launch with these arguments: [`Error::ShapeMismatch`] if they differ along an index,
    /// [`Error::DimensionTooLarge`]; and [`Error::ArgumentCount`].
    pub fn shape(&self, arguments: &[[usize; 2]]) -> Result<Shape, Error> {
        let (expected, got) = (self.operands().len(), arguments.len());
        if got != expected && got != self.parameters.len() {
            return Err(Error::ArgumentCount { kernel: self.function.to_owned(), expected, got });
        }
        agree(self.function, self.parameters, self.outputs, arguments).map_err(|error| {
            error.of_function(self.function).with_indices(|axis| self.index_name(axis))
        })
    }

    /// What the signature calls an axis.
    pub fn index_name(&self, axis: Axis) -> &'static str {
        index_name(self.indices, axis).unwrap_or(axis.letter())
    }

    /// The extents of rows and columns of the first output.
    ///
    /// `None` for a function with an error.
    pub fn output(&self) -> Option<ParameterKind> {
        self.parameters[self.operands().len()..].first().map(|output| output.kind)
    }
}
