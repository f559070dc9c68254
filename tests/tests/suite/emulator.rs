//! Runs every golden on the emulator, which refuses any access that a GPU might let pass, and
//! checks every element of the output.

use gemm_codegen::Target;
use gemm_runtime::Device;
use gemm_tests::cases::{cases, far_case, has_every_alignment, slow, tries_every_kernel};
use gemm_tests::{FAR_MEMORY, Golden, goldens};
use libtest_mimic::Failed;

use crate::Test;

/// Of each way by which warps multiply and store, one without `pdl`. On sm_90 such a kernel waits for its predecessor itself
/// before it accesses anything, which the emulator checks; kernels with tensor copies and with `pdl` run there anyway.
const WAITING: [&str; 16] = [
    "along_k_fma",
    "axpby",
    "batched_norms",
    "converted_pairs",
    "device_scalars",
    "doubles",
    "f16x3_products",
    "fma_norms",
    "fma_terms",
    "in_turn",
    "lora",
    "nested",
    "packed_scaled",
    "scaled_blocks",
    "split_axpby",
    "through_registers",
];

pub(crate) fn tests() -> Vec<Test> {
    let each = goldens::ALL.iter().map(|golden| Test::new(golden.name, || run(golden)));
    each.chain(WAITING.map(|name| Test::new(format!("{name}_waits"), move || waits(name))))
        .collect()
}

fn waits(name: &str) -> Result<(), Failed> {
    let golden = goldens::ALL.iter().find(|golden| golden.name == name);
    let golden = golden.ok_or_else(|| format!("no golden is called {name}"))?;
    let device = Device::emulator_with(slow().target(Target::Sm90));
    let case = cases(golden).into_iter().next().ok_or("it has no case")?;
    let checked = (golden.check)(&mut case.problem(&device));
    checked.map(drop).map_err(|failure| format!("{case}: {failure}").into())
}

fn run(golden: &'static Golden) -> Result<(), Failed> {
    let device = Device::emulator_with(slow());
    for case in cases(golden) {
        (golden.check)(&mut case.problem(&device))
            .map_err(|failure| format!("{case}: {failure}"))?;
    }
    if !has_every_alignment(golden) && !tries_every_kernel() {
        return Ok(());
    }
    let device = Device::emulator_with(slow().memory_limit(FAR_MEMORY));
    let far = far_case(golden);
    (golden.check)(&mut far.problem(&device).with_far_rows())
        .map_err(|failure| format!("far rows, {far}: {failure}"))?;
    Ok(())
}
