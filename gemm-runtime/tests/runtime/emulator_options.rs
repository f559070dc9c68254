//! The options of an emulated device reach the emulator.

use crate::common::{matrices, operands, run, scaled, violation};
use gemm_runtime::emulator::trace::EventKind;
use gemm_runtime::emulator::{Class, Fault, TraceOptions, Violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Kernel, LaunchProfile, Target};

const TILE: [usize; 3] = [32, 16, 32];

#[gemm(tile = [32, 16, 32], warps = [1, 2], stages = 2)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 16, 32], warps = [1, 2], stages = 2, swizzle = [0, 3, 3], allow(bank_conflicts))]
fn conflicting(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[test]
fn an_emulator_names_its_architecture() {
    let of_target = EmulatorOptions::default().target(Target::Sm90);
    for (device, name) in [
        (Device::emulator(), "PTX of sm_80 on the CPU"),
        (Device::emulator_with(of_target), "PTX of sm_90 on the CPU"),
    ] {
        let printed = device.to_string();
        assert!(printed.starts_with("emulator ") && printed.contains(name), "{printed}");
    }
}

/// The profile of a product of ones.
fn profiled(device: &Device, Shape { m, n, k }: Shape) -> Option<std::sync::Arc<LaunchProfile>> {
    let ones = |length| vec![f16::ONE; length];
    let a = device.matrix(m, k, &ones(m * k)).expect("a");
    let b = device.matrix(n, k, &ones(n * k)).expect("b");
    let c = product(device, &a, &b).expect("it runs").to_vec().expect("c");
    assert_eq!(c, vec![k as f32; m * n]);
    device.last_profile()
}

/// `scaled` in whose loop the threads exchange sums through shared memory, with no barrier.
fn racing() -> Kernel {
    let mut kernel = scaled();
    kernel.text = kernel
        .text
        .replace("float sum = 0.0f;", "__shared__ float sums[32]; float sum = 0.0f;")
        .replace(
            "    out[row * ld_out + column] = alpha * sum",
            "    sums[threadIdx.x] = sum; sum = sums[threadIdx.x ^ 1];\n    \
                 out[row * ld_out + column] = alpha * sum",
        )
        .into();
    kernel.name = "racing".into();
    kernel
}

/// What the launch of a kernel with the parameters of `scaled` gives for a 4 × 8 output.
fn launched(device: &Device, kernel: &Kernel) -> Result<Vec<f32>, Error> {
    let (x, w, bias) = matrices(device, [4, 8, 3]);
    let operands = operands(&x, &w, &bias, 1.0);
    gemm_runtime::launch::run::<f32>(device, kernel, operands)?.to_vec()
}

#[test]
fn races_are_looked_for_unless_that_is_switched_off() {
    let violation = violation(launched(&Device::emulator(), &racing()));
    assert!(matches!(violation, Violation::Race { .. }), "{violation}");
    let device = Device::emulator_with(EmulatorOptions::default().races(false));
    launched(&device, &racing()).expect("races are not reported");
}

#[test]
fn an_access_out_of_bounds_is_found_with_all_options() {
    let mut kernel = scaled();
    kernel.text = kernel.text.replace("column] = alpha", "column + 1] = alpha").into();
    let options = EmulatorOptions::default().races(false).profile(true);
    let violation = violation(launched(&Device::emulator_with(options), &kernel));
    assert!(matches!(violation, Violation::OutOfBounds { .. }), "{violation}");
}

#[test]
fn the_instruction_limit_ends_a_launch() {
    let options = EmulatorOptions::default().profile(true);
    let device = Device::emulator_with(options.clone());
    launched(&device, &scaled()).expect("it ends");
    // One warp.
    let needed = device.last_profile().expect("it was asked for").statistics.instructions;
    let with = |limit| Device::emulator_with(options.clone().instruction_limit(limit));
    launched(&with(needed), &scaled()).expect("just enough");
    let violation = violation(launched(&with(needed - 1), &scaled()));
    assert_eq!(violation, Violation::InstructionLimit { limit: needed - 1 });
}

#[test]
fn the_memory_limit_is_a_typed_error() {
    let device = Device::emulator_with(EmulatorOptions::default().memory_limit(100));
    let kept = device.vector(&[0.0f32; 15]).expect("60 B");
    let error = device.zeros::<f32>(1, 11).expect_err("44 B more");
    assert!(matches!(error, Error::OutOfMemory { bytes: 44, limit: Some(100), .. }), "{error}");
    let message = "44 B of device memory cannot be allocated: the limit of this emulator is 100 B \
                   (`EmulatorOptions::memory_limit`)";
    assert_eq!(error.to_string(), message);
    drop(kept);
    device.zeros::<f32>(1, 25).expect("100 B");
}

#[test]
fn the_target_is_the_one_that_is_run() {
    let with = |target| Device::emulator_with(EmulatorOptions::default().target(target));
    for target in [Target::Sm80, Target::Sm86, Target::Sm90] {
        let report = product::report(&with(target)).expect("it is legal there");
        assert_eq!(report.architecture, target.name());
    }
    let shape = Shape { m: 33, n: 17, k: 40 };
    let device =
        Device::emulator_with(EmulatorOptions::default().profile(true).target(Target::Sm90));
    assert_eq!(profiled(&device, shape).expect("a profile").target, Target::Sm90);
    let error = launched(&with(Target::Sm75), &scaled()).expect_err("it is for sm_80 and newer");
    assert_eq!(
        error.to_string(),
        "scaled requires sm_80 or newer, but the device is sm_75; write `targets = [sm_75]` in its \
         `#[gemm]`, which names the keys that sm_75 lacks, if any"
    );
}

#[test]
fn a_target_without_the_shared_memory_is_refused() {
    let mut kernel = scaled();
    kernel.launch.shared_bytes = 120_000;
    let with = |target| Device::emulator_with(EmulatorOptions::default().target(target));
    let error = launched(&with(Target::Sm86), &kernel).expect_err("sm_86 has less");
    assert!(matches!(error, Error::SharedMemory { needed: 120_000, available: 101_376, .. }));
    launched(&with(Target::Sm80), &kernel).expect("sm_80 has enough");
}

#[test]
fn a_profile_has_what_the_shape_decides() {
    let device = Device::emulator_with(EmulatorOptions::default().profile(true));
    for shape in [[32, 16, 32], [64, 32, 96], [70, 40, 33], [1, 1, 1]] {
        let [m, n, k] = shape;
        let profile = profiled(&device, Shape { m, n, k }).expect("it was asked for");
        let [tiles_m, tiles_n, tiles_k] = [0, 1, 2].map(|i| shape[i].div_ceil(TILE[i]));
        assert_eq!(profile.kernel, product::KERNEL.entry);
        assert_eq!((profile.blocks as usize, profile.threads), (tiles_m * tiles_n, 64));
        assert_eq!((profile.shape, profile.target), (Shape { m, n, k }, Target::Sm80));

        // Atoms of 16 × 8 × 16.
        let atoms = TILE[0] / 16 * (TILE[1] / 8) * (TILE[2] / 16);
        let mma = (tiles_m * tiles_n * tiles_k * atoms) as u64;
        let counts = profile.statistics.profile.as_ref().expect("it was asked for");
        assert_eq!(counts.of_class(Class::Multiply).executed, mma, "{shape:?}");
        assert_eq!(profile.statistics.matrix_multiplies, mma);
        assert_eq!(counts.total().executed, profile.statistics.instructions);
        // Each element is stored once, and nothing else.
        assert_eq!(counts.of_class(Class::StoreGlobal).global.bytes, (4 * m * n) as u64);
        assert_eq!(counts.of_class(Class::LoadMatrix).shared.most_per_group, 1);
    }
}

#[test]
fn a_profile_prints_as_a_page_with_the_worst_conflicts_first() {
    let device = Device::emulator_with(EmulatorOptions::default().profile(true));
    let ones = device.matrix(33, 40, &[f16::ONE; 33 * 40]).expect("a matrix");
    conflicting(&device, &ones, &ones).expect("it runs");
    let page = device.last_profile().expect("it was asked for").to_string();
    let first = format!("{} (sm_80): 33x33x40, 6 blocks of 64 threads", conflicting::KERNEL.entry);
    assert!(page.starts_with(&first), "{page}");
    // 6 tiles of 2 k-tiles of 8 atoms.
    assert!(page.contains("| mma               |       96 |"), "{page}");
    let table = |title: &str| {
        let rows = page.split("\n\n").find(|table| table.starts_with(title)).expect(title);
        rows.lines().skip(2).map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(table("| global memory").iter().any(|row| row.starts_with("| cp.async ")), "{page}");
    let conflicts = table("| bank conflicts at").into_iter().map(|row| {
        assert!(row.starts_with("| conflicting.cu:"), "{row}");
        row.split('|').nth(2).and_then(|number| number.trim().parse().ok()).expect("a number")
    });
    let conflicts: Vec<u64> = conflicts.collect();
    assert!(!conflicts.is_empty() && conflicts.is_sorted_by(|a, b| a >= b), "{page}");
}

#[test]
fn clones_share_the_last_profile_and_a_failed_launch_has_none() {
    let device = Device::emulator_with(EmulatorOptions::default().profile(true));
    let clone = device.clone();
    let profile = profiled(&device, Shape { m: 1, n: 2, k: 3 });
    assert!(profile.is_some());
    assert_eq!(clone.last_profile(), profile);
    launched(&clone, &racing()).expect_err("a race");
    assert_eq!(device.last_profile(), None);
}

#[test]
fn clones_share_the_last_trace_and_a_failed_launch_has_none() {
    let options = TraceOptions { copy_steps: 50, ..TraceOptions::default() };
    let device = Device::emulator_with(EmulatorOptions::default().trace(options));
    assert_eq!(profiled(&device, Shape { m: 32, n: 16, k: 96 }), None);
    let trace = device.clone().last_trace().expect("a trace");
    let copied = trace.events.iter().map(|event| match event.kind {
        EventKind::CopyRequested { bytes, .. } => u64::from(bytes),
        _ => 0,
    });
    // Three k-tiles of A and B, and one of zeros past the end of K.
    assert_eq!(copied.sum::<u64>(), 4 * 32 * (32 + 16) * 2);
    launched(&device, &racing()).expect_err("a race");
    assert_eq!(device.last_trace(), None);
}

#[test]
fn nothing_is_counted_unless_asked_for() {
    let device = Device::emulator();
    assert_eq!(device.last_trace(), None);
    assert_eq!(profiled(&device, Shape { m: 4, n: 4, k: 4 }), None);
    let x = device.zeros::<f32>(2, 2).expect("x");
    let bias = device.vector(&[0.0f32; 2]).expect("bias");
    run(&device, &x, &x, &bias, 1.0).expect("it runs");
    assert_eq!(device.last_profile(), None);
}

#[test]
fn faults_have_types_that_a_program_can_name() {
    let error = launched(&Device::emulator(), &racing()).expect_err("a race");
    let Error::Fault { source, .. } = error else { panic!("{error}") };
    let fault: Fault = *source;
    let line = fault.place().and_then(|place| place.source.as_ref()).expect("a line");
    assert!(line.to_string().contains("racing.cu:"), "{line}");
}
