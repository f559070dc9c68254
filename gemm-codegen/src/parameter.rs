//! [`Parameter`]: what a caller passes to a kernel, and what every parameter is limited to.

use std::borrow::Cow;

use crate::level::global_to_shared::TensorBox;
use crate::problem::{Batching, ParameterKind};
use crate::spec::Planes;

/// One parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name in the signature and in the text.
    pub name: Cow<'static, str>,
    /// What is passed, or what a batch of it has.
    pub kind: ParameterKind,
    /// Along which batch indices it has a matrix or a vector for each value.
    pub batch: Batching,
    /// Name of the constant of bytes (`ALIGN_X`) which divide the address of this parameter and the
    /// distances of its rows and of the matrices of a batch, and the length of a row too if it is
    /// [of a factor](ParameterKind::is_of_factor). `None` if the text has no such constant. The
    /// text's own value is [`MAX_ALIGN`](crate::MAX_ALIGN); a [`Variant`](crate::Variant) has less.
    pub align_constant: Option<Cow<'static, str>>,
    /// The box by which tensor copies read it: then the kernel takes a map of it (CUDA Driver API,
    /// `CUtensorMap`), made as the box says. Its address and the distance of its rows must be
    /// multiples of 16 bytes. The map of a batch has a further dimension for each batch index of the
    /// output, the innermost first, whose distances must be such multiples too.
    pub tensor: Option<TensorBox>,
    /// What it is multiplied as, if that is planes: a launch makes a matrix of them, which the kernel reads
    /// in its place, and an exponent for each row of it.
    pub planes: Option<Planes>,
    /// The box by which the copy unit moves it between memory and epilogue tiles, which an epilogue stages:
    /// then the kernel takes a map too, and reads it where the address and the distance of rows are
    /// multiples of 16 bytes, of a batch the distances of its matrices, and of an output the length
    /// of a row.
    pub epilogue_box: Option<TensorBox>,
}

/// The alignment in bytes that an emitted text assumes, and the most that a launch need promise. Legal values: 16, 8, 4, 2, 1, no less than an element.
pub const MAX_ALIGN: u32 = 16;

/// The largest m, n or k of a launch: coordinates and their sums with a tile stay in 32 bits.
/// Offsets are 64 bits wide.
pub const MAX_EXTENT: u32 = 1 << 30;
