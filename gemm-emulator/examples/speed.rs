//! Measures the emulator on an f16 GEMM, with all checks, without looking for races, and with a profile:
//! `cargo run --release -p gemm-emulator --example speed -- [EXTENT]`.

use std::time::Instant;

use gemm_emulator::{Launch, Memory, MemoryError, Module, Operand};
use half::f16;

const PTX: &str = include_str!("../tests/fixtures/gemm_f16.sm_80.ptx");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let extent: usize = std::env::args().nth(1).map_or(Ok(1024), |text| text.parse())?;
    let start = Instant::now();
    let module = Module::parse(PTX)?;
    println!("parsed in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);

    let Gemm { memory, operands, arguments } = Gemm::new(extent)?;
    let blocks = extent.div_ceil(128).pow(2) as u32;
    let launch = Launch {
        shared_bytes: 3 * 256 * 32 * 2,
        arguments: &arguments,
        operands: Some(&operands),
        ..Launch::new("gemm", [blocks, 1, 1], [256, 1, 1])
    };
    println!("{extent} x {extent} x {extent} on {} threads", rayon::current_num_threads());
    let runs = [
        ("all checks", launch),
        ("no races", Launch { find_races: false, ..launch }),
        ("all checks, profile", Launch { profile: true, ..launch }),
    ];
    for (name, launch) in runs {
        let start = Instant::now();
        let statistics = module.launch(&memory, &launch)?;
        let seconds = start.elapsed().as_secs_f64();
        let rate = statistics.instructions as f64 / seconds / 1e6;
        println!("{name:<20} {seconds:6.2} s {rate:6.1} million warp instructions/s");
    }
    Ok(())
}

/// The matrices of a product whose three extents are equal.
struct Gemm {
    memory: Memory,
    operands: [Operand; 3],
    arguments: [Vec<u8>; 10],
}

impl Gemm {
    fn new(extent: usize) -> Result<Gemm, MemoryError> {
        let memory = Memory::new();
        // Each row is followed by a gap, as in a submatrix: the kernel must not access the gap.
        let pitch = extent + 8;
        let elements = (0..extent * pitch).map(|at| f16::from_f32((at % 17) as f32 / 8.0 - 1.0));
        let bytes: Vec<u8> = elements.flat_map(|x| x.to_le_bytes()).collect();
        let a = memory.allocate(bytes.len() as u64)?;
        memory.write(a, &bytes)?;
        let out = memory.allocate((extent * pitch) as u64 * 4)?;
        let operand = |name: &str, address, element_bytes, writable| Operand {
            name: name.to_owned(),
            address,
            rows: extent as u64,
            row_bytes: extent as u64 * element_bytes,
            pitch_bytes: pitch as u64 * element_bytes,
            writable,
            early: false,
        };
        let operands =
            [operand("a", a, 2, false), operand("b", a, 2, false), operand("out", out, 4, true)];
        let long = |value: u64| value.to_le_bytes().to_vec();
        let [m, n, k] = [(); 3].map(|()| (extent as u32).to_le_bytes().to_vec());
        let [of_a, of_b, of_out] = [(); 3].map(|()| long(pitch as u64));
        let alpha = 1f32.to_le_bytes().to_vec();
        let arguments = [m, n, k, long(a), of_a, long(a), of_b, alpha, long(out), of_out];
        Ok(Gemm { memory, operands, arguments })
    }
}
