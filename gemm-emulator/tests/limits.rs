//! What no text and no launch can make the emulator do: run for ever, or take all memory.
//!
//! Each limit is tried on both sides.

use gemm_emulator::{Fault, Launch, Memory, Module, ParseError, Violation};

/// A kernel without parameters.
fn kernel(body: &str) -> String {
    format!(".version 8.0\n.target sm_80\n.address_size 64\n.entry test()\n{{\n{body}\n}}")
}

fn parse(text: &str) -> Result<Module, ParseError> {
    Module::parse(text)
}

/// Runs a kernel of [`kernel`] on one block.
fn run(body: &str, threads: u32, instruction_limit: u64) -> Result<(), Fault> {
    let module = parse(&kernel(body)).unwrap_or_else(|error| panic!("{error}"));
    let launch = Launch { instruction_limit, ..Launch::new("test", [1, 1, 1], [threads, 1, 1]) };
    module.launch(&Memory::new(), &launch).map(drop)
}

#[test]
fn a_warp_executes_as_many_instructions_as_it_may_and_no_more() {
    let body = "membar.gl;\n".repeat(9) + "ret;";
    run(&body, 32, 10).expect("ten instructions");
    for limit in [0, 1, 9] {
        let fault = run(&body, 64, limit).expect_err("one too many");
        assert_eq!(fault.violation(), Some(&Violation::InstructionLimit { limit }));
        // The place is the instruction that was not executed.
        assert_eq!(fault.place().map(|place| u64::from(place.ptx_line)), Some(6 + limit));
    }
    // More than a warp runs before another one may.
    let body = "membar.gl;\n".repeat(40_000) + "ret;";
    run(&body, 64, 40_001).expect("as many as it may");
    run(&body, 64, 40_000).expect_err("one too many");
}

#[test]
fn warps_that_meet_at_barriers_for_ever_are_stopped() {
    for barrier in ["bar.sync 0;", "barrier.sync 0;", "bar.sync 1, 64;", "bar.warp.sync -1;"] {
        let fault = run(&format!("L: {barrier} bra L;"), 64, 1000).expect_err("is endless");
        assert_eq!(fault.violation(), Some(&Violation::InstructionLimit { limit: 1000 }));
    }
}

#[test]
fn a_kernel_without_instructions_has_a_place() {
    run("", 32, 1).expect("the exit that stands at the end of every kernel");
    let fault = run("", 32, 0).expect_err("not even that");
    assert_eq!(fault.place().map(|place| place.ptx_line), Some(4));
}
