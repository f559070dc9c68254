//! All schedules of a function, compiled at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, anyhow};
use cudarc::driver::{CudaContext, CudaStream};
use gemm_runtime::Kernel;
use gemm_runtime::prelude::*;

/// Compiles all schedules for the cache on disk: one after the other they take minutes. Each thread has
/// `operands` of its own, on which `prepare` compiles a kernel.
pub(super) fn all<S>(
    kernels: &[&Kernel],
    operands: impl Fn(&Arc<CudaStream>) -> Result<S> + Sync,
    prepare: impl Fn(&Device, &Kernel, &mut S) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let compile = || -> Result<()> {
        let stream = CudaContext::new(0)?.new_stream()?;
        let device = Device::from_stream(stream.clone())?;
        let mut operands = operands(&stream)?;
        while let Some(kernel) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
            prepare(&device, kernel, &mut operands)?;
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(compile)).collect();
        all.into_iter().try_for_each(|one| one.join().map_err(|_| anyhow!("a thread panicked"))?)
    })
}
