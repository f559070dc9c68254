//! The functions of a layer: one for each form of weights and each group, whose extent a kernel has as a constant.

#[cfg(any(test, feature = "cuda"))]
use gemm_runtime::{Device, DeviceVector, Matrix, MatrixMut, MatrixRef};
use gemm_runtime::{Element, Shape, prelude::*};

use super::{Offsets, QuantizedError, Values, Weights, repeated};
use crate::TensorElement;

/// Of functions `y = x · weightᵀ + bias` of the same values: each of them, and the types that hold for all.
macro_rules! functions {
    ($Tiles:ident, $By:ident, $W:tt; $($name:ident: $variant:ident, $group:literal, $w:ident, ($($tile:ident),+) => { $($weight:tt)+ })+) => {
        $(
            #[gemm(T = [f16, bf16], W = $W, pdl = [$w, $($tile),+])]
            fn $name<T, W>(
                x: Mat<T, M, K>,
                $w: Mat<W, N, K>,
                $($tile: Tiled<f32, N, K, 1, $group>,)+
                bias: Vector<f32, N>,
            ) -> Mat<T, M, N> {
                matmul(x, $($weight)+) + bias
            }
        )+

        /// An element type that each function multiplies by `W`.
        pub(super) trait $By<W: Element>: $($name::Element<W, Reference = Vec<f32>> +)+ {}

        impl<T, W: Element> $By<W> for T where T: $($name::Element<W, Reference = Vec<f32>> +)+ {}

        /// What weights have for each group, as operands of the function that multiplies by these.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum $Tiles<S> {
            $($variant { $($tile: S),+ },)+
        }

        impl $Tiles<Vec<f32>> {
            /// Copies those of n × k weights to a GPU.
            #[cfg(any(test, feature = "cuda"))]
            pub(super) fn to(
                &self,
                device: &Device,
                [n, k]: [usize; 2],
            ) -> Result<$Tiles<Matrix<f32>>, gemm_runtime::Error> {
                Ok(match self {
                    $($Tiles::$variant { $($tile),+ } => $Tiles::$variant {
                        $($tile: device.matrix(n, k / $group, $tile)?),+
                    },)+
                })
            }

            /// y, on the host.
            pub(super) fn reference<T: $By<W>, W: Element>(
                &self,
                shape: Shape,
                x: &[T],
                w: &[W],
                bias: &[f32],
            ) -> Result<Vec<f32>, gemm_runtime::Error> {
                match self {
                    $($Tiles::$variant { $($tile),+ } => {
                        $name::reference(shape, x, w, $($tile,)+ bias)
                    })+
                }
            }
        }

        #[cfg(any(test, feature = "cuda"))]
        impl $Tiles<Matrix<f32>> {
            /// Writes y on a GPU.
            pub(super) fn launch<T: $By<W>, W: Element>(
                &self,
                device: &Device,
                x: &MatrixRef<'_, T>,
                w: &Matrix<W>,
                bias: &DeviceVector<f32>,
                y: MatrixMut<'_, T>,
            ) -> Result<(), gemm_runtime::Error> {
                match self {
                    $($Tiles::$variant { $($tile),+ } => {
                        $name::into(device, x, w, $($tile,)+ bias, y)
                    })+
                }
            }
        }
    };
}

// A layer alone has its weights, which no kernel writes but those that make them: so they are loaded early (`pdl`).
// Each takes seconds to compile: a group is cut into those of a function, and only the usual ones have one of their own.
functions! {
    Tiles, By, [i8x16, i4x32, u4x32];
    groups_of_32: Of32, 32, w, (s) => { w * s }
    groups_of_64: Of64, 64, w, (s) => { w * s }
    groups_of_128: Of128, 128, w, (s) => { w * s }
    zeros_of_32: ZerosOf32, 32, w, (s, z) => { (w - z) * s }
    zeros_of_128: ZerosOf128, 128, w, (s, z) => { (w - z) * s }
    added_of_32: AddedOf32, 32, w, (s, c) => { w * s + c }
}

// Groups of 16 are those of GGUF, whose weights in such groups have 8 bits.
functions! {
    ShortTiles, ByShort, [i8x16];
    groups_of_16: Of16, 16, w, (s) => { w * s }
}

/// The element types of tokens.
pub(super) trait Tokens:
    TensorElement + By<i8x16> + By<i4x32> + By<u4x32> + ByShort<i8x16>
{
}

impl Tokens for f16 {}
impl Tokens for bf16 {}

impl Tiles<Vec<f32>> {
    /// The scales and offsets of weights, in the largest groups of a function that theirs can be cut into.
    ///
    /// # Errors
    /// [`QuantizedError::Group`] if there are none.
    pub(super) fn of(weights: &Weights) -> Result<Tiles<Vec<f32>>, QuantizedError> {
        let got = weights.group;
        let cut = |group: usize| got.is_multiple_of(group);
        if !cut(32) {
            return Err(QuantizedError::Group { got });
        }
        let each = |of: &[f32], group| repeated(of, got / group);
        let s = |group| each(&weights.scales, group);
        Ok(match &weights.offsets {
            Offsets::None if cut(128) => Tiles::Of128 { s: s(128) },
            Offsets::None if cut(64) => Tiles::Of64 { s: s(64) },
            Offsets::None => Tiles::Of32 { s: s(32) },
            Offsets::Zeros(zeros) => {
                // Exact: integers of 8 bits.
                let zeros: Vec<f32> = zeros.iter().copied().map(f32::from).collect();
                match cut(128) {
                    true => Tiles::ZerosOf128 { s: s(128), z: each(&zeros, 128) },
                    false => Tiles::ZerosOf32 { s: s(32), z: each(&zeros, 32) },
                }
            }
            Offsets::Added(added) => Tiles::AddedOf32 { s: s(32), c: each(added, 32) },
        })
    }
}

impl ShortTiles<Vec<f32>> {
    /// The scales of weights of 8 bits without offsets, whose groups can be cut into no longer ones.
    pub(super) fn of(weights: &Weights) -> Option<ShortTiles<Vec<f32>>> {
        let Weights { group, values: Values::I8(_), offsets: Offsets::None, .. } = weights else {
            return None;
        };
        let is_short = group.is_multiple_of(16) && !group.is_multiple_of(32);
        is_short.then(|| ShortTiles::Of16 { s: repeated(&weights.scales, group / 16) })
    }
}

#[cfg(test)]
mod tests;
