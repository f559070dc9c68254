//! A planted mistake of every kind, each found with its place.

mod ordering;

use gemm_emulator::{Direction, Fault, Launch, Memory, Module, Space, Statistics, Violation};

use crate::device::{Value, assert_violation, upload};
use crate::nvrtc::module;

const TEXT: &str = include_str!("../kernels/faults.cu");
/// Threads of the block and integers of `x` and `out`, times four.
const COUNT: u32 = 32;

struct Bench {
    memory: Memory,
    x: u64,
    out: u64,
}

impl Bench {
    fn new() -> Bench {
        let memory = Memory::new();
        let x = upload(&memory, &vec![0u32; 4 * COUNT as usize]);
        let out = memory.allocate(u64::from(16 * COUNT)).expect("allocates");
        Bench { memory, x, out }
    }

    fn module() -> &'static Module {
        module(TEXT, "sm_80", &[])
    }

    fn run(&self, entry: &str, mode: u32) -> Result<Statistics, Fault> {
        self.run_with(entry, &[self.x.bytes(), self.out.bytes(), mode.bytes()], COUNT)
    }

    fn run_with(
        &self,
        entry: &str,
        arguments: &[Vec<u8>],
        threads: u32,
    ) -> Result<Statistics, Fault> {
        let launch = Launch {
            arguments,
            instruction_limit: 100_000,
            ..Launch::new(entry, [1, 1, 1], [threads, 1, 1])
        };
        Bench::module().launch(&self.memory, &launch)
    }

    /// Runs two blocks.
    fn run_blocks(&self, entry: &str, mode: u32, find_races: bool) -> Result<Statistics, Fault> {
        let arguments = &[self.x.bytes(), self.out.bytes(), mode.bytes()];
        let grid = [2, 1, 1];
        let launch = Launch { arguments, find_races, ..Launch::new(entry, grid, [COUNT, 1, 1]) };
        Bench::module().launch(&self.memory, &launch)
    }

    /// The violation of a run, and the thread it is of. The source line must be that of a kernel.
    fn violation(&self, entry: &str, mode: u32) -> (Violation, u32) {
        let fault = self.run(entry, mode).expect_err("the mistake is found");
        let place = fault.place().expect("a place");
        let source = place.source.as_ref().expect("a source line");
        assert!(source.file.ends_with("kernel.cu"), "{}", source.file);
        assert!(source.line >= 10 && source.line as usize <= TEXT.lines().count());
        assert!(place.ptx_line > 0 && place.kernel == entry && place.block == [0; 3]);
        (fault.violation().expect("a violation").clone(), place.thread[0])
    }
}

/// The line of the source that holds a text, from 1.
fn line_of(text: &str) -> u32 {
    TEXT.lines().position(|line| line.contains(text)).expect("is in the source") as u32 + 1
}

#[test]
fn global_accesses_stay_within_their_allocation() {
    let bench = Bench::new();
    bench.run("global_index", 96).expect("the last 32 of 128");
    let (violation, thread) = bench.violation("global_index", 97);
    assert_eq!(thread, 31);
    let Violation::OutOfBounds { space, address, bytes, direction, nearest } = violation else {
        panic!("{violation}");
    };
    assert_eq!((space, bytes, direction), (Space::Global, 4, Direction::Read));
    assert_eq!(address, bench.x + 512);
    assert_eq!(nearest.map(|nearest| (nearest.base, nearest.bytes)), Some((bench.x, 512)));

    let (violation, thread) = bench.violation("global_store", 0u32.wrapping_sub(1));
    assert_eq!(thread, 0);
    assert!(matches!(violation, Violation::OutOfBounds { direction: Direction::Write, .. }));
}

#[test]
fn the_place_is_the_line_of_the_source() {
    let fault = Bench::new().run("global_index", 97).expect_err("out of bounds");
    let place = fault.place().expect("a place");
    let source = place.source.as_ref().expect("a source line");
    assert_eq!(source.line, line_of("KERNEL(global_index)"));
    let text = fault.to_string();
    assert!(text.contains("read of 4 B at global address"), "{text}");
    assert!(text.contains("at byte 512 of the 512 B at"), "{text}");
    assert!(text.contains("block (0, 0, 0), thread (31, 0, 0)"), "{text}");
}

