//! Roofs: what this GPU gives to kernels that do one thing only, by the compiler that ours go
//! through.

mod floor;
mod kernel;
mod list;
#[cfg(test)]
mod tests;

pub(crate) use floor::Floor;

use anyhow::Result;
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::bare::Word;
use crate::gpu::Gpu;
use crate::report::Row;
use crate::roofs::kernel::Kernel;
use crate::timing::Batch;

/// A kernel stores a word if its sum is this number; any would do.
const NEVER: u64 = 0x9e37_79b9;

/// The unit of a roof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    F16,
    Bf16,
    F16InF16,
    Tf32,
    S8,
    E4m3,
    F64,
    Fma,
    Ldmatrix,
    DramRead,
    DramCopy,
    L2,
}

impl Unit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::F16 => "mma f16 → f32",
            Unit::Bf16 => "mma bf16 → f32",
            Unit::F16InF16 => "mma f16 → f16",
            Unit::Tf32 => "mma tf32 → f32",
            Unit::S8 => "mma s8 → s32",
            Unit::E4m3 => "mma e4m3 → f32",
            Unit::F64 => "mma f64 → f64",
            Unit::Fma => "fma f32",
            Unit::Ldmatrix => "ldmatrix",
            Unit::DramRead => "DRAM, read",
            Unit::DramCopy => "DRAM, copy",
            Unit::L2 => "L2 → shared, cp.async",
        }
    }
}

/// Every roof.
pub(crate) fn all(arena: &Arena) -> Vec<Row> {
    lines(arena, &list::all(), ProgressBar::no_length())
}

/// The most work a second that a unit gave to any of its kernels, in units of 10¹².
pub(crate) fn of(arena: &Arena, unit: Unit) -> Option<f64> {
    let mut kernels = list::all();
    kernels.retain(|kernel| kernel.unit == unit);
    let rows = lines(arena, &kernels, ProgressBar::hidden());
    rows.iter().filter_map(Row::rate).max_by(f64::total_cmp)
}

/// The lines of kernels. One that cannot be measured is reported, and the others are measured.
fn lines(arena: &Arena, kernels: &[Kernel], progress: ProgressBar) -> Vec<Row> {
    progress.set_length(kernels.len() as u64);
    let mut rows = Vec::new();
    for kernel in kernels {
        match measure(arena, kernel) {
            Ok(row) => rows.push(row),
            Err(error) => {
                arena.fail();
                progress.suspend(|| {
                    eprintln!("{} by {}: {error:#}", kernel.unit.name(), kernel.how);
                });
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    rows
}

fn measure(arena: &Arena, kernel: &Kernel) -> Result<Row> {
    let stream = &arena.stream;
    let gpu = Gpu::of(stream.context())?;
    let source = stream.clone_htod(&kernel.source())?;
    let target = stream.alloc_zeros::<u8>(kernel.size.target_bytes())?;
    let mut bare = kernel.load(stream, &gpu)?.with(&[
        Word::address(&source, stream),
        Word::address(&target, stream),
        Word::number(kernel.steps()),
        Word::number(NEVER),
    ]);
    let batch = Batch::capture(stream, 1, |_| bare.launch())?;
    let rounds = arena.in_turns(&[&batch])?;
    Ok(Row {
        work: Some(kernel.work(gpu.sms)),
        ..Row::new(kernel.unit.name(), kernel.how.clone(), rounds.us(0))
    })
}
