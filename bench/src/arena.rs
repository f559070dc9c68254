//! Where kernels of ours and others meet.

use std::cell::Cell;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use gemm_runtime::launch::Kernels;
use gemm_runtime::{
    Argument, AsBatched as _, AsBatchedMut as _, AsMatrix as _, AsMatrixMut as _, AsVector as _,
    BatchedMut, BatchedRef, Device, Error, Kernel, MatrixMut, MatrixRef, Prepared, SplitMatrix,
    Tuning, VectorRef, launch,
};

use crate::cublas::CublasLt;
use crate::operands::{Operands, Sample, Set, agree};
use crate::task::Task;
use crate::timing::{Batch, Clock, Rounds, in_turns};

/// The GPU, one stream on it, and how to measure.
pub(crate) struct Arena {
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) device: Device,
    /// The same, on which kernels are chosen by measurement.
    tuned: Device,
    pub(crate) cublas: CublasLt,
    /// Where a kernel of the bench may store a word for each thread of a block.
    pub(crate) scratch: CudaSlice<u32>,
    clock: Clock,
    /// How many times each is measured.
    pub(crate) rounds: usize,
    only: Vec<String>,
    failures: Cell<usize>,
}

/// The kernel or kernels of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Selection<'k> {
    One(&'k Kernel),
    /// By the shape of the arguments.
    Chosen(&'k Kernels<'k>),
    /// By measurements on the arguments.
    Tuned(&'k Kernels<'k>),
    /// The same of a second factor that was split before, which is not measured.
    OneOfSplit(&'k Kernel),
    ChosenOfSplit(&'k Kernels<'k>),
    TunedOfSplit(&'k Kernels<'k>),
}

impl Selection<'_> {
    fn splits(&self) -> bool {
        matches!(
            self,
            Selection::OneOfSplit(_) | Selection::ChosenOfSplit(_) | Selection::TunedOfSplit(_)
        )
    }
}

impl Arena {
    /// `only` names the kernels that take part; all, if it is empty.
    pub(crate) fn new(clock: Clock, rounds: usize, only: Vec<String>) -> Result<Arena> {
        // Without a driver this is a typed error; cudarc would panic.
        Device::gpu(0)?;
        let context = CudaContext::new(0)?;
        // SAFETY: all work of this program is on one stream, whose order is enough.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream()?;
        let device = Device::from_stream(stream.clone())?;
        let tuned = device.clone().with_tuning(Tuning::new());
        let cublas = CublasLt::new(&stream)?;
        let scratch = stream.alloc_zeros(1024)?;
        let failures = Cell::new(0);
        Ok(Arena { stream, device, tuned, cublas, scratch, clock, rounds, only, failures })
    }