#[test]
fn the_place_names_the_calls_that_were_inlined() {
    let text = "
template <class T> __device__ __forceinline__ T fetch(const T* from, int at) {
    return from[at];
}
__device__ __forceinline__ float twice(const float* from, int at) {
    return 2.0f * fetch(from, at);
}
extern \"C\" __global__ void inlined(const float* from, float* to) {
    to[threadIdx.x] = twice(from, threadIdx.x);
}";
    let (module, memory) = (module(text, "sm_80", &[]), Memory::new());
    let from = memory.allocate(4).expect("allocates");
    memory.write(from, &[0; 4]).expect("writes");
    let arguments = [from.bytes(), memory.allocate(8).expect("allocates").bytes()];
    let launch = Launch { arguments: &arguments, ..Launch::new("inlined", [1, 1, 1], [2, 1, 1]) };
    let fault = module.launch(&memory, &launch).expect_err("out of bounds");
    let place = fault.place().expect("a place");
    let lines = place.source.iter().chain(&place.inlined_at);
    let lines: Vec<_> = lines.map(|line| (line.line, line.function.as_deref())).collect();
    assert_eq!(lines, [(3, Some("fetch<float>")), (6, Some("twice")), (9, None)]);
    let text = fault.to_string();
    assert!(
        text.contains(
            "(fetch<float>, kernel.cu:3, called in twice, kernel.cu:6, called in kernel.cu:9)"
        ),
        "{text}"
    );
}

#[test]
fn freed_memory_is_not_touched() {
    let bench = Bench::new();
    bench.memory.free(bench.x).expect("frees");
    assert_violation!(bench.violation("global_index", 0).0, Violation::UseAfterFree { address, .. } if *address == bench.x);
}

#[test]
fn global_memory_is_written_before_it_is_read() {
    let bench = Bench::new();
    let arguments = [bench.out.bytes(), bench.x.bytes(), 0u32.bytes()];
    let fault = bench.run_with("global_index", &arguments, COUNT).expect_err("never written");
    assert_eq!(
        fault.violation(),
        Some(&Violation::Uninitialized { space: Space::Global, address: bench.out, bytes: 4 })
    );
}

#[test]
fn vectors_are_aligned() {
    let bench = Bench::new();
    bench.run("global_vector", 4).expect("aligned");
    for mode in [1, 2, 3] {
        assert_violation!(
            bench.violation("global_vector", mode).0,
            Violation::Misaligned { bytes: 16, .. }
        );
    }
    assert_violation!(bench.violation("global_bytes", 4).0, Violation::Misaligned { bytes: 8, .. });
    let (violation, _) = bench.violation("matrix_rows", 8);
    assert_violation!(violation, Violation::Misaligned { space: Space::Shared, bytes: 16, .. });
    bench.run("matrix_rows", 16).expect("aligned");
    for mode in [1, 2, 3] {
        assert_violation!(
            bench.violation("async_misaligned", mode).0,
            Violation::Misaligned { bytes: 16, .. }
        );
    }
}

#[test]
fn shared_accesses_stay_within_their_variable() {
    let bench = Bench::new();
    bench.run("shared_index", 0).expect("in bounds");
    for mode in [1, 0u32.wrapping_sub(1), 40] {
        let (violation, _) = bench.violation("shared_index", mode);
        assert_violation!(violation, Violation::OutOfBounds { space: Space::Shared, .. });
    }
}

#[test]
fn shared_memory_is_written_before_it_is_read() {
    let bench = Bench::new();
    bench.run("shared_unwritten", 32).expect("all written");
    let (violation, thread) = bench.violation("shared_unwritten", 5);
    assert_eq!(thread, 31 - 5);
    let (space, address, bytes) = (Space::Shared, 20, 4);
    assert_eq!(violation, Violation::Uninitialized { space, address, bytes });
}

#[test]
fn local_and_constant_accesses_stay_within_their_variable() {
    let bench = Bench::new();
    bench.run("local_index", 7).expect("in bounds");
    assert_violation!(
        bench.violation("local_index", 8).0,
        Violation::OutOfBounds { space: Space::Local, .. }
    );

    bench.run("constant_index", 3).expect("in bounds");
    assert_violation!(
        bench.violation("constant_index", 4).0,
        Violation::OutOfBounds { direction: Direction::Read, .. }
    );

    // A parameter that is indexed by a register is copied to local memory first.
    let table: Vec<u8> = (0..4u32).flat_map(u32::to_le_bytes).collect();
    let arguments = |mode: u32| [table.clone(), bench.out.bytes(), mode.bytes()];
    bench.run_with("parameter_index", &arguments(3), COUNT).expect("in bounds");
    let fault = bench.run_with("parameter_index", &arguments(4), COUNT).expect_err("outside");
    let violation = fault.violation().expect("a violation");
    assert!(matches!(violation, Violation::OutOfBounds { space: Space::Local, .. }));
}
