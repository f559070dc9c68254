//! Mistakes in what threads and blocks do together.

use gemm_emulator::{Direction, Fault, Statistics, Violation, WarpProblem};

use super::{Bench, COUNT};
use crate::device::{Value, assert_violation, violation};

#[test]
fn asynchronous_copies_are_waited_for() {
    let bench = Bench::new();
    bench.run("async_copy", 0).expect("right");
    let in_flight = |direction| Violation::CopyInFlight { address: 0, direction, copier: 0 };
    assert_eq!(bench.violation("async_copy", 1), (in_flight(Direction::Read), 0));
    assert_eq!(bench.violation("async_copy", 3).0, in_flight(Direction::Read));
    let not_published = Violation::CopyNotPublished { address: 16, copier: 1 };
    assert_eq!(bench.violation("async_copy", 2), (not_published, 0));
    assert_eq!(bench.violation("async_copy", 4).0, in_flight(Direction::Write));
}

#[test]
fn asynchronous_copies_read_no_more_than_they_write() {
    let bench = Bench::new();
    for mode in [0, 4, 6, 16] {
        bench.run("async_sizes", mode).expect("zero-filled");
    }
    let (violation, _) = bench.violation("async_sizes", 17);
    assert_eq!(violation, Violation::CopySize { bytes: 16, source_bytes: 17 });
}

/// Threads that wait for one that has exited.
fn not_reached(waiting: u32, expected: u32, missing: u32) -> Violation {
    let missing = Some(missing);
    Violation::BarrierNotReached { barrier: 0, waiting, expected, missing, exited: true }
}

#[test]
fn all_threads_reach_a_barrier() {
    let bench = Bench::new();
    bench.run("barrier_in_branch", 32).expect("all of them");
    bench.run("barrier_in_branch", 0).expect("none of them");
    // Within a warp the lanes part; between warps some never come.
    assert_eq!(bench.violation("barrier_in_branch", 7).0, not_reached(7, 32, 7));
    let arguments = [bench.x.bytes(), bench.out.bytes(), 32u32.bytes()];
    for entry in ["barrier_in_branch", "barrier_after_exit"] {
        let violation = violation(bench.run_with(entry, &arguments, 64));
        assert_eq!(violation, Err(not_reached(32, 64, 32)));
    }
}

#[test]
fn kernels_that_do_not_end_are_stopped() {
    let (violation, _) = Bench::new().violation("endless", 0);
    assert_eq!(violation, Violation::InstructionLimit { limit: 100_000 });
}

#[test]
fn warp_instructions_have_all_their_lanes() {
    let bench = Bench::new();
    bench.run("matrix_in_branch", 32).expect("the whole warp");
    let inactive =
        |active| Violation::Warp(WarpProblem::InactiveLanes { needed: u32::MAX, active });
    assert_eq!(bench.violation("matrix_in_branch", 31).0, inactive(u32::MAX >> 1));

    bench.run("shuffle_in_branch", 32).expect("the whole warp");
    assert_eq!(bench.violation("shuffle_in_branch", 16).0, inactive(0xffff));

    bench.run("shuffle_members", u32::MAX).expect("the whole warp");
    let (violation, thread) = bench.violation("shuffle_members", !(1 << 9));
    assert_eq!(
        (violation, thread),
        (Violation::Warp(WarpProblem::NotAMember { members: !(1 << 9) }), 9)
    );
}

#[test]
fn a_kernel_may_stop_itself() {
    let (violation, thread) = Bench::new().violation("stops_itself", 13);
    assert_eq!((violation, thread), (Violation::Trap, 13));
}

#[test]
fn blocks_do_not_store_to_the_same_bytes() {
    let bench = Bench::new();
    assert!(bench.run_blocks("blocks_side_by_side", COUNT, true).is_ok());
    let fault = bench.run_blocks("blocks_side_by_side", COUNT - 1, true).expect_err("it is found");
    let Some(Violation::BlockRace { address, bytes: 4, direction: Direction::Write, other }) =
        fault.violation()
    else {
        panic!("{fault}");
    };
    assert_eq!(*address, bench.out + 4 * u64::from(COUNT - 1));
    let block = fault.place().expect("a place").block[0];
    assert_eq!(block + other, 1, "the other one of blocks 0 and 1");
    assert!(bench.run_blocks("blocks_side_by_side", COUNT - 1, false).is_ok());
    // Here the second waits for the first.
    assert!(bench.run_blocks("blocks_in_turn", 0, true).is_ok());
    // Here neither does.
    let race = violation(Bench::new().run_blocks("blocks_that_do_not_wait", 0, true));
    assert_violation!(race.expect_err("it is found"), Violation::BlockRace { .. });
}

#[test]
fn a_block_reads_another_s_stores_after_fences_and_atomics() {
    assert!(others_stores_are_read("blocks_that_read_what_others_wrote", 0).is_ok());
    for without_a_fence in [1, 2] {
        let found = others_stores_are_read("blocks_that_read_what_others_wrote", without_a_fence);
        assert_race_of_blocks(&found.expect_err("it is found"));
    }
}

#[test]
fn atomics_that_release_and_acquire_order_blocks() {
    for right in [0, 1] {
        assert!(others_stores_are_read("blocks_that_order_by_atomics", right).is_ok());
    }
    for one_sided in [2, 3] {
        let found = others_stores_are_read("blocks_that_order_by_atomics", one_sided);
        assert_race_of_blocks(&found.expect_err("it is found"));
    }
}

/// Runs two blocks: the second one reads what the first one has stored.
fn others_stores_are_read(kernel: &str, mode: u32) -> Result<Statistics, Fault> {
    Bench::new().run_blocks(kernel, mode, true)
}

fn assert_race_of_blocks(fault: &Fault) {
    assert_violation!(
        fault.violation().expect("a violation"),
        Violation::BlockRace { bytes: 4, direction: Direction::Read, other: 0, .. }
    );
    assert_eq!(fault.place().expect("a place").block[0], 1);
}