    /// Whether a kernel of ours takes part.
    pub(crate) fn takes(&self, kernel: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == kernel)
    }

    /// Counts something that could not be measured; the rest goes on.
    pub(crate) fn fail(&self) {
        self.failures.set(self.failures.get() + 1);
    }

    /// How much could not be measured.
    pub(crate) fn failures(&self) -> usize {
        self.failures.get()
    }

    /// Measures all in turns.
    pub(crate) fn in_turns(&self, batches: &[&Batch]) -> Result<Rounds> {
        in_turns(&self.stream, self.clock, self.rounds, batches)
    }

    /// A launch of a kernel, or of the one that is chosen among several.
    pub(crate) fn prepare<'a, T: Sample, U: Sample>(
        &self,
        kernel: Selection<'_>,
        task: &Task,
        operands: Operands<'a, T, U>,
    ) -> Result<Prepared<'a>, Error> {
        let split = if kernel.splits() { self.split(task, operands.b)? } else { None };
        let mut arguments = arguments(task, operands)?;
        if let Some(split) = split {
            arguments[1] = split.argument();
        }
        self.prepare_with(kernel, arguments)
    }

    /// The planes of a second factor; none of other elements than f32.
    fn split<T: Sample>(
        &self,
        task: &Task,
        b: &CudaSlice<T>,
    ) -> Result<Option<SplitMatrix>, Error> {
        let [rows, columns] = task.extents_of_b();
        T::split(&self.device, MatrixRef::new(b, rows, columns)?, task.order)
    }

    /// The same on any arguments.
    pub(crate) fn prepare_with<'a>(
        &self,
        kernel: Selection<'_>,
        arguments: Vec<Argument<'a>>,
    ) -> Result<Prepared<'a>, Error> {
        launch::prepare(&self.device, self.choose(kernel, &arguments), arguments)
    }

    /// The kernel of a launch on these arguments.
    pub(crate) fn choose<'k>(
        &self,
        kernel: Selection<'k>,
        arguments: &[Argument<'_>],
    ) -> &'k Kernel {
        match kernel {
            Selection::One(kernel) | Selection::OneOfSplit(kernel) => kernel,
            Selection::Chosen(kernels) | Selection::ChosenOfSplit(kernels) => {
                launch::choose(&self.device, kernels, arguments)
            }
            Selection::Tuned(kernels) | Selection::TunedOfSplit(kernels) => {
                launch::choose(&self.tuned, kernels, arguments)
            }
        }
    }

    /// One launch each, in their order.
    pub(crate) fn capture(&self, launches: &mut [Prepared<'_>]) -> Result<Batch> {
        let count = launches.len();
        Batch::capture(&self.stream, count, |turn| Ok(launches[turn].launch()?))
    }

    /// Milliseconds of a launch of `kernel`, from a few; `None` where it cannot run.
    pub(crate) fn glance<T: Sample, U: Sample>(
        &self,
        kernel: &Kernel,
        task: &Task,
        sets: &mut [Set<T, U>],
    ) -> Result<Option<f32>> {
        let mut launches = Vec::new();
        for set in sets.iter_mut() {
            let [ours, _] = set.split();
            match self.prepare(Selection::One(kernel), task, ours) {
                Ok(launch) => launches.push(launch),
                Err(Error::SharedMemory { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        self.capture(&mut launches)?.glance(&self.stream).map(Some)
    }

    /// Measures two kernels of ours in turns, and compares their outputs.
    pub(crate) fn contest<T: Sample, U: Sample>(
        &self,
        kernels: [&Kernel; 2],
        task: &Task,
        sets: &mut [Set<T, U>],
    ) -> Result<Rounds> {
        let mut launches = [Vec::new(), Vec::new()];
        for set in sets.iter_mut() {
            for (side, operands) in set.split().into_iter().enumerate() {
                launches[side].push(self.prepare(Selection::One(kernels[side]), task, operands)?);
            }
        }
        let [ours, others] = launches.each_mut().map(|launches| self.capture(launches));
        let rounds = self.in_turns(&[&ours?, &others?])?;
        drop(launches);
        let set = sets.first().context("no operands")?;
        agree(&self.stream, task, [&set.ours, &set.peers])?;
        Ok(rounds)
    }
}

/// The arguments of a launch for this task.
pub(crate) fn arguments<'a, T: Sample, U: Sample>(
    task: &Task,
    Operands { a, b, bias, residual, out }: Operands<'a, T, U>,
) -> Result<Vec<Argument<'a>>, Error> {
    let [m, n, k] = task.shape;
    let [rows, columns] = task.extents_of_b();
    if let Some(batch) = task.batch {
        let a = BatchedRef::new(a, batch, m, k)?.argument();
        let b = BatchedRef::new(b, batch, rows, columns)?.argument();
        return Ok(vec![a, b, BatchedMut::new(out, batch, m, n)?.argument()]);
    }
    let factors =
        [MatrixRef::new(a, m, k)?.argument(), MatrixRef::new(b, rows, columns)?.argument()];
    let mut arguments = Vec::from(factors);
    if task.has_bias() {
        arguments.push(VectorRef::new(bias, n)?.argument());
    }
    if task.has_residual() {
        arguments.push(MatrixRef::new(residual, m, n)?.argument());
    }
    arguments.push(MatrixMut::new(out, m, n)?.argument());
    Ok(arguments)
}
