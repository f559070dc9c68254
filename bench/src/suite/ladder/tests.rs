//! Each cut is found in each kernel, and what is left of a kernel spends nothing on the stage and what
//! the whole one spends on the others.

use clap::ValueEnum as _;
use gemm_runtime::compile::{Format, Program, compile};
use gemm_runtime::launch::into;
use gemm_runtime::{
    AsMatrix as _, AsMatrixMut as _, AsVector as _, Device, Element, EmulatorOptions, Kernel,
    Target, bf16, f16,
};

use super::Case;
use super::stages::{Copies, cuts};
use crate::arena::Selection;

/// All schedules of a case.
fn kernels(case: Case) -> Vec<&'static Kernel> {
    let sources = case.kernels().into_iter().flat_map(|(_, kernel)| match kernel {
        Selection::One(kernel) | Selection::OneOfSplit(kernel) => vec![kernel],
        Selection::Chosen(kernels)
        | Selection::Tuned(kernels)
        | Selection::ChosenOfSplit(kernels)
        | Selection::TunedOfSplit(kernels) => kernels.iter().collect(),
    });
    sources.collect()
}

/// The schedule of a case that copies this way and is run by the fewest blocks.
fn by(case: Case, copies: Copies) -> &'static Kernel {
    let is_cut = |kernel: &&Kernel| Copies::of(kernel) == copies && !cuts(kernel).is_empty();
    let kernels = kernels(case).into_iter().filter(is_cut);
    kernels.min_by_key(|kernel| splits(kernel)).expect("there is one")
}

fn splits(kernel: &Kernel) -> usize {
    kernel.launch.split_k.map_or(1, |split_k| split_k.splits as usize)
}

#[test]
fn every_cut_is_found_in_every_kernel() {
    for case in Case::value_variants() {
        for kernel in kernels(*case) {
            for cut in cuts(kernel) {
                let left = cut.of(kernel).unwrap_or_else(|error| panic!("{case:?}: {error:#}"));
                assert_ne!(left.text, kernel.text);
            }
        }
    }
}

#[test]
fn what_is_left_spills_no_register() {
    for kernel in [by(Case::Epilogue, Copies::Tensor), by(Case::Tf32, Copies::CpAsync)] {
        for cut in cuts(kernel) {
            let left = cut.of(kernel).unwrap();
            let program = Program {
                name: "left.cu",
                text: &left.text,
                architecture: "sm_90",
                options: Vec::new(),
                format: Format::Cubin,
            };
            let resources = compile(&program).unwrap().resources(&left.entry).unwrap();
            let spilled = resources.spill_store_bytes + resources.spill_load_bytes;
            assert_eq!(spilled, 0, "{} of {}: {resources:?}", cut.name, kernel.entry);
        }
    }
}

/// The work of a launch.
#[derive(Debug)]
struct Spent {
    /// Of matrices or, where they are fused with sums, of numbers.
    products: u64,
    /// From global memory.
    bytes_read: u64,
    bytes_written: u64,
    /// From shared memory.
    bytes_loaded: u64,
}

