//! Kernels that do not end, and lists that grow while they run.

use gemm_emulator::{Fault, Launch, Memory, Module, Violation};

use crate::{bounded, kernel};

/// Runs a kernel without parameters on one block.
fn run(body: &str, threads: u32, instruction_limit: u64) -> Result<(), Fault> {
    let text = kernel(body);
    bounded(move || {
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let launch =
            Launch { instruction_limit, ..Launch::new("test", [1, 1, 1], [threads, 1, 1]) };
        module.launch(&Memory::new(), &launch).map(drop)
    })
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

/// Shared memory into which each thread copies 4 bytes at its place, moved by the loop's counter `%i`.
const COPY: &str = "
    .shared .align 16 .b8 ring[65536];
    .global .align 16 .b32 source[1] = {1};
    .reg .pred %p, %q;
    .reg .b32 %r, %i, %at;
    .reg .b64 %from;
    mov.u64 %from, source;
    mov.u32 %r, %tid.x;
    setp.eq.u32 %q, %r, 0;
    shl.b32 %r, %r, 2;
    mov.u32 %at, ring;
    add.u32 %r, %r, %at;
    mov.u32 %i, 0;
L:  shl.b32 %at, %i, 7;
    and.b32 %at, %at, 65535;
    add.u32 %at, %at, %r;
    add.u32 %i, %i, 1;";

/// How often, and in how many instructions a warp may do so.
fn copies(body: &str, times: u32, limit: u64) -> Result<(), Fault> {
    run(&format!("{COPY}{body} setp.lt.u32 %p, %i, {times}; @%p bra L;"), 32, limit)
}

#[test]
fn copies_that_land_without_a_barrier_are_not_all_kept() {
    let copy = "cp.async.ca.shared.global [%at], [%from], 4; cp.async.wait_all;";
    copies(copy, 1_600_000, 1 << 28).expect("no fault");
}

#[test]
fn copies_in_flight_are_at_most_as_many_as_shared_memory_holds() {
    let copy = "cp.async.ca.shared.global [%at], [%from], 4; cp.async.commit_group;";
    copies(copy, 512, 1 << 28).expect("as many as there are places");
    let fault = copies(copy, 513, 1 << 28).expect_err("one too many");
    assert!(matches!(fault.violation(), Some(Violation::CopyInFlight { .. })), "{fault}");
}

#[test]
fn waiting_and_barriers_of_a_warp_take_no_longer_for_what_others_copied() {
    // One lane has a copy at each place of a large memory; then the warp meets, or waits, over and over.
    let many = |landed: &str, again: &str| {
        let body = format!(
            ".shared .align 16 .b8 ring[229376];
            .global .align 16 .b32 source[1] = {{1}};
            .reg .pred %p, %q;
            .reg .b32 %r, %at;
            .reg .b64 %from;
            mov.u64 %from, source;
            mov.u32 %r, %tid.x;
            setp.eq.u32 %q, %r, 0;
            mov.u32 %at, ring;
            add.u32 %r, %at, 229376;
        L:  @%q cp.async.ca.shared.global [%at], [%from], 4;
            add.u32 %at, %at, 4;
            setp.lt.u32 %p, %at, %r;
            @%p bra L;
            {landed}
            mov.u32 %r, 0;
        M:  {again}
            add.u32 %r, %r, 1;
            setp.lt.u32 %p, %r, 1000000;
            @%p bra M;
        END:"
        );
        run(&body, 32, 1 << 28).expect("no fault");
    };
    many("", "cp.async.wait_group 1;");
    many("cp.async.wait_all;", "bar.warp.sync -1;");
    many("cp.async.wait_all; @%q bra END;", "bar.warp.sync 0xfffffffe;");
    many("cp.async.wait_all; @%q bra END;", "bar.sync 1, 32;");
}

#[test]
fn numbers_of_barriers_and_of_their_threads() {
    let barrier = |id: u32, threads: u32| run(&format!("bar.sync {id}, {threads};"), 64, 10);
    barrier(15, 64).expect("the last barrier");
    barrier(0, 32).expect("one warp after the other");
    for (id, threads) in [(16, 64), (u32::MAX, 64), (0, 0), (0, 33)] {
        let fault = barrier(id, threads).expect_err("no such barrier");
        let found = fault.violation();
        assert!(matches!(found, Some(Violation::BadBarrier { .. })), "{id}, {threads}: {fault}");
    }
    for threads in [96, u32::MAX - 31] {
        let fault = barrier(0, threads).expect_err("more threads than there are");
        let found = fault.violation();
        assert!(matches!(found, Some(Violation::BarrierNotReached { .. })), "{threads}: {fault}");
    }
}
