//! [`Function`]: an annotated function whose operands and element types are known at run time only.
//!
//! It is the constant `FUNCTION` of the function's module, for crates that make operations of annotated functions:
//! ```
//! use gemm_runtime::erased::HostArgument;
//! use gemm_runtime::prelude::*;
//! use gemm_runtime::Element as _;
//!
//! /// y = x · wᵀ + bias
//! #[gemm(T = [f16, f32])]
//! fn linear<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
//!     matmul(x, w) + bias
//! }
//!
//! let floats = |kernel: &&gemm_runtime::erased::Instance| {
//!     kernel.element(linear::FUNCTION.signature, 0) == Some(f32::ELEMENT)
//! };
//! let kernel = linear::FUNCTION.kernels.iter().find(floats).expect("f32 is listed");
//! let (x, w, bias) = ([1.0f32, 2.0], [3.0f32, 4.0], [0.5f32]);
//! let operands = [&x[..], &w, &bias].map(HostArgument::new);
//! let outputs = kernel.reference(&[], Shape { m: 1, n: 1, k: 2 }, &operands)?;
//! assert_eq!(outputs, [[11.5]]);
//! # Ok::<(), Error>(())
//! ```

use gemm_codegen::{Element as ElementType, ParameterKind};

use crate::argument::Argument;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Operand};
use crate::memory::check_host_length;
use crate::shape::Shape;
use crate::signature::Signature;

/// An annotated function with its types erased: the constant `FUNCTION` of its module.
#[derive(Debug)]
pub struct Function {
    /// The constant `SIGNATURE` of the same module.
    pub signature: &'static Signature,
    /// One for each choice of element types, in the order of their lists. None of a function with an error.
    pub kernels: &'static [Instance],
}

impl Function {
    /// A function with an error, which has been reported.
    #[doc(hidden)]
    pub const UNKNOWN: Function = Function { signature: &Signature::UNKNOWN, kernels: &[] };
}

/// Launches on operands and outputs.
type Launch =
    for<'a> fn(&Device, Vec<Argument<'a>>, outputs: Vec<Argument<'a>>) -> Result<(), Error>;

/// Computes outputs from a batch, a shape and operands.
type Reference = fn(&[usize], Shape, &[HostArgument<'_>]) -> Result<Vec<Vec<f64>>, Error>;

/// A function with one choice of element types.
#[derive(Debug)]
pub struct Instance {
    elements: &'static [ElementType],
    launch: Launch,
    reference: Reference,
}

impl Instance {
    /// That of the expansion of `#[gemm]`; not public API.
    #[doc(hidden)]
    pub const fn new(
        elements: &'static [ElementType],
        launch: Launch,
        reference: Reference,
    ) -> Instance {
        Instance { elements, launch, reference }
    }

    /// The elements of a parameter of the function with this `signature`: of an operand, or of an output, which
    /// follow the operands. `None` for a scalar by value.
    pub fn element(&self, signature: &Signature, number: usize) -> Option<ElementType> {
        let declared = match signature.parameters.get(number)?.kind {
            ParameterKind::Matrix { element, .. }
            | ParameterKind::Tiled { element, .. }
            | ParameterKind::Vector { element, .. }
            | ParameterKind::DeviceScalar(element) => element,
            ParameterKind::Scalar(_) => return None,
        };
        let listed = signature.declared.get(number)?.type_parameter;
        listed.map_or(Some(declared), |listed| self.elements.get(listed).copied())
    }

    /// Launches the kernel, or the one that is chosen for these arguments, as `into` of the function does. The output of a
    /// function in place is in `outputs`.
    ///
    /// # Errors
    /// Those of `into`; [`Error::ArgumentCount`], and [`Error::ElementMismatch`] for an argument of another choice of
    /// element types.
    pub fn launch<'a>(
        &self,
        device: &Device,
        operands: Vec<Argument<'a>>,
        outputs: Vec<Argument<'a>>,
    ) -> Result<(), Error> {
        (self.launch)(device, operands, outputs)
    }

    /// The values of each output on the host, as `reference` of the function computes them: `operands` are those of
    /// the signature, then the old elements of an output in place. `batch` has the values of each batch index.
    ///
    /// # Errors
    /// Those of `reference`; [`Error::ArgumentCount`] for other operands or batch indices, [`Error::ElementMismatch`]
    /// for an operand of another choice of element types.
    pub fn reference(
        &self,
        batch: &[usize],
        shape: Shape,
        operands: &[HostArgument<'_>],
    ) -> Result<Vec<Vec<f64>>, Error> {
        (self.reference)(batch, shape, operands)
    }
}

/// Elements on the host with their type erased: those of a matrix or vector, or the one of a scalar.
#[derive(Clone, Copy, Debug)]
pub struct HostArgument<'a> {
    element: ElementType,
    bytes: &'a [u8],
}

impl<'a> HostArgument<'a> {
    /// The elements of a matrix row by row, of a vector, or one element for a scalar.
    pub fn new<T: Element>(elements: &'a [T]) -> HostArgument<'a> {
        HostArgument { element: T::ELEMENT, bytes: bytemuck::cast_slice(elements) }
    }

    /// The elements of the operand of this name.
    ///
    /// # Errors
    /// [`Error::ElementMismatch`] if they are of another type.
    pub fn elements<T: Element>(self, name: &str) -> Result<&'a [T], Error> {
        let (expected, got) = (T::ELEMENT, self.element);
        match expected == got {
            true => Ok(bytemuck::cast_slice(self.bytes)),
            false => Err(Error::ElementMismatch { operand: Operand::new(name), expected, got }),
        }
    }

    /// The value of the scalar of this name.
    ///
    /// # Errors
    /// Those of [`elements`](Self::elements); [`Error::HostLength`] if it is not one element.
    pub fn value<T: Element>(self, name: &str) -> Result<T, Error> {
        let elements = self.elements::<T>(name)?;
        check_host_length(name, 1, &[1], elements.len())?;
        Ok(elements.first().copied().unwrap_or_default())
    }
}

/// The operands of `reference`, as many as it takes. For the expansion of `#[gemm]`; not public API.
///
/// # Errors
/// [`Error::ArgumentCount`] for another number.
#[doc(hidden)]
pub fn counted<const COUNT: usize, T: Copy>(
    function: &str,
    given: &[T],
) -> Result<[T; COUNT], Error> {
    <[T; COUNT]>::try_from(given).map_err(|_| Error::ArgumentCount {
        kernel: function.to_owned(),
        expected: COUNT,
        got: given.len(),
    })
}

/// The values of an output of `reference`; exact. For the expansion of `#[gemm]`; not public API.
#[doc(hidden)]
pub fn values<V: Into<f64>>(output: Vec<V>) -> Vec<f64> {
    output.into_iter().map(Into::into).collect()
}
