use super::*;
use crate::program::{Ordering, Scope};

const ORDERED: Ordering = Ordering { orders: true, scope: Scope::Block };

fn race(other: Option<u32>, other_wrote: bool) -> Result<(), Race> {
    Err(Race { at: 0, other, other_wrote, copy: None, reading: None, unfenced: false })
}

#[test]
fn threads_conflict_until_a_barrier() {
    let mut races = Races::new(16, None);
    assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
    assert_eq!(races.touch(0, 4, 1, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 2, Touch::Read), race(Some(1), true));
    assert_eq!(races.touch(4, 4, 2, Touch::Write), Ok(()));
    races.block_barrier();
    assert_eq!(races.touch(0, 4, 2, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 1, Touch::Write), race(Some(2), false));
    assert_eq!(races.touch(0, 4, 40, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 2, Touch::Write), race(None, false));
}

#[test]
fn a_warp_barrier_orders_its_warp_only() {
    let mut races = Races::new(16, None);
    assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
    races.warp_barrier(0, u32::MAX);
    assert_eq!(races.touch(0, 4, 2, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 3, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 33, Touch::Read), race(Some(1), true));
    assert_eq!(races.touch(0, 4, 4, Touch::Write), race(None, false));
    races.warp_barrier(0, u32::MAX);
    assert_eq!(races.touch(0, 4, 4, Touch::Write), Ok(()));
}

#[test]
fn atomics_conflict_with_plain_accesses_only() {
    let mut races = Races::new(16, None);
    assert_eq!(races.touch(0, 4, 1, Touch::Atomic), Ok(()));
    assert_eq!(races.touch(0, 4, 70, Touch::Atomic), Ok(()));
    assert_eq!(races.touch(0, 4, 3, Touch::Read), race(None, true));
    assert_eq!(races.touch(4, 4, 1, Touch::Atomic), Ok(()));
    assert_eq!(races.touch(4, 4, 1, Touch::Read), Ok(()), "its own");
    races.block_barrier();
    assert_eq!(races.touch(0, 4, 3, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 1, Touch::Atomic), race(Some(3), false));
}

#[test]
fn bytes_are_apart() {
    let mut races = Races::new(16, None);
    for thread in 0..16 {
        assert_eq!(races.touch(thread as usize, 1, thread, Touch::Write), Ok(()));
    }
}

/// Of a kernel with mbarriers and two warps.
fn with_mbarriers() -> Races {
    Races::new(64, Some((Team::alone(64), 0)))
}

const FULL: u32 = 40;
const EMPTY: u32 = 48;

#[test]
fn an_arrival_comes_before_those_who_wait() {
    let mut races = with_mbarriers();
    assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
    races.release(EMPTY, 1, ORDERED);
    assert_eq!(races.touch(4, 4, 1, Touch::Write), Ok(()));
    races.complete(EMPTY);
    races.acquire(EMPTY, 40, ORDERED);
    assert_eq!(races.touch(0, 4, 40, Touch::Read), Ok(()));
    let late = Race { at: 4, ..race(Some(1), true).unwrap_err() };
    assert_eq!(races.touch(4, 4, 40, Touch::Read), Err(late), "written after the arrival");
    assert_eq!(races.touch(0, 4, 2, Touch::Read), race(Some(1), true), "did not wait");
    // What a thread knows it passes on.
    races.release(FULL, 40, ORDERED);
    races.complete(FULL);
    races.acquire(FULL, 2, ORDERED);
    assert_eq!(races.touch(0, 4, 2, Touch::Write), Ok(()));
}

#[test]
fn a_wait_knows_the_phase_it_waited_for_and_no_later_one() {
    let mut races = with_mbarriers();
    races.release(EMPTY, 1, ORDERED);
    races.complete(EMPTY);
    assert_eq!(races.touch(0, 4, 2, Touch::Write), Ok(()));
    races.release(EMPTY, 2, ORDERED);
    races.acquire(EMPTY, 40, ORDERED);
    assert_eq!(races.touch(0, 4, 40, Touch::Write), race(Some(2), true));
    races.complete(EMPTY);
    races.acquire(EMPTY, 40, ORDERED);
    assert_eq!(races.touch(0, 4, 40, Touch::Write), Ok(()));
}

#[test]
fn readers_of_several_warps_release_one_after_the_other() {
    let mut races = with_mbarriers();
    assert_eq!(races.touch(0, 16, 3, Touch::ReadTogether), Ok(()));
    races.release(EMPTY, 0, ORDERED);
    assert_eq!(races.touch(0, 16, 35, Touch::ReadTogether), Ok(()));
    let mut early = with_mbarriers();
    assert_eq!(early.touch(0, 16, 3, Touch::ReadTogether), Ok(()));
    early.release(EMPTY, 0, ORDERED);
    early.complete(EMPTY);
    early.acquire(EMPTY, 7, ORDERED);
    assert_eq!(early.touch(0, 16, 7, Touch::Write), Ok(()), "only its own warp has read");
    races.release(EMPTY, 32, ORDERED);
    races.complete(EMPTY);
    races.acquire(EMPTY, 7, ORDERED);
    assert_eq!(races.touch(0, 16, 7, Touch::Write), Ok(()));
}

