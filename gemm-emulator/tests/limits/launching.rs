//! Launches of much, and of much at a time.

use gemm_emulator::{Fault, Launch, LaunchError, Memory, Module, Violation};

use crate::parsing::repeated;
use crate::{bounded, kernel};

/// Launches the kernel of a text on blocks of 1024 threads.
fn launch(text: String, grid: [u32; 3], instruction_limit: u64) -> Result<(), Fault> {
    bounded(move || {
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let launch = Launch { instruction_limit, ..Launch::new("test", grid, [32, 8, 4]) };
        module.launch(&Memory::new(), &launch).map(drop)
    })
}

/// Host memory of the block that was refused.
fn refused(body: &str) -> u64 {
    match launch(kernel(body), [1, 1, 1], 10) {
        Err(Fault::Launch(LaunchError::BlockMemory { bytes, limit, entry })) => {
            assert_eq!((limit, entry.as_str()), (128 << 20, "test"));
            bytes
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn memory_of_a_block() {
    // A word has 4 KiB in 1024 threads, a long 8 KiB; besides there are few bytes.
    launch(kernel(".reg .b64 %d<16383>;"), [1, 1, 1], 10).expect("less than 128 MiB");
    let beyond = refused(".reg .b64 %d<16384>;");
    assert!((1..4096).contains(&(beyond - (128 << 20))), "{beyond} B");
    launch(kernel(".reg .b32 %r<32767>;"), [1, 1, 1], 10).expect("less than 128 MiB");
    refused(".reg .b32 %r<32768>;");
    launch(kernel(".local .b8 a[131000];"), [1, 1, 1], 10).expect("less than 128 MiB");
    refused(".local .b8 a[131072];");
    refused(".reg .b32 %r<65536>; .reg .b64 %d<65536>; .local .b8 a[524272];");
}

#[test]
fn blocks_that_run_at_the_same_time_share_the_memory() {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(16).build().expect("16 threads");
    let text = kernel(".reg .b64 %d<16000>;");
    let module = Module::parse(&text).expect("parses");
    let launch = move || {
        let launch = Launch::new("test", [64, 1, 1], [1024, 1, 1]);
        module.launch(&Memory::new(), &launch).map(drop)
    };
    bounded(move || threads.install(launch)).expect("three blocks at a time");
}

#[test]
fn the_space_between_variables_counts() {
    let far = |count| repeated(count, |at| format!(".shared .align 4096 .b8 a{at};"));
    launch(kernel(&far(2048)), [1, 1, 1], 10).expect("2 KiB of shared memory");
    refused(&far(4096));
    let large = ".global .b8 a[67108864]; .reg .b64 %d; mov.u64 %d, a;";
    launch(kernel(large), [1, 1, 1], 10).expect("64 MiB in global memory");
}

#[test]
fn a_grid_as_large_as_can_be_starts() {
    let fault = launch(kernel("ret;"), [i32::MAX as u32, 65535, 65535], 0);
    let fault = fault.expect_err("not one instruction");
    assert_eq!(fault.violation(), Some(&Violation::InstructionLimit { limit: 0 }));
    for grid in [[1 << 31, 1, 1], [1, 1 << 16, 1], [1, 1, 1 << 16], [u32::MAX; 3]] {
        let refused = launch(kernel("ret;"), grid, 1).expect_err("too large");
        assert!(matches!(refused, Fault::Launch(LaunchError::GridSize { .. })), "{refused}");
    }
}

#[test]
fn an_allocation_takes_the_memory_of_what_was_touched() {
    bounded(|| {
        let memory = Memory::with_limit(1 << 40);
        let far = memory.allocate(1 << 36).expect("allocates");
        for offset in [0, (1 << 31) + 7, (1 << 36) - 3] {
            memory.write(far + offset, &[1, 2, 3]).expect("writes");
        }
        for offset in [1 << 30, (1 << 31) + 7, (1 << 36) - 3] {
            let mut bytes = [0; 3];
            memory.read(far + offset, &mut bytes).expect("reads");
            assert_eq!(bytes, if offset == 1 << 30 { [0xff; 3] } else { [1, 2, 3] });
        }
    });
}

#[test]
fn a_block_of_any_extents_is_refused_or_runs() {
    let module = Module::parse(&kernel("ret;")).expect("parses");
    for (block, runs) in [
        ([1024, 1, 1], true),
        ([1, 1024, 1], true),
        ([1, 1, 1024], true),
        ([1025, 1, 1], false),
        ([32, 32, 2], false),
        ([0, 1, 1], false),
        ([u32::MAX; 3], false),
        ([1 << 16, 1 << 16, 1], false),
    ] {
        let result = module.launch(&Memory::new(), &Launch::new("test", [1, 1, 1], block));
        assert_eq!(result.is_ok(), runs, "{block:?}");
    }
}

#[test]
fn a_profile_of_many_inlined_lines_is_at_most_as_large_as_the_text() {
    // Each line is called from the one before, up to the depth that is kept.
    let chain = repeated(60_000, |at| {
        let line = at + 2;
        format!(".loc 1 {line} 1, function_name NAME, inlined_at 1 {} 1\nmembar.gl;\n", line - 1)
    });
    let name = vec!["97"; 500].join(",");
    let sections = format!(".section .debug_str {{ NAME: .b8 {name}, 0 }}");
    let text = kernel(&chain) + &format!("\n.file 1 \"{}\"\n{sections}", "f".repeat(100_000));
    let profile = bounded(move || {
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let launch = Launch { profile: true, ..Launch::new("test", [1, 1, 1], [32, 1, 1]) };
        module.launch(&Memory::new(), &launch).expect("runs").profile.expect("a profile")
    });
    let deepest = profile.instructions.iter().map(|one| one.source.len()).max();
    assert_eq!(deepest, Some(65));
}
