//! The ownership maps of the MMA atoms against the emulator. `gpu_suite` compares them with a GPU.

use gemm_codegen::Target;
use gemm_runtime::{Device, EmulatorOptions};
use gemm_tests::ownership;

use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    tests![the_maps_say_what_the_emulator_does, the_sums_of_a_warpgroup_lie_where_the_plan_says]
}

fn the_maps_say_what_the_emulator_does() {
    // Every form of mma.sync that is tried is on sm_90.
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let done = ownership::check(&device).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    assert!(done.iter().any(|what| what.contains("m16n8k16.row.col.f32.f16.f16.f32")), "{done:?}");
    for kernel in ["atoms_of_8_transposed", "lanes_mixed"] {
        assert!(done.iter().any(|what| what.contains(kernel)), "{done:?}");
    }
}

fn the_sums_of_a_warpgroup_lie_where_the_plan_says() {
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90a));
    let columns = ownership::sums::check(&device, 6).unwrap_or_else(|error| panic!("{error}"));
    assert!(columns.iter().any(|count| *count != columns[0]), "{columns:?}");
}