#[test]
fn one_lane_releases_what_its_warp_reads_together_but_not_what_lanes_read_alone() {
    let write_after = |read: Touch, meet: bool| {
        let mut races = with_mbarriers();
        for lane in 0..4 {
            races.touch(0, 16, 32 + lane, read).expect("reads only");
        }
        if meet {
            races.warp_barrier(1, u32::MAX);
        }
        races.release(EMPTY, 32, ORDERED);
        races.complete(EMPTY);
        races.acquire(EMPTY, 0, ORDERED);
        races.touch(0, 16, 0, Touch::Write)
    };
    assert_eq!(write_after(Touch::ReadTogether, false), Ok(()));
    assert_eq!(write_after(Touch::Read, false), race(None, false));
    assert_eq!(write_after(Touch::Read, true), Ok(()));
}

#[test]
fn lanes_that_have_read_release_each_for_itself() {
    let mut races = with_mbarriers();
    for lane in [32, 33] {
        races.touch(0, 16, lane, Touch::Read).expect("reads only");
    }
    for lane in [32, 33] {
        races.release(EMPTY, lane, ORDERED);
    }
    races.complete(EMPTY);
    races.acquire(EMPTY, 0, ORDERED);
    assert_eq!(races.touch(0, 16, 0, Touch::Write), Ok(()), "the others have not read");
}

#[test]
fn a_copy_is_known_by_those_who_wait_for_its_mbarrier() {
    let mut races = with_mbarriers();
    races.land(0..16, FULL);
    races.complete(FULL);
    races.land(16..32, FULL);
    races.land(32..40, EMPTY);
    races.acquire(FULL, 5, ORDERED);
    let copied =
        |at, mbarrier| Err(Race { at, copy: Some(mbarrier), ..race(None, true).unwrap_err() });
    assert_eq!(races.touch(0, 16, 5, Touch::Read), Ok(()));
    assert_eq!(races.touch(16, 16, 5, Touch::Read), copied(16, FULL), "of the next phase");
    assert_eq!(races.touch(32, 4, 5, Touch::Read), copied(32, EMPTY));
    assert_eq!(races.touch(0, 16, 6, Touch::Read), copied(0, FULL), "another thread");
    races.warp_barrier(0, u32::MAX);
    assert_eq!(races.touch(0, 16, 6, Touch::Read), Ok(()), "it has met the one that waited");
    assert_eq!(races.touch(0, 16, 37, Touch::Read), copied(0, FULL));
    races.block_barrier();
    assert_eq!(races.touch(0, 16, 37, Touch::Write), Ok(()));
}

#[test]
fn a_block_does_not_meet_the_one_before() {
    let mut races = with_mbarriers();
    assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
    races.land(16..32, FULL);
    races.release(FULL, 1, ORDERED);
    races.complete(FULL);
    races.reset();
    assert_eq!(races.touch(0, 32, 40, Touch::Write), Ok(()));
    races.acquire(FULL, 41, ORDERED);
    assert_eq!(races.touch(0, 4, 41, Touch::Read), race(Some(40), true), "of this block");
}

#[test]
fn time_begins_again() {
    let mut races = with_mbarriers();
    for _ in 0..MAX_TIME + 10 {
        races.release(FULL, 1, ORDERED);
    }
    assert!(races.time() < 20);
    assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
    races.complete(FULL);
    races.acquire(FULL, 2, ORDERED);
    assert_eq!(races.touch(0, 4, 2, Touch::Read), race(Some(1), true));
}

/// The memory of the block of rank 0 of two.
fn of_cluster(threads: u32) -> Races {
    Races::new(64, Some((Team { blocks: 2, threads }, 0)))
}

#[test]
fn the_barriers_of_a_block_do_not_order_another_block() {
    let mut races = of_cluster(32);
    assert_eq!(races.touch(0, 4, 40, Touch::Write), Ok(()));
    races.block_barrier();
    assert_eq!(races.touch(0, 4, 3, Touch::Read), race(Some(40), true));
    races.arrive_at_cluster(0, u32::MAX, true);
    races.arrive_at_cluster(1, u32::MAX, true);
    races.complete_cluster();
    races.leave_cluster(0, 1 << 3);
    assert_eq!(races.touch(0, 4, 3, Touch::Read), Ok(()));
    assert_eq!(races.touch(0, 4, 4, Touch::Read), race(Some(40), true));
    races.block_barrier();
    assert_eq!(races.touch(0, 4, 4, Touch::Read), Ok(()), "its block knows");
    assert_eq!(races.touch(0, 4, 41, Touch::Read), race(Some(40), true));
}

#[test]
fn the_reads_of_other_blocks_take_bounded_memory() {
    let mut races = of_cluster(1024);
    for warp in 32..64 {
        assert_eq!(races.touch(0, 4, 32 * warp, Touch::Read), Ok(()));
    }
    assert_eq!(races.away.len(), away::MOST_READERS);
    assert_eq!(races.touch(0, 4, 0, Touch::Write), race(Some(1024), false));
}
