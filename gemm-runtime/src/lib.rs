//! Declare a GEMM in Rust, compile it with NVRTC, launch it on a GPU or on the emulator.
//!
//! ```no_run
//! use gemm_runtime::prelude::*;
//!
//! /// y = gelu(x · wᵀ + bias)
//! #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
//! pub fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
//!     gelu(matmul(x, w) + bias)
//! }
//!
//! fn main() -> Result<(), Error> {
//!     let device = Device::auto()?;
//!     let x = device.matrix(300, 200, &vec![f16::ONE; 300 * 200])?;
//!     let w = device.matrix(100, 200, &vec![f16::ONE; 100 * 200])?;
//!     let bias = device.vector(&vec![f16::ZERO; 100])?;
//!     let y = linear_gelu(&device, &x, &w, &bias)?;
//!     println!("{device}: {:?}", y.to_vec()?[0]);
//!     Ok(())
//! }
//! ```
//!
//! A [`Device`] is a GPU or the emulator; its memory holds a [`Matrix`] or a [`DeviceVector`]. An
//! annotated function takes a device and its operands and returns a matrix. Its kernel is compiled at
//! the first call, for the architecture of the device and the alignment of the operands, and kept in a
//! disk cache.
//!
//! A function without a schedule has several candidates. A launch chooses one by its shape and the GPU:
//! by a cost model or, on a device made [`with_tuning`](Device::with_tuning), by measurement, once per
//! bucket of shapes. [`launch::choose`] does the same for kernels made at run time.
//!
//! **The language**, every signature, body and schedule key, is the documentation of
//! [`#[gemm]`](macro@prelude::gemm). An annotated function's own page shows its signature as it was
//! declared and the plan of its kernel.
//!
//! | also | see |
//! | --- | --- |
//! | several outputs of one launch | a body that ends in a tuple, [`#[gemm]`](macro@prelude::gemm) |
//! | strided batches in one launch | [`BatchedMatrix`] |
//! | a launch without allocations, for graphs and inner loops | [`Prepared`] |
//! | several launches that read each other's outputs, prepared once | [`Shared`], [`Graph`] |
//! | integer weights in the order in which lanes multiply them | [`Device::pack`], [`packing`] |
//! | a scalar that a captured graph reads when it runs | [`DeviceScalar`] |
//! | a page of HTML about a function, with the feature `report` | `Device::report_html` |
//! | what the emulator checks and counts | [`EmulatorOptions`], [`Device::last_profile`], [`Device::last_trace`], [`emulator`] |
//!
//! | variable | what it does |
//! | --- | --- |
//! | `GEMM_NVRTC_DIR` | the folder of `libnvrtc`, or the one pip unpacked it into |
//! | `GEMM_CACHE_DIR` | the folder of the disk cache of kernels and tuning results; empty: no cache |
//! | `GEMM_PDL` | `off`: no kernel starts before its predecessor has completed, also with `pdl` |
//! | `GEMM_CACHE_MB` | the size from which the oldest entries are removed, 256 by default |
//! | `GEMM_LINEINFO_DIR` | a folder for the texts of kernels, whose lines Nsight Compute then shows |

// `#[gemm]` names this crate, here in its own tests.
#[cfg(test)]
extern crate self as gemm_runtime;

mod argument;
pub mod body;
mod cache;
pub mod compile;
mod device;
mod either;
mod element;
#[cfg(feature = "emulator")]
pub mod emulator;
pub mod erased;
mod error;
mod float8;
pub mod launch;
mod library;
mod memory;
mod modules;
mod of_bytes;
mod output_form;
mod packed;
pub mod packing;
mod pairs;
mod place;
pub mod reference;
mod report;
#[cfg(feature = "report")]
mod reported;
mod shape;
pub mod signature;
mod split_by;
mod tuning;
mod value;
mod version;

pub use gemm_macros::gemm;
pub use half::{bf16, f16};
pub use signature::{Batched, Mat, Scalar, Tiled, Vector};

pub use gemm_codegen::abi;
pub use gemm_codegen::auto::{Footprint, Machine, Shares};
pub use gemm_codegen::{
    AtomMatrix, Axis, BankPasses, Batching, ByThreads, CopyAtom, Factors, Facts, Form, Fragment,
    Kernel, LaunchShape, Mma, Owner, Parameter, ParameterKind, Part, Partials, Planes, Promoting,
    PtxFeature, Raster, SplitK, Sums, Target, Walk,
};

pub use argument::{
    Argument, AsBatched, AsBatchedMut, AsMatrix, AsMatrixMut, AsScalar, AsVector, AsVectorMut,
};
pub use body::real::Real;
pub use device::Device;
#[cfg(feature = "emulator")]
pub use device::{EmulatorOptions, LaunchProfile, Progress};
pub use element::Element;
pub use error::{
    ArgumentKind, BatchError, BatchIndex, Dimension, Error, KernelFault, Operand, Origin,
    PackedRows, Searched, TileError,
};
pub use float8::*;
pub use gemm_codegen::packing::{PackedOrder, PackedPlace};
pub use launch::{Graph, Prepared};
pub use memory::{
    BatchCounts, BatchedMatrix, BatchedMut, BatchedRef, DeviceBuffer, DeviceBufferMut,
    DeviceScalar, DeviceVector, Matrix, MatrixMut, MatrixRef, ScalarRef, Shareable, Shared,
    SplitMatrix, VectorMut, VectorRef,
};
pub use packed::*;
pub use pairs::*;
pub use place::Place;
pub use report::{ChosenBy, LaunchReport, OperandCopy, Report};
#[cfg(feature = "report")]
pub use reported::ReportedFunction;
pub use shape::Shape;
pub use split_by::SplitBy;
pub use tuning::{Measurement, RecordError, Tuning};
pub use value::Value;

/// Everything a program that declares GEMMs needs.
pub mod prelude {
    pub use crate::body::*;
    pub use crate::float8::*;
    pub use crate::gemm;
    pub use crate::packed::*;
    pub use crate::pairs::*;
    pub use crate::signature::{Batched, Mat, Scalar, Tiled, Vector};
    pub use crate::{
        BatchedMatrix, BatchedMut, BatchedRef, Device, DeviceScalar, DeviceVector, Error, Matrix,
        MatrixMut, MatrixRef, ScalarRef, Shape, VectorMut, VectorRef, bf16, f16,
    };
}

/// Names used by the expansion of `#[gemm]`; not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::body::{Factor, Reduced, Scales, wrapping};
    pub use crate::erased::{counted, values};
    pub use crate::launch::{
        choose, into, prepare, prepare_chosen, report, run, run_batched, run_reduced, run_several,
    };
    pub use crate::reference::{
        HostMatrix, HostProducts, HostScales, HostTerm, HostTiles, HostVector, batched, columns,
        coordinate, matrices, of_function, parts, reduced, reference, reference_of, shape_of_term,
    };

    /// The types of the constants that the expansion has.
    pub mod codegen {
        pub use gemm_codegen::abi::*;
        pub use gemm_codegen::auto::Footprint;
        pub use gemm_codegen::body::*;
        pub use gemm_codegen::*;
    }
}
