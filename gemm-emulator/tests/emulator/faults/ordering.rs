//! Mistakes in what threads and blocks do together.

use gemm_emulator::{Direction, Violation};

use super::{Bench, COUNT};
use crate::device::Value;

#[test]
fn asynchronous_copies_are_waited_for() {
    let bench = Bench::new();
    bench.run("async_copy", 0).expect("right");
    let (violation, thread) = bench.violation("async_copy", 1);
    assert_eq!(thread, 0);
    let direction = Direction::Read;
    assert_eq!(violation, Violation::CopyInFlight { address: 0, direction, copier: 0 });
    let (violation, _) = bench.violation("async_copy", 3);
    assert_eq!(violation, Violation::CopyInFlight { address: 0, direction, copier: 0 });
    let (violation, thread) = bench.violation("async_copy", 2);
    assert_eq!(thread, 0);
    assert_eq!(violation, Violation::CopyNotPublished { address: 16, copier: 1 });
    let (violation, _) = bench.violation("async_copy", 4);
    let direction = Direction::Write;
    assert_eq!(violation, Violation::CopyInFlight { address: 0, direction, copier: 0 });
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

#[test]
fn all_threads_reach_a_barrier() {
    let bench = Bench::new();
    bench.run("barrier_in_branch", 32).expect("all of them");
    bench.run("barrier_in_branch", 0).expect("none of them");
    // Within a warp the lanes part; between warps some never come.
    let (violation, _) = bench.violation("barrier_in_branch", 7);
    assert_eq!(
        violation,
        Violation::BarrierNotReached {
            barrier: 0,
            waiting: 7,
            expected: 32,
            missing: Some(7),
            exited: true
        }
    );
    let arguments = [bench.x.bytes(), bench.out.bytes(), 32u32.bytes()];
    for entry in ["barrier_in_branch", "barrier_after_exit"] {
        let fault = bench.run_with(entry, &arguments, 64).expect_err("one warp is missing");
        let Some(Violation::BarrierNotReached { waiting, expected, missing, exited, .. }) =
            fault.violation()
        else {
            panic!("{fault}");
        };
        assert_eq!((*waiting, *expected, *missing, *exited), (32, 64, Some(32), true));
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
    let (violation, _) = bench.violation("matrix_in_branch", 31);
    let Violation::InactiveLanes { needed: u32::MAX, active } = violation else {
        panic!("{violation}");
    };
    assert_eq!(active, u32::MAX >> 1);

    bench.run("shuffle_in_branch", 32).expect("the whole warp");
    let (violation, _) = bench.violation("shuffle_in_branch", 16);
    assert_eq!(violation, Violation::InactiveLanes { needed: u32::MAX, active: 0xffff });

    bench.run("shuffle_members", u32::MAX).expect("the whole warp");
    let (violation, thread) = bench.violation("shuffle_members", !(1 << 9));
    assert_eq!((violation, thread), (Violation::NotAMember { members: !(1 << 9) }, 9));
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
    let fault =
        Bench::new().run_blocks("blocks_that_do_not_wait", 0, true).expect_err("it is found");
    assert!(matches!(fault.violation(), Some(Violation::BlockRace { .. })), "{fault}");
}

#[test]
fn a_block_reads_another_s_stores_after_fences_and_atomics() {
    let run = |mode| Bench::new().run_blocks("blocks_that_read_what_others_wrote", mode, true);
    assert!(run(0).is_ok());
    for without_a_fence in [1, 2] {
        let fault = run(without_a_fence).expect_err("it is found");
        let Some(Violation::BlockRace { bytes: 4, direction: Direction::Read, other: 0, .. }) =
            fault.violation()
        else {
            panic!("{fault}");
        };
        assert_eq!(fault.place().expect("a place").block[0], 1);
    }
}
