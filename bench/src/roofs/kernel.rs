//! [`Kernel`]: one kernel that is measured as a roof.

use std::sync::Arc;

use anyhow::Result;
use cudarc::driver::CudaStream;
use fastrand::Rng;
use gemm_runtime::compile::{Format, Program};
use gemm_runtime::{Element, bf16, e4m3, f16};

use super::Unit;
use crate::bare::{Grid, Loaded};
use crate::gpu::Gpu;
use crate::report::Work;

/// The name of every entry point.
pub(super) const ENTRY: &str = "roof";

/// Bytes of random data, which larger sources repeat.
const PERIOD: usize = 1 << 20;

/// One kernel that is measured as a roof.
pub(super) struct Kernel {
    /// The unit that limits it.
    pub(super) unit: Unit,
    /// Which of the ways to show it.
    pub(super) how: String,
    /// Parts of its text, after the shared part.
    pub(super) parts: &'static [&'static str],
    /// Macros that the text takes, without `WARPS`.
    pub(super) defines: Vec<String>,
    /// Warps of a block.
    pub(super) warps: u32,
    /// Blocks of each SM.
    pub(super) blocks: u32,
    /// Dynamic shared memory of a block.
    pub(super) shared_bytes: u32,
    pub(super) filling: Filling,
    pub(super) size: Size,
    pub(super) amount: Amount,
}

/// How much a launch does.
#[derive(Clone, Copy)]
pub(super) enum Amount {
    /// This often as much as one step of one block does.
    Steps { steps: u64, of_block: Work },
    /// Blocks share the source, in pieces of this many bytes; each of its bytes moves this often.
    Pieces { bytes: u64, moves: u32 },
}

/// How large the buffers are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// A source of 1 MiB.
    Small,
    /// A source of 48 MiB; L2 holds the part that the blocks of one GPU read: 25 MiB of 132 SMs.
    L2,
    /// A source and a target of 1 GiB, which no cache holds.
    Dram,
}

/// The random data.
#[derive(Clone, Copy)]
pub(super) enum Filling {
    F16,
    Bf16,
    F32,
    F64,
    I8,
    E4m3,
}

impl Size {
    pub(super) const fn source_bytes(self) -> usize {
        match self {
            Size::Small => PERIOD,
            Size::L2 => 48 * PERIOD,
            Size::Dram => 1024 * PERIOD,
        }
    }

    pub(super) const fn target_bytes(self) -> usize {
        match self {
            Size::Small | Size::L2 => PERIOD,
            Size::Dram => self.source_bytes(),
        }
    }
}

impl Filling {
    /// Numbers of a normal distribution: power, and with it speed, depends on data.
    fn random(self) -> Vec<u8> {
        match self {
            Filling::F16 => normal(|x| f16::from_f64(x).to_le_bytes()),
            Filling::Bf16 => normal(|x| bf16::from_f64(x).to_le_bytes()),
            Filling::F32 => normal(|x| (x as f32).to_le_bytes()),
            Filling::F64 => normal(f64::to_le_bytes),
            Filling::I8 => normal(|x| i8::from_f64(32.0 * x).to_le_bytes()),
            Filling::E4m3 => normal(|x| [e4m3::from_f64(x).to_bits()]),
        }
    }
}

/// `PERIOD` bytes of independent numbers.
fn normal<const BYTES: usize>(bytes: impl Fn(f64) -> [u8; BYTES]) -> Vec<u8> {
    let mut rng = Rng::new();
    let mut number = || {
        // Box and Muller's.
        let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
        radius * (std::f64::consts::TAU * rng.f64()).cos()
    };
    (0..PERIOD / BYTES).flat_map(|_| bytes(number())).collect()
}

impl Kernel {
    pub(super) fn text(&self) -> String {
        [&[include_str!("common.cu")], self.parts].concat().join("\n")
    }

    pub(super) fn program<'a>(
        &self,
        text: &'a str,
        architecture: &'a str,
        format: Format,
    ) -> Program<'a> {
        let warps = format!("WARPS={}", self.warps);
        let options = self.defines.iter().chain([&warps]).map(|define| format!("-D{define}"));
        Program { name: "roof.cu", text, architecture, options: options.collect(), format }
    }

    pub(super) fn load(&self, stream: &Arc<CudaStream>, gpu: &Gpu) -> Result<Loaded> {
        let text = self.text();
        let program = self.program(&text, &gpu.architecture, Format::Cubin);
        Loaded::new(stream, &program, ENTRY, self.grid(gpu.sms))
    }

    pub(super) fn source(&self) -> Vec<u8> {
        self.filling.random().repeat(self.size.source_bytes() / PERIOD)
    }

    pub(super) fn grid(&self, sms: u32) -> Grid {
        let threads = 32 * self.warps;
        Grid { blocks: self.blocks * sms, threads, shared_bytes: self.shared_bytes }
    }

    /// The parameter `steps`.
    pub(super) fn steps(&self) -> u64 {
        match self.amount {
            Amount::Steps { steps, .. } => steps,
            Amount::Pieces { bytes, .. } => self.size.source_bytes() as u64 / bytes,
        }
    }

    /// Of one launch.
    pub(super) fn work(&self, sms: u32) -> Work {
        match self.amount {
            Amount::Steps { steps, of_block } => {
                of_block.times(steps as f64 * f64::from(self.blocks * sms))
            }
            Amount::Pieces { moves, .. } => {
                Work::Bytes(self.size.source_bytes() as f64 * f64::from(moves))
            }
        }
    }
}
