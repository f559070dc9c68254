//! The functions of a layer: one for each group, whose extent a kernel has as a constant.

#[cfg(feature = "cuda")]
use gemm_runtime::{Device, DeviceVector, Matrix, MatrixMut, MatrixRef};
use gemm_runtime::{Element, Shape, prelude::*};

use crate::TensorElement;

macro_rules! functions {
    ($($name:ident: $group:literal;)+) => {$(
        /// y = x · (w * s)ᵀ + bias
        #[gemm(T = [f16, bf16], W = [i8, i4x2, u4x2])]
        fn $name<T, W>(
            x: Mat<T, M, K>,
            w: Mat<W, N, K>,
            s: Tiled<f32, N, K, 1, $group>,
            bias: Vector<f32, N>,
        ) -> Mat<T, M, N> {
            matmul(x, w * s) + bias
        }
    )+};
}

functions! {
    groups_of_32: 32;
    groups_of_64: 64;
    groups_of_128: 128;
}

/// The element types of tokens.
pub(super) trait Tokens: TensorElement + By<i8> + By<i4x2> + By<u4x2> {}

impl Tokens for f16 {}
impl Tokens for bf16 {}

/// An element type that each function multiplies by `W`.
pub(super) trait By<W: Element>:
    groups_of_32::Element<W, Reference = Vec<f32>>
    + groups_of_64::Element<W, Reference = Vec<f32>>
    + groups_of_128::Element<W, Reference = Vec<f32>>
{
}

impl<T, W: Element> By<W> for T where
    T: groups_of_32::Element<W, Reference = Vec<f32>>
        + groups_of_64::Element<W, Reference = Vec<f32>>
        + groups_of_128::Element<W, Reference = Vec<f32>>
{
}

/// One of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Of32,
    Of64,
    Of128,
}

impl Function {
    /// The one of the largest groups that groups of this extent can be cut into.
    pub(super) fn of_groups(extent: usize) -> Option<Function> {
        let functions = [Function::Of128, Function::Of64, Function::Of32];
        functions.into_iter().find(|function| extent.is_multiple_of(function.group()))
    }

    /// How many neighbours along K have one scale.
    pub(super) fn group(self) -> usize {
        match self {
            Function::Of32 => 32,
            Function::Of64 => 64,
            Function::Of128 => 128,
        }
    }

    /// y, on the host.
    pub(super) fn reference<T: By<W>, W: Element>(
        self,
        shape: Shape,
        x: &[T],
        (w, s): (&[W], &[f32]),
        bias: &[f32],
    ) -> Result<Vec<f32>, gemm_runtime::Error> {
        match self {
            Function::Of32 => groups_of_32::reference(shape, x, w, s, bias),
            Function::Of64 => groups_of_64::reference(shape, x, w, s, bias),
            Function::Of128 => groups_of_128::reference(shape, x, w, s, bias),
        }
    }

    /// Writes y on a GPU.
    #[cfg(feature = "cuda")]
    pub(super) fn launch<T: By<W>, W: Element>(
        self,
        device: &Device,
        x: &MatrixRef<'_, T>,
        (w, s): (&Matrix<W>, &Matrix<f32>),
        bias: &DeviceVector<f32>,
        y: MatrixMut<'_, T>,
    ) -> Result<(), gemm_runtime::Error> {
        match self {
            Function::Of32 => groups_of_32::into(device, x, w, s, bias, y),
            Function::Of64 => groups_of_64::into(device, x, w, s, bias, y),
            Function::Of128 => groups_of_128::into(device, x, w, s, bias, y),
        }
    }
}
