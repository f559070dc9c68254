//! The kernels of the roofs do the work that is reported, stay within their buffers, wait for what
//! they read, meet no bank conflict and spill nothing.

use gemm_emulator::{Launch, Memory, Module, Statistics};
use gemm_runtime::compile::{Format, compile};

use super::kernel::{Amount, ENTRY, Kernel, Size};
use super::{NEVER, Unit, list};
use crate::report::Work;

const ARCHITECTURE: &str = "sm_90";

/// SMs whose blocks are run.
const SMS: u32 = 2;

#[test]
fn no_roof_spills_a_register() {
    for kernel in list::all() {
        let text = kernel.text();
        let compiled = compile(&kernel.program(&text, ARCHITECTURE, Format::Cubin)).unwrap();
        let resources = compiled.resources(ENTRY).unwrap();
        let spilled = resources.spill_store_bytes + resources.spill_load_bytes;
        assert_eq!(spilled, 0, "{} by {}: {resources:?}", kernel.unit.name(), kernel.how);
    }
}

#[test]
fn every_roof_does_its_work_without_a_fault() {
    for kernel in list::all() {
        let amount = match kernel.amount {
            Amount::Steps { of_block, .. } => Amount::Steps { steps: 6, of_block },
            pieces => pieces,
        };
        // The few blocks of a test reach no further.
        let kernel = Kernel { size: Size::Small, amount, ..kernel };
        let name = format!("{} by {}", kernel.unit.name(), kernel.how);
        let statistics = run(&kernel, &name);
        let (Work::Operations(work) | Work::Bytes(work)) = kernel.work(SMS);
        let counted = counted(kernel.unit, &statistics);
        // A chain of FMA has one more, before its loop.
        assert!((counted / work - 1.0).abs() < 1e-3, "{name}: {counted:e} instead of {work:e}");
        let shared = statistics.profile.unwrap().total().shared;
        assert_eq!(shared.conflicts(), 0, "{name}: {shared:?}");
    }
}

/// Runs a kernel on the emulator.
fn run(kernel: &Kernel, name: &str) -> Statistics {
    let text = kernel.text();
    let compiled = compile(&kernel.program(&text, ARCHITECTURE, Format::Ptx)).unwrap();
    let module = Module::parse(compiled.ptx().unwrap()).unwrap();
    let memory = Memory::new();
    let source = kernel.source();
    let from = memory.allocate(source.len() as u64).unwrap();
    let to = memory.allocate(kernel.size.target_bytes() as u64).unwrap();
    memory.write(from, &source).unwrap();
    let arguments = [from, to, kernel.steps(), NEVER].map(|word| word.to_le_bytes().to_vec());
    let grid = kernel.grid(SMS);
    let launch = Launch {
        arguments: &arguments,
        shared_bytes: grid.shared_bytes,
        profile: true,
        ..Launch::new(ENTRY, [grid.blocks, 1, 1], [grid.threads, 1, 1])
    };
    module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// The emulator's count of the work of a roof.
fn counted(unit: Unit, statistics: &Statistics) -> f64 {
    let count = match unit {
        Unit::Ldmatrix => statistics.shared_bytes_loaded,
        Unit::DramRead | Unit::DramCopy | Unit::L2 => {
            statistics.global_bytes_loaded + statistics.global_bytes_stored
        }
        _ => operations(statistics),
    };
    count as f64
}

/// Multiplications and additions, by the names of the instructions.
fn operations(statistics: &Statistics) -> u64 {
    let instructions = &statistics.profile.as_ref().unwrap().instructions;
    let of = |opcode: &str| {
        let shape = opcode.split('.').find_map(|part| part.strip_prefix("m16n8k"));
        match shape {
            // Of the 32 lanes of a warp together.
            Some(k) => 16 * 8 * k.parse::<u64>().unwrap() / 32,
            None => u64::from(opcode == "fma.rn.f32"),
        }
    };
    instructions.iter().map(|one| 2 * of(&one.opcode) * one.count.threads).sum()
}
