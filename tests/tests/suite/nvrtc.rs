//! What each NVRTC compiles: `cargo xtask test` runs these tests with several versions, one after the other,
//! as a process opens one.

use gemm_codegen::hardware::H200;
use gemm_codegen::{Plan, Schedule, emit};
use gemm_runtime::compile::{Format, Program, Version, cached, nvrtc_version};
use gemm_runtime::launch::{self, Kernels};
use gemm_runtime::{
    AsMatrix as _, Device, Element, EmulatorOptions, Error, Kernel, PtxFeature, Target, e4m3, e5m2,
    f16,
};
use gemm_tests::cases::tries_every_kernel;
use gemm_tests::{Golden, goldens};
use rayon::prelude::*;

use crate::Test;
use crate::shared::{orders, product, tensor_precision};

pub(crate) fn tests() -> Vec<Test> {
    tests![
        bare_launches_choose_what_compiles,
        kernels_compile_from_their_first_nvrtc_on,
        an_nvrtc_that_is_too_old_is_a_typed_error,
    ]
}

/// A golden of each form, which the gate compiles with each NVRTC.
pub(crate) const SAMPLE: [&str; 17] = [
    "along_k_gelu",
    "doubles",
    "dequantized",
    "evict_first",
    "float8",
    "float8_values",
    "fma_nn",
    "linear_gelu",
    "pdl_weights",
    "split_gelu",
    "tensor",
    "wgmma",
    "wgmma_bytes",
    "wgmma_cluster",
    "wgmma_float8",
    "wgmma_pingpong_residual",
    "wgmma_split",
];

/// The goldens that are compiled: those of [`SAMPLE`], or all.
fn compiled() -> Vec<&'static Golden> {
    let is_compiled = |golden: &&Golden| tries_every_kernel() || SAMPLE.contains(&golden.name);
    goldens::ALL.iter().filter(is_compiled).collect()
}

/// The targets that every NVRTC of CUDA 12 knows.
fn targets(kernel: &Kernel) -> Vec<Target> {
    let all = kernel.launch.targets.iter().copied();
    all.filter(|target| target.capability() <= (9, 0)).collect()
}

/// The oldest NVRTC that compiles a kernel, of those that are supported.
fn first(kernel: &Kernel) -> Version {
    let (major, minor) = kernel.launch.newest_feature.map_or((12, 0), PtxFeature::nvrtc);
    Version { major, minor }
}

/// The kernel that a launch of a product without a schedule chooses.
fn chosen<A: Element, B: Element>(device: &Device, [m, n, k]: [usize; 3]) -> Kernel {
    let pair = [A::ELEMENT, B::ELEMENT];
    let schedule = Schedule { precision: tensor_precision(pair[0]), ..Schedule::default() };
    let spec = product(pair, orders(0), schedule);
    let first = emit(&Plan::new(&spec).expect("the derived schedule is legal"));
    let kernels = Kernels::of_spec(&first, &spec);
    let a = device.zeros::<A>(m, k).expect("it fits");
    let b = device.zeros::<B>(n, k).expect("it fits");
    launch::choose(device, &kernels, &[a.argument(), b.argument()]).clone()
}

fn bare_launches_choose_what_compiles() {
    let nvrtc = nvrtc_version().expect("NVRTC");
    let options = EmulatorOptions::default().target(Target::Sm90).machine(H200);
    let device = Device::emulator_with(options);
    // Clusters, and blocks that share K, are the fastest for some of these.
    let mut shapes = vec![[1760, 7000, 1760], [128, 4096, 4096], [512, 512, 8192]];
    if tries_every_kernel() {
        shapes.extend([
            [1024; 3],
            [4096; 3],
            [64, 8192, 8192],
            [256, 256, 16384],
            [2048, 512, 4096],
        ]);
    }
    for shape in shapes {
        for kernel in [
            chosen::<f16, f16>(&device, shape),
            chosen::<f32, f32>(&device, shape),
            chosen::<i8, i8>(&device, shape),
            chosen::<i8, u8>(&device, shape),
            chosen::<e4m3, e5m2>(&device, shape),
        ] {
            match launch::report(&device, &kernel) {
                Ok(_) => {}
                Err(error) => panic!("NVRTC {nvrtc}, {shape:?}, {}: {error}", kernel.entry),
            }
        }
    }
}

/// Whether this NVRTC compiles a kernel for a target.
fn compiles(kernel: &Kernel, target: Target) -> bool {
    let program = Program {
        name: "measured.cu",
        text: &kernel.text,
        architecture: target.name(),
        options: Vec::new(),
        format: Format::Cubin,
    };
    match cached(&program) {
        Ok(_) => true,
        Err(Error::Compile(_)) => false,
        Err(error) => panic!("{} on {target}: {error}", kernel.entry),
    }
}

fn kernels_compile_from_their_first_nvrtc_on() {
    let nvrtc = nvrtc_version().expect("NVRTC");
    compiled().par_iter().for_each(|golden| {
        let mut targets = targets(golden.kernel);
        if !tries_every_kernel() && targets.len() > 2 {
            targets.drain(1..targets.len() - 1);
        }
        let refused: Vec<Target> =
            targets.into_iter().filter(|target| !compiles(golden.kernel, *target)).collect();
        let (name, first) = (golden.name, first(golden.kernel));
        assert_eq!(
            refused.is_empty(),
            nvrtc >= first,
            "{name} should compile from NVRTC {first} on, but {nvrtc} refuses it on {refused:?}"
        );
    });
}

fn an_nvrtc_that_is_too_old_is_a_typed_error() {
    let found = nvrtc_version().expect("NVRTC");
    for golden in goldens::ALL.iter().filter(|golden| SAMPLE.contains(&golden.name)) {
        let Some(expected) = golden.kernel.launch.newest_feature else { continue };
        let target = targets(golden.kernel)[0];
        let device = Device::emulator_with(EmulatorOptions::default().target(target));
        match launch::report(&device, golden.kernel) {
            Ok(_) => assert!(found >= first(golden.kernel), "{}", golden.name),
            Err(Error::NvrtcTooOld { kernel, feature, needed, nvrtc, .. }) => {
                assert_eq!((&*kernel, feature), (golden.name, expected));
                assert_eq!((needed, nvrtc), (first(golden.kernel), found));
                assert!(found < needed, "{}", golden.name);
            }
            Err(error) => panic!("{}: {error}", golden.name),
        }
    }
}
