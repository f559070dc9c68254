//! Functions with several `#[gemm]`: a launch chooses by the GPU and the shape.

use gemm_runtime::launch::{Choice, choose};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, ByThreads, EmulatorOptions, Form, MatrixRef, Target, launch};

use crate::common::hopper;

/// By warps on every GPU, by warpgroups on Hopper, with a narrow tile for few columns.
#[gemm(tile = [128, 128, 32])]
#[gemm(tile = [128, 128, 64], mma = wgmma, targets = [sm_90a])]
#[gemm(tile = [64, 16, 64], warps = [2, 1])]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The first one cannot run on what is older.
#[gemm(T = [f16, bf16], mma = wgmma, tile = [64, 64, 64], targets = [sm_90a])]
#[gemm(tile = [64, 64, 32])]
fn newest_first<T>(a: Mat<T, M, K>, b: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(a, b)
}

/// Hopper's alone.
#[gemm(mma = wgmma, tile = [64, 64, 64], targets = [sm_90a])]
#[gemm(mma = wgmma, tile = [64, 128, 64], targets = [sm_90a])]
fn of_hopper(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The tile and the form of the kernel that is chosen.
fn chosen(device: &Device, [m, n, k]: [usize; 3]) -> ([u32; 3], Form) {
    let buffer = device.vector(&vec![f16::ZERO; m.max(n) * k]).expect("it fits");
    let factor = |rows| MatrixRef::new(&buffer, rows, k).expect("it fits");
    let (a, b) = (factor(m), factor(n));
    let chosen = choose(device, &product::KERNELS, &[a.argument(), b.argument()]);
    (chosen.launch.block_tile, chosen.footprint.form)
}

#[test]
fn each_gpu_and_each_shape_has_its_schedule() {
    let ids: Vec<&str> = product::KERNELS.choices().map(Choice::id).collect();
    assert_eq!(ids, ["schedule_1", "schedule_2", "schedule_3"]);
    let ampere = Device::emulator_with(EmulatorOptions::default().target(Target::Sm80));
    let (square, narrow) = ([2048; 3], [2048, 9, 2048]);
    assert_eq!(chosen(&ampere, square), ([128, 128, 32], Form::Warps(ByThreads::CpAsync)));
    assert_eq!(chosen(&hopper(), square), ([128, 128, 64], Form::Groups));
    for device in [ampere, hopper()] {
        assert_eq!(chosen(&device, narrow), ([64, 16, 64], Form::Warps(ByThreads::CpAsync)));
    }
}

#[test]
fn each_schedule_computes_the_same() {
    let device = hopper();
    let [m, n, k] = [130, 70, 40];
    let ones = |rows: usize| device.matrix(rows, k, &vec![f16::ONE; rows * k]).expect("it fits");
    let (a, b) = (ones(m), ones(n));
    for choice in product::KERNELS.choices() {
        let c = launch::run::<f32>(&device, choice.kernel(), [a.argument(), b.argument()]);
        let c = c.expect("it runs").to_vec().expect("it was written");
        assert!(c.iter().all(|sum| *sum == k as f32), "{}", choice.id());
    }
    let c = product(&device, &a, &b).expect("it runs").to_vec().expect("it was written");
    assert!(c.len() == m * n && c.iter().all(|sum| *sum == k as f32));
}

#[test]
fn a_report_is_of_the_first_kernel_that_the_device_can_run() {
    let ampere = Device::emulator_with(EmulatorOptions::default().target(Target::Sm80));
    for (device, architecture) in [(ampere, "sm_80"), (hopper(), "sm_90a")] {
        let report = newest_first::report::<bf16>(&device).expect("it compiles");
        assert_eq!(report.architecture, architecture, "{report}");
        let ones = device.matrix(8, 8, &[bf16::ONE; 64]).expect("it fits");
        let c =
            newest_first(&device, &ones, &ones).expect("it runs").to_vec().expect("it is there");
        assert_eq!(c, [bf16::from_f32(8.0); 64]);
    }
}

#[test]
fn a_device_that_can_run_none_says_what_the_first_one_needs() {
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm80));
    let ones = device.matrix(8, 8, &[f16::ONE; 64]).expect("it fits");
    let refused = of_hopper(&device, &ones, &ones).expect_err("it has no warpgroups");
    assert!(matches!(refused, Error::UnsupportedArchitecture { .. }), "{refused}");
}
