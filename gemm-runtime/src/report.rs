//! [`Report`]: the resources of a loaded kernel. [`LaunchReport`]: what a launch runs.

use std::collections::BTreeSet;
use std::fmt;

use gemm_codegen::{Factors, Form, Kernel, Planes, SplitK, Walk};

use crate::error::count;

/// The resources that a compiled kernel uses on a device.
///
/// On a GPU the numbers are the driver's; on the emulator they are those that `ptxas` reports for the
/// architecture that is emulated, and the occupancy is computed from that architecture's limits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Name of the kernel's entry point.
    pub entry: String,
    /// The architecture it was compiled for, such as `sm_90`.
    pub architecture: String,
    /// How it rounds its factors: those of `precision = tf32` to tf32, others not at all.
    pub factors: Factors,
    /// The instructions that it uses whose results PTX bounds and does not determine, such as `ex2.approx`.
    pub approximations: BTreeSet<&'static str>,
    /// Threads of a block.
    pub threads: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Local memory of a thread in bytes: its stack frame, which holds the spills.
    pub local_bytes: u32,
    /// Bytes of registers that a thread spills to local memory.
    pub spill_store_bytes: u32,
    /// Bytes of spilled registers that a thread loads from local memory.
    pub spill_load_bytes: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared_bytes: u32,
    /// Blocks that an SM holds at a time.
    pub blocks_per_sm: u32,
}

impl Report {
    /// Whether the kernel spills registers: its results are right, but it is slower.
    pub fn spills(&self) -> bool {
        self.spill_store_bytes > 0 || self.spill_load_bytes > 0
    }

    /// What it says, as rows of a table.
    pub fn rows(&self) -> [(&'static str, String); 9] {
        [
            ("kernel", self.entry.clone()),
            ("architecture", self.architecture.clone()),
            ("threads", self.threads.to_string()),
            ("registers of a thread", self.registers.to_string()),
            ("spill stores", format!("{} B", self.spill_store_bytes)),
            ("spill loads", format!("{} B", self.spill_load_bytes)),
            ("local memory of a thread", format!("{} B", self.local_bytes)),
            ("shared memory of a block", format!("{} B", self.shared_bytes)),
            ("blocks per SM", self.blocks_per_sm.to_string()),
        ]
    }

    /// Logs that the kernel was loaded, and warns if it spills.
    pub(crate) fn trace(&self) {
        if self.spills() {
            tracing::warn!("too few registers: {self}");
        } else {
            tracing::debug!("loaded {self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): ", self.entry, self.architecture)?;
        if let Some(rounding) = self.factors.rounding() {
            write!(f, "{rounding}; ")?;
        }
        write!(
            f,
            "{} threads, {} registers, {} B spilled, {} B shared memory, {} per SM",
            self.threads,
            self.registers,
            self.spill_store_bytes + self.spill_load_bytes,
            self.shared_bytes,
            match self.blocks_per_sm {
                1 => "1 block".to_owned(),
                blocks => format!("{blocks} blocks"),
            },
        )
    }
}

/// By what the kernel of a launch was chosen among those of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChosenBy {
    /// The caller named it: its schedule is in the attribute, or the program passed the kernel.
    Schedule,
    /// No other kernel of the function can be launched on these arguments and device.
    OnlyCandidate,
    /// It has the best estimate of the cost model.
    Estimate,
    /// It was the fastest when measured, on a device [with a tuning](crate::Device::with_tuning).
    Measurement,
}

/// What a [`Prepared`](crate::Prepared) launch runs: its kernel, and copies before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchReport {
    /// Name of the kernel's entry point.
    pub entry: String,
    /// Who copies its k-tiles, and who multiplies them.
    pub form: Form,
    /// By what it was chosen.
    pub chosen: ChosenBy,
    /// How it rounds its factors.
    pub factors: Factors,
    /// BLK_M, BLK_N, BLK_K: the part of the problem that a block computes at a time, in elements.
    pub tile: [u32; 3],
    /// How the blocks walk over several tiles, if they do.
    pub walk: Option<Walk>,
    /// Blocks of a cluster along M, N and K; 1 each where there are no clusters.
    pub cluster: [u32; 3],
    /// How blocks share the K of a tile through a workspace, if they do.
    pub split_k: Option<SplitK>,
    /// Blocks of the grid; 0 where nothing runs, since an output has no elements.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// 32-bit registers that a thread is expected to take; 0 where that is unknown, as of a kernel
    /// written by hand. [`report`](crate::launch::report) has those of the compiled kernel.
    pub registers: u32,
    /// The operands that each launch copies first.
    pub copies: Vec<OperandCopy>,
}

