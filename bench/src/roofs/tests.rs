//! The kernels of the roofs stay within their buffers, wait for what they read, and spill nothing.

use gemm_emulator::{Launch, Memory, Module};
use gemm_runtime::compile::{Form, compile};

use super::kernel::{Amount, ENTRY, Kernel, Size};
use super::{NEVER, list};

const ARCHITECTURE: &str = "sm_90";

#[test]
fn no_roof_spills_a_register() {
    for kernel in list::all() {
        let text = kernel.text();
        let compiled = compile(&kernel.program(&text, ARCHITECTURE, Form::Cubin)).unwrap();
        let resources = compiled.resources(ENTRY).unwrap();
        let spilled = resources.spill_store_bytes + resources.spill_load_bytes;
        assert_eq!(spilled, 0, "{} by {}: {resources:?}", kernel.unit.name(), kernel.how);
    }
}

#[test]
fn every_roof_runs_without_a_fault() {
    for kernel in list::all() {
        // The few blocks of a test reach no further.
        let kernel = Kernel { size: Size::Small, ..kernel };
        let text = kernel.text();
        let compiled = compile(&kernel.program(&text, ARCHITECTURE, Form::Ptx)).unwrap();
        let module = Module::parse(compiled.ptx().unwrap()).unwrap();
        let memory = Memory::new();
        let source = kernel.source();
        let from = memory.allocate(source.len() as u64).unwrap();
        let to = memory.allocate(kernel.size.target_bytes() as u64).unwrap();
        memory.write(from, &source).unwrap();
        let steps = match kernel.amount {
            Amount::Steps { .. } => 6,
            Amount::Pieces { .. } => kernel.steps(),
        };
        let arguments = [from, to, steps, NEVER].map(|word: u64| word.to_le_bytes().to_vec());
        let grid = kernel.grid(2);
        let launch = Launch {
            arguments: &arguments,
            shared_bytes: grid.shared_bytes,
            ..Launch::new(ENTRY, [grid.blocks, 1, 1], [grid.threads, 1, 1])
        };
        if let Err(fault) = module.launch(&memory, &launch) {
            panic!("{} by {}: {fault}", kernel.unit.name(), kernel.how);
        }
    }
}