/// Runs a kernel on the emulator, which ends where anything waits for ever, where two threads race and
/// where an address is wrong.
fn run<T: Element, U: Element>(kernel: &Kernel, tiles_k: usize, is_fused: bool) -> Spent {
    let device =
        Device::emulator_with(EmulatorOptions::default().profile(true).target(Target::Sm90));
    let [m, n, block_k] = kernel.launch.block_tile.map(|extent| extent as usize);
    let k = tiles_k * block_k;
    let factor = |rows| {
        let numbers = (0..rows * k).map(|i| T::from_f64((i % 7) as f64 - 3.0));
        device.matrix(rows, k, &numbers.collect::<Vec<_>>()).unwrap()
    };
    let (a, b) = (factor(m), factor(n));
    let (bias, residual) = (vec![U::from_f64(1.0); n], device.zeros::<U>(m, n).unwrap());
    let bias = device.vector(&bias).unwrap();
    let mut out = device.zeros::<U>(m, n).unwrap();
    let mut arguments = vec![a.argument(), b.argument()];
    if kernel.parameters.len() > 3 {
        arguments.extend([bias.argument(), residual.argument()]);
    }
    arguments.push(out.view_mut().argument());
    into(&device, kernel, arguments).unwrap_or_else(|fault| panic!("{fault}"));
    let profile = device.last_profile().unwrap();
    let statistics = &profile.statistics;
    let fused = || {
        let instructions = &statistics.profile.as_ref().unwrap().instructions;
        let of = instructions.iter().filter(|one| one.opcode == "fma.rn.f32");
        of.map(|one| one.count.threads).sum()
    };
    Spent {
        products: if is_fused { fused() } else { statistics.matrix_multiplies },
        bytes_read: statistics.global_bytes_loaded,
        bytes_written: statistics.global_bytes_stored,
        bytes_loaded: statistics.shared_bytes_loaded,
    }
}

/// Runs what each cut leaves of a kernel.
fn climb<T: Element, U: Element>(case: Case, kernel: &Kernel) {
    // More tiles along K than any ring has stages.
    let tiles = 8 * splits(kernel);
    let is_fused = case == Case::F32;
    // Past the last tile none is read, and with its columns replaced by the first ones one can be.
    let [m, n, k] = kernel.launch.block_tile.map(u64::from);
    let tile_bytes = (m + n) * k * size_of::<T>() as u64;
    let whole = run::<T, U>(kernel, tiles, is_fused);
    for cut in cuts(kernel) {
        let left = run::<T, U>(&cut.of(kernel).unwrap(), tiles, is_fused);
        check(cut.name, &left, &whole, tile_bytes);
    }
}

/// A cut kernel does less of the work that was cut, and as much of the rest.
fn check(cut: &str, left: &Spent, whole: &Spent, tile_bytes: u64) {
    let name = format!("{cut}: {left:?} of {whole:?}");
    let less = |what: fn(&Spent) -> u64| assert!(what(left) < what(whole), "{name}");
    let same = |what: fn(&Spent) -> u64| assert_eq!(what(left), what(whole), "{name}");
    let [products, read, written, loaded]: [fn(&Spent) -> u64; 4] = [
        |spent| spent.products,
        |spent| spent.bytes_read,
        |spent| spent.bytes_written,
        |spent| spent.bytes_loaded,
    ];
    match cut {
        "no epilogue" => (same(products), less(written)),
        "no body" => (same(products), less(read)),
        "no meeting" => (same(products), less(written)),
        "no products" => (assert_eq!(left.products, 0, "{name}"), same(loaded)),
        "no copies" => (same(loaded), less(read)),
        "copies of the first columns" => {
            let more = left.bytes_read - whole.bytes_read;
            (same(products), assert!(more <= tile_bytes, "{name}"))
        }
        "products alone" => (less(read), less(loaded)),
        "copies alone" => (same(read), less(loaded)),
        "empty" => (assert_eq!(left.bytes_read + left.products, 0, "{name}"), less(written)),
        other => panic!("{other} is not judged"),
    };
    match cut {
        "no products" => same(read),
        "no copies" | "products alone" => same(products),
        "copies alone" => assert_eq!(left.products, 0, "{name}"),
        _ => {}
    }
}

#[test]
fn tensor_copies() {
    climb::<f16, f16>(Case::Epilogue, by(Case::Epilogue, Copies::Tensor));
}

#[test]
fn asynchronous_copies_whose_sums_meet() {
    let meet =
        |kernel: &&Kernel| Copies::of(kernel) == Copies::CpAsync && kernel.launch.split_k.is_some();
    let kernels = kernels(Case::Layer).into_iter().filter(meet);
    climb::<bf16, bf16>(Case::Layer, kernels.min_by_key(|kernel| splits(kernel)).unwrap());
}

#[test]
fn fused_multiply_adds() {
    climb::<f32, f32>(Case::F32, by(Case::F32, Copies::CpAsync));
}
