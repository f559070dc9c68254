//! Matrices and vectors in device memory, owned and borrowed.

mod batch;
mod batched;
mod buffer;
#[cfg(feature = "emulator")]
pub(crate) mod emulated;
mod extents;
pub(crate) mod gpu;
mod layout;
mod matrix;
mod meet;
mod scalar;
mod shared;
mod shared_bytes;
mod split;
mod storage;
mod vector;
mod vector_mut;
mod view;

pub use batch::BatchCounts;
pub use batched::{BatchedMatrix, BatchedMut, BatchedRef};
pub use buffer::{DeviceBuffer, DeviceBufferMut};
pub use matrix::Matrix;
pub use scalar::{DeviceScalar, ScalarRef};
pub use shared::{Shareable, Shared};
pub use split::SplitMatrix;
pub use vector::{DeviceVector, VectorRef};
pub use vector_mut::VectorMut;
pub use view::{MatrixMut, MatrixRef};

pub(crate) use batch::{Batch, Steps};
pub(crate) use batched::BatchedLayout;
pub(crate) use layout::{MatrixLayout, check_host_length};
pub(crate) use meet::{Multiples, sum_within};
pub(crate) use shared_bytes::SharedBytes;
pub(crate) use storage::{Buffer, Storage, StorageMut};
