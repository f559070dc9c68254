//! Roofs: what this GPU gives to kernels that do one thing only, by the compiler that ours go
//! through.

mod kernel;
mod list;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdevice_attribute;
use gemm_runtime::compile::Form;
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::bare::{Bare, Word};
use crate::report::Row;
use crate::roofs::kernel::Kernel;
use crate::timing::Batch;

/// What a kernel stores a word for; any number would do.
const NEVER: u64 = 0x9e37_79b9;

/// Every roof. One that cannot be measured is reported, and the others are measured.
pub(crate) fn all(arena: &Arena) -> Result<Vec<Row>> {
    let kernels = list::all();
    let progress = ProgressBar::new(kernels.len() as u64);
    let mut rows = Vec::new();
    for kernel in &kernels {
        match measure(arena, kernel) {
            Ok(row) => rows.push(row),
            Err(error) => {
                progress.suspend(|| eprintln!("{} by {}: {error:#}", kernel.roof, kernel.how));
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// The line of a kernel.
fn measure(arena: &Arena, kernel: &Kernel) -> Result<Row> {
    let stream = &arena.stream;
    let gpu = Gpu::of(stream)?;
    let source = stream.clone_htod(&kernel.source())?;
    let target = stream.alloc_zeros::<u8>(kernel.size.target_bytes())?;
    let steps = kernel.steps();
    let words = [
        Word::address(&source, stream),
        Word::address(&target, stream),
        Word::number(steps),
        Word::number(NEVER),
    ];
    let text = kernel.text();
    let program = kernel.program(&text, &gpu.architecture, Form::Cubin);
    let mut bare = Bare::new(stream, &program, kernel::ENTRY, kernel.grid(gpu.sms), &words)
        .context("cannot be loaded")?;
    let batch = Batch::capture(stream, 1, |_| bare.launch())?;
    let rounds = arena.in_turns(&[&batch])?;
    Ok(Row {
        case: kernel.roof.to_owned(),
        kernel: kernel.how.clone().into(),
        ours_us: rounds.us(0),
        work: Some(kernel.work(gpu.sms)),
        peer: None,
    })
}

/// What of a GPU a roof depends on.
struct Gpu {
    /// As NVRTC calls it.
    architecture: String,
    sms: u32,
}

impl Gpu {
    fn of(stream: &Arc<CudaStream>) -> Result<Gpu> {
        use CUdevice_attribute as A;
        let attribute = |which| Ok::<_, anyhow::Error>(stream.context().attribute(which)?);
        let major = attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let sms = u32::try_from(attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?)?;
        Ok(Gpu { architecture: format!("sm_{major}{minor}"), sms })
    }
}
