//! The peer: cuBLASLt, by the algorithm that its heuristic puts first and by the fastest of those
//! that it names.

mod add;
mod gate;
mod pass;
mod raw;

use std::marker::PhantomData;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use cudarc::cublaslt::sys::{cublasComputeType_t as ComputeType, cudaDataType_t as DataType};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr as _, DevicePtrMut as _};

pub(crate) use crate::cublas::add::Add;
pub(crate) use crate::cublas::gate::{Gate, Sums};
use crate::cublas::raw::{Algorithm, Call, Description, Handle, Layout};
use crate::operands::{Operands, Sample};
use crate::task::{Compute, Order, Task};

/// Algorithms that the heuristic is asked for.
const CANDIDATES: usize = 16;

/// The size that NVIDIA recommends for Hopper (cuBLAS documentation, `cublasSetWorkspace`).
const WORKSPACE_BYTES: usize = 32 << 20;

/// cuBLASLt on one stream.
pub(crate) struct CublasLt {
    handle: Handle,
    workspace: CudaSlice<u8>,
    stream: Arc<CudaStream>,
}

/// A task of cuBLASLt's with factors `T` and an output `U`, and what it can be done by.
pub(crate) struct Multiplication<'a, T, U> {
    cublas: &'a CublasLt,
    task: Task,
    description: Description,
    layouts: [Layout; 3],
    scalars: [u64; 2],
    algorithms: Vec<Algorithm>,
    /// The pass after its own epilogue.
    add: Option<Add>,
    elements: PhantomData<fn(T) -> U>,
}

impl CublasLt {
    pub(crate) fn new(stream: &Arc<CudaStream>) -> Result<CublasLt> {
        let workspace = stream.alloc_zeros(WORKSPACE_BYTES)?;
        Ok(CublasLt { handle: Handle::new()?, workspace, stream: stream.clone() })
    }

    /// Asks the heuristic how a task can be done.
    ///
    /// cuBLAS stores column by column: there our a is k×m, and out n×m and the product of b's
    /// transpose and a's, which is why b is its first factor.
    pub(crate) fn plan<T: Sample, U: Sample>(
        &self,
        task: &Task,
    ) -> Result<Multiplication<'_, T, U>> {
        let [m, n, k] = task.shape;
        let (compute, scale) = types(task);
        let description = Description::new(compute, scale)?;
        description.transpose_first(task.order == Order::Rc)?;
        description.fast_sums(task.compute == Compute::Fast)?;
        if task.has_bias() {
            description.bias_gelu(self.workspace.device_ptr(&self.stream).0)?;
        }
        let [rows, columns] = task.extents_of_b();
        let layouts = [
            Layout::new(T::TYPE, [columns, rows], task.products())?,
            Layout::new(T::TYPE, [k, m], task.products())?,
            Layout::new(U::TYPE, [n, m], task.products())?,
        ];
        let algorithms =
            self.handle.heuristic::<CANDIDATES>(&description, &layouts, WORKSPACE_BYTES)?;
        let add = task.has_residual().then(|| Add::new::<U>(&self.stream, m * n)).transpose()?;
        Ok(Multiplication {
            cublas: self,
            task: *task,
            description,
            layouts,
            scalars: [task.scale.unwrap_or(1.0), 0.0].map(|value| scalar(value, scale)),
            algorithms,
            add,
            elements: PhantomData,
        })
    }
}

/// The types of its sums and of its scale.
fn types(task: &Task) -> (ComputeType, DataType) {
    match task.compute {
        Compute::F32 | Compute::Fast => (ComputeType::CUBLAS_COMPUTE_32F, DataType::CUDA_R_32F),
        Compute::Tf32 => (ComputeType::CUBLAS_COMPUTE_32F_FAST_TF32, DataType::CUDA_R_32F),
        Compute::I32 if task.scale.is_some() => {
            (ComputeType::CUBLAS_COMPUTE_32I, DataType::CUDA_R_32F)
        }
        Compute::I32 => (ComputeType::CUBLAS_COMPUTE_32I, DataType::CUDA_R_32I),
        Compute::F64 => (ComputeType::CUBLAS_COMPUTE_64F, DataType::CUDA_R_64F),
    }
}

/// A number whose first bytes are a scalar of this type.
fn scalar(value: f32, scale: DataType) -> u64 {
    match scale {
        DataType::CUDA_R_64F => f64::from(value).to_bits(),
        DataType::CUDA_R_32I => u64::from((value as i32).cast_unsigned()),
        _ => u64::from(value.to_bits()),
    }
}

impl<T: Sample, U: Sample> Multiplication<'_, T, U> {
    /// How many algorithms there are; the first is the heuristic's.
    pub(crate) fn algorithms(&self) -> usize {
        self.algorithms.len()
    }

    /// The kernel of its own that it launches, which has to stay loaded for as long as graphs of it.
    pub(crate) fn own_kernel(&self) -> Option<Add> {
        self.add.clone()
    }

    /// Enqueues it by one of the algorithms.
    pub(crate) fn enqueue(&self, algorithm: usize, of: &mut Operands<'_, T, U>) -> Result<()> {
        let n = self.task.shape[1];
        let [of_a, of_b, of_out] = self.task.elements();
        let fits = of.a.len() >= of_a && of.b.len() >= of_b && of.out.len() >= of_out;
        ensure!(fits && of.bias.len() >= n, "a buffer is too small");
        let CublasLt { handle, workspace, stream } = self.cublas;
        if self.task.has_bias() {
            self.description.bias_gelu(of.bias.device_ptr(stream).0)?;
        }
        let call = Call {
            description: &self.description,
            layouts: &self.layouts,
            addresses: [
                of.b.device_ptr(stream).0,
                of.a.device_ptr(stream).0,
                of.out.device_ptr_mut(stream).0,
            ],
            scalars: &self.scalars,
            algorithm: self.algorithms.get(algorithm).context("no such algorithm")?,
            workspace: workspace.device_ptr(stream).0,
            workspace_bytes: WORKSPACE_BYTES,
        };
        handle.multiply(&call, stream)?;
        self.add.as_ref().map_or(Ok(()), |add| add.enqueue(stream, of))
    }
}
