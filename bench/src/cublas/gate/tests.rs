//! The pass on the emulator: its values, its bytes, and that it writes its output alone.

use gemm_emulator::{Launch, Memory, Module, Statistics};
use gemm_runtime::compile::{Format, compile};
use half::bf16;

use super::{text, vectors, vectors_of_thread};
use crate::operands::{close, poison, random};
use crate::task::Compute;

const ARCHITECTURE: &str = "sm_90";

/// 111 vectors: a part of a block.
const ROWS: usize = 37;
const COLUMNS: usize = 24;

/// Runs the pass on sums whose rows are `distance` elements apart, those of `up` from element `first`
/// on, and compares its output.
fn check(of_thread: u32, distance: usize, first: usize) -> Statistics {
    let text = text(of_thread);
    let compiled = compile(&text.program(ARCHITECTURE, Format::Ptx)).unwrap();
    let module = Module::parse(compiled.ptx().unwrap()).unwrap();
    let memory = Memory::new();
    let sums = random::<bf16>(first + ROWS * distance, 8.0);
    let store = |values: &[bf16]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let address = memory.allocate(bytes.len() as u64).unwrap();
        memory.write(address, &bytes).unwrap();
        address
    };
    let (from, to) = (store(&sums), store(&poison::<bf16>(ROWS * COLUMNS)));
    let count = |elements| vectors(elements).unwrap();
    let grid = text.grid(count(ROWS * COLUMNS)).unwrap();
    let words = [from, from + (first * size_of::<bf16>()) as u64, to];
    let counts = [COLUMNS, distance, ROWS * COLUMNS].map(|elements| count(elements) as u32);
    let arguments: Vec<Vec<u8>> = (words.map(|word| word.to_le_bytes().to_vec()).into_iter())
        .chain(counts.map(|count| count.to_le_bytes().to_vec()))
        .collect();
    let launch = Launch {
        arguments: &arguments,
        ..Launch::new(text.entry, [grid.blocks, 1, 1], [grid.threads, 1, 1])
    };
    let statistics = module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{fault}"));
    let mut out = vec![0; ROWS * COLUMNS * size_of::<bf16>()];
    memory.read(to, &mut out).unwrap();
    let out = out.chunks_exact(2).map(|bytes| bf16::from_le_bytes([bytes[0], bytes[1]]).to_f64());
    let expected = (0..ROWS * COLUMNS).map(|i| {
        let at = i / COLUMNS * distance + i % COLUMNS;
        let [gate, up] = [at, first + at].map(|at| sums[at].to_f64());
        gate / (1.0 + (-gate).exp()) * up
    });
    close::<bf16>(out.zip(expected), Compute::F32).unwrap();
    statistics
}

#[test]
fn a_pass_reads_both_sums_wherever_they_lie() {
    for of_thread in [1, 2, 4] {
        // Next to each other in rows of one product; then as two matrices.
        for (distance, first) in [(2 * COLUMNS, COLUMNS), (COLUMNS, ROWS * COLUMNS)] {
            let statistics = check(of_thread, distance, first);
            let bytes = (ROWS * COLUMNS * size_of::<bf16>()) as u64;
            assert_eq!(statistics.global_bytes_loaded, 2 * bytes, "{of_thread}");
            assert_eq!(statistics.global_bytes_stored, bytes, "{of_thread}");
        }
    }
}

#[test]
fn loads_and_stores_move_16_bytes() {
    for of_thread in [1, 2, 4] {
        let compiled = compile(&text(of_thread).program(ARCHITECTURE, Format::Ptx)).unwrap();
        let ptx = compiled.ptx().unwrap();
        let of = |opcode: &str| -> Vec<&str> {
            ptx.lines().filter(|line| line.contains(opcode)).collect()
        };
        for opcode in ["ld.global", "st.global"] {
            let lines = of(opcode);
            let wide = lines.iter().filter(|line| line.contains(".v4")).count();
            let each = if opcode == "ld.global" { 2 } else { 1 };
            assert_eq!(wide, each * of_thread as usize, "{lines:?}");
            assert_eq!(wide, lines.len(), "{lines:?}");
        }
    }
}

#[test]
fn a_thread_takes_more_vectors_where_the_gpu_stays_full() {
    let threads = 132 * 2048;
    let of = |rows: usize| vectors_of_thread(vectors(rows * 14336).unwrap(), threads);
    assert_eq!([16, 128, 512, 4096].map(of), [1, 1, 2, 4]);
}
