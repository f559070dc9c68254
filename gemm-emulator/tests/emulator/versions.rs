//! PTX of generated kernels as several versions of NVRTC write it, kept in `tests/fixtures/nvrtc-VERSION`.
//!
//! The emulator must take all of them, whichever NVRTC is installed. The example `fixtures` writes those of one version.

use std::fs;

use gemm_emulator::{Launch, Memory, Module};
use half::{bf16, f16};

use crate::device::{Random, Value, download};
use crate::fixtures::{KERNELS, Kernel, VERSIONS, folder};

/// A matrix of small integers over 4, exact in every format here; products of them sum exactly in f32.
fn matrix(memory: &Memory, kernel: &Kernel, random: &mut Random, shape: [usize; 2]) -> Matrix {
    let [rows, columns] = shape;
    let stride = columns.next_multiple_of(kernel.align);
    let values: Vec<f32> =
        (0..rows * columns).map(|_| (random.next() % 17) as f32 / 4.0 - 2.0).collect();
    let address = memory.allocate((rows * stride * 2) as u64).expect("allocates");
    for (row, values) in values.chunks(columns).enumerate() {
        let bits = |x: f32| match kernel.bfloat {
            true => bf16::from_f32(x).to_bits(),
            false => f16::from_f32(x).to_bits(),
        };
        let bytes: Vec<u8> = values.iter().flat_map(|x| bits(*x).bytes()).collect();
        memory.write(address + (row * stride * 2) as u64, &bytes).expect("writes");
    }
    Matrix { address, stride, values }
}

struct Matrix {
    address: u64,
    stride: usize,
    values: Vec<f32>,
}

/// Runs a kernel and compares every element of its output.
fn check(kernel: &Kernel, module: &Module, what: &str, [m, n, k]: [usize; 3]) {
    let (memory, mut random) = (Memory::new(), Random(31));
    let a = matrix(&memory, kernel, &mut random, [m, k]);
    let b = matrix(&memory, kernel, &mut random, [k, n]);
    let bytes = if kernel.bfloat { 4 } else { 2 };
    let stride = n.next_multiple_of(kernel.align);
    let out = memory.allocate((m * stride * bytes) as u64).expect("allocates");
    let arguments = [
        (m as i32).bytes(),
        (n as i32).bytes(),
        (k as i32).bytes(),
        a.address.bytes(),
        (a.stride as i64).bytes(),
        b.address.bytes(),
        (b.stride as i64).bytes(),
        out.bytes(),
        (stride as i64).bytes(),
    ];
    let blocks = m.div_ceil(kernel.tile[0]) * n.div_ceil(kernel.tile[1]);
    let entry = module.entries().next().expect("a kernel");
    let launch = Launch {
        shared_bytes: kernel.shared_bytes,
        arguments: &arguments,
        ..Launch::new(entry, [blocks as u32, 1, 1], [kernel.threads, 1, 1])
    };
    module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    for row in 0..m {
        let at = out + (row * stride * bytes) as u64;
        for (column, got) in row_of_output(kernel, &memory, at, n).into_iter().enumerate() {
            let products = (0..k).map(|at| a.values[row * k + at] * b.values[at * n + column]);
            let sum: f32 = products.sum();
            let want = if kernel.bfloat { sum } else { f16::from_f32(sum).to_f32() };
            assert_eq!(got, want, "{what}: row {row}, column {column} of {m} x {n} x {k}");
        }
    }
}

fn row_of_output(kernel: &Kernel, memory: &Memory, at: u64, columns: usize) -> Vec<f32> {
    if kernel.bfloat {
        return download(memory, at, columns);
    }
    let bits: Vec<u16> = download(memory, at, columns);
    bits.into_iter().map(|bits| f16::from_bits(bits).to_f32()).collect()
}

#[test]
fn the_texts_of_every_version_compute_the_product() {
    for version in VERSIONS {
        for kernel in &KERNELS {
            let path = folder(version).join(kernel.file);
            let text = fs::read_to_string(&path).expect("the text is there");
            let what = format!("{} of NVRTC {version} {:?}", kernel.file, kernel.alignments);
            let target = kernel.targets[usize::from(version != VERSIONS[0])];
            assert!(text.contains(&format!(".target {target}\n")), "{what}: not for {target}");
            let module = Module::parse(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
            let entry = module.entries().next().expect("a kernel");
            assert!(entry.starts_with(kernel.golden), "{what}: {entry}");
            for shape in [[64, 32, 64], [33, 47, 37], [130, 70, 31], [1, 1, 1]] {
                check(kernel, &module, &what, shape);
            }
        }
    }
}