/// An operand that each launch copies, since tensor copies cannot read its rows, or since the kernel
/// multiplies planes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperandCopy {
    /// Name of its parameter.
    pub operand: String,
    /// Bytes from a row of the copy to the next.
    pub pitch_bytes: usize,
    /// Bytes of device memory that the copy takes.
    pub bytes: usize,
    /// What it is told as, if that is planes.
    pub planes: Option<Planes>,
}

impl LaunchReport {
    /// That of a launch of `blocks` blocks, without copies.
    pub(crate) fn new(kernel: &Kernel, blocks: u32) -> LaunchReport {
        let Kernel { factors, launch, footprint, .. } = kernel;
        LaunchReport {
            entry: kernel.entry.to_string(),
            form: footprint.form,
            chosen: ChosenBy::Schedule,
            factors: *factors,
            tile: launch.block_tile,
            walk: footprint.walk,
            cluster: launch.cluster,
            split_k: launch.split_k,
            blocks,
            threads: launch.threads,
            registers: footprint.registers,
            copies: Vec::new(),
        }
    }
}

impl fmt::Display for LaunchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::Warps(_) => "warps",
            Form::Lanes(_) => "warps, without tensor cores",
            Form::WarpsByTensors => "warps, tensor copies",
            Form::Groups => "warpgroups, tensor copies",
        };
        let [m, n, k] = self.tile;
        write!(f, "{} ({form}): tile {m} × {n} × {k}, ", self.entry)?;
        if let Some(walk) = self.walk {
            write!(f, "{}, ", walk.name())?;
        }
        match self.cluster {
            [1, 1, 1] => {}
            [1, 1, k] => write!(f, "clusters of {k} that share the K of a tile, ")?,
            [m, n, _] => write!(f, "clusters of {m} × {n}, ")?,
        }
        write!(f, "{} of {} threads", count(self.blocks.into(), "block"), self.threads)?;
        match self.split_k {
            Some(SplitK { splits, tail: false, .. }) => write!(f, ", {splits} for each tile")?,
            Some(SplitK { splits, .. }) => {
                write!(f, ", up to {splits} for each of the last tiles")?
            }
            None => {}
        }
        if self.registers > 0 {
            write!(f, ", about {} registers per thread", self.registers)?;
        }
        f.write_str(match self.chosen {
            ChosenBy::Schedule => "",
            ChosenBy::OnlyCandidate => "; the only candidate",
            ChosenBy::Estimate => "; chosen by estimate",
            ChosenBy::Measurement => "; chosen by measurement",
        })?;
        if let Some(rounding) = self.factors.rounding() {
            write!(f, "; {rounding}")?;
        }
        self.copies.iter().try_for_each(|copy| write!(f, "; {copy}"))
    }
}

impl fmt::Display for OperandCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OperandCopy { operand, pitch_bytes, bytes, planes } = self;
        let what = match planes {
            None => "copied to",
            Some(Planes::F16x3) => "split into high and low halves, in",
            Some(Planes::Bf16x6) => "split into three bf16, in",
        };
        write!(f, "{operand} is {what} rows {pitch_bytes} B apart, {bytes} B")
    }
}
