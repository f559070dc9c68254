use super::super::{MAX_TIME, Touch};
use super::*;
use crate::memory::clocks::Team;
use crate::program::{Ordering, Scope};

const ORDERED: Ordering = Ordering { orders: true, scope: Scope::Block };

const FULL: u32 = 48;
const EMPTY: u32 = 56;
/// Threads of two warps.
const READER: u32 = 40;
const COPIER: u32 = 1;

/// Of a block of three warps.
fn races() -> Races {
    Races::new(64, Some((Team::alone(96), 0)))
}

/// A thread arrives, another waits for it.
fn hand_over(races: &mut Races, from: u32, to: u32) {
    races.release(EMPTY, from, ORDERED);
    races.complete(EMPTY);
    races.acquire(EMPTY, to, ORDERED);
}

fn fence(races: &mut Races, thread: u32) {
    races.fence_proxies(thread / 32, 1 << (thread % 32));
}

fn copy(races: &mut Races, thread: u32) -> Result<(), Race> {
    races.touch(0, 16, thread, Touch::Copy)
}

fn unfenced(other: Option<u32>, other_wrote: bool) -> Result<(), Race> {
    Err(Race { at: 0, other, other_wrote, copy: None, reading: None, unfenced: true })
}

/// The verdict on a copy after an access of another thread, its arrival and the wait for it, with fences as chosen.
struct Way {
    touch: Touch,
    before_touch: Option<u32>,
    before_arrival: Option<u32>,
    before_copy: Option<u32>,
}

const BARE: Way =
    Way { touch: Touch::Read, before_touch: None, before_arrival: None, before_copy: None };

impl Way {
    fn go(&self) -> Result<(), Race> {
        let mut races = races();
        let fence_of = |races: &mut Races, thread: Option<u32>| {
            thread.into_iter().for_each(|thread| fence(races, thread));
        };
        fence_of(&mut races, self.before_touch);
        races.touch(0, 16, READER, self.touch).expect("the first");
        fence_of(&mut races, self.before_arrival);
        hand_over(&mut races, READER, COPIER);
        fence_of(&mut races, self.before_copy);
        copy(&mut races, COPIER)
    }
}

#[test]
fn a_copy_after_an_access_needs_a_fence() {
    assert_eq!(BARE.go(), unfenced(Some(READER), false));
    assert_eq!(Way { touch: Touch::ReadTogether, ..BARE }.go(), unfenced(None, false));
    assert_eq!(Way { touch: Touch::Write, ..BARE }.go(), unfenced(Some(READER), true));
    assert_eq!(Way { touch: Touch::Atomic, ..BARE }.go(), unfenced(Some(READER), true));
}

#[test]
fn the_fence_is_of_either_side_between_the_access_and_the_copy() {
    for touch in [Touch::Read, Touch::ReadTogether, Touch::Write, Touch::Atomic] {
        let bare = Way { touch, ..BARE };
        assert_eq!(Way { before_arrival: Some(READER), ..bare }.go(), Ok(()), "{touch:?}");
        assert_eq!(Way { before_copy: Some(COPIER), ..bare }.go(), Ok(()), "{touch:?}");
        for misplaced in [
            Way { before_touch: Some(READER), ..bare },
            Way { before_touch: Some(COPIER), ..bare },
            Way { before_arrival: Some(COPIER), ..bare },
            Way { before_copy: Some(READER), ..bare },
            Way { before_copy: Some(COPIER + 1), ..bare },
        ] {
            let race = misplaced.go().expect_err("is not after a fence");
            assert!(race.unfenced, "{touch:?}");
        }
    }
}

#[test]
fn a_third_thread_fences_what_it_has_waited_for() {
    let third = 70;
    for behind_its_wait in [true, false] {
        let mut races = races();
        races.touch(0, 16, READER, Touch::Read).expect("the first");
        if !behind_its_wait {
            fence(&mut races, third);
        }
        hand_over(&mut races, READER, third);
        if behind_its_wait {
            fence(&mut races, third);
        }
        hand_over(&mut races, third, COPIER);
        let want = if behind_its_wait { Ok(()) } else { unfenced(Some(READER), false) };
        assert_eq!(copy(&mut races, COPIER), want);
    }
}

#[test]
fn a_barrier_of_the_block_hands_on_what_is_fenced() {
    let stored = |before: Option<u32>, between: Option<u32>| {
        let mut races = races();
        races.touch(0, 16, READER, Touch::Write).expect("the first");
        for thread in [before, between] {
            thread.into_iter().for_each(|thread| fence(&mut races, thread));
            races.block_barrier();
        }
        races
    };
    assert_eq!(copy(&mut stored(Some(READER), None), COPIER), Ok(()));
    assert_eq!(copy(&mut stored(Some(READER + 1), None), COPIER), unfenced(Some(READER), true));
    assert_eq!(copy(&mut stored(None, None), COPIER), unfenced(Some(READER), true));
    // Behind the barrier everybody knows the store.
    assert_eq!(copy(&mut stored(None, Some(70)), COPIER), Ok(()));
    let mut last = stored(None, None);
    fence(&mut last, 70);
    assert_eq!(copy(&mut last, COPIER), unfenced(Some(READER), true), "of another thread");
    fence(&mut last, COPIER);
    assert_eq!(copy(&mut last, COPIER), Ok(()));
}

#[test]
fn lanes_that_meet_hand_on_what_is_fenced() {
    let copied = |fence_first: bool| {
        let mut races = races();
        races.touch(0, 16, READER, Touch::Write).expect("the first");
        if fence_first {
            fence(&mut races, READER + 1);
        }
        races.warp_barrier(1, u32::MAX);
        if !fence_first {
            fence(&mut races, READER + 1);
        }
        hand_over(&mut races, READER + 1, COPIER);
        copy(&mut races, COPIER)
    };
    assert_eq!(copied(false), Ok(()));
    assert_eq!(copied(true), unfenced(Some(READER), true), "before the meeting");
    let mut races = races();
    races.touch(0, 16, COPIER + 1, Touch::Write).expect("the first");
    fence(&mut races, COPIER + 1);
    races.warp_barrier(0, u32::MAX);
    assert_eq!(copy(&mut races, COPIER), Ok(()), "within a warp");
}

#[test]
fn an_access_that_nothing_orders_is_a_race() {
    let mut races = races();
    races.touch(0, 16, READER, Touch::Read).expect("the first");
    fence(&mut races, READER);
    fence(&mut races, COPIER);
    let race = copy(&mut races, COPIER).expect_err("is not ordered");
    assert!(!race.unfenced, "{race:?}");
}

#[test]
fn a_thread_fences_what_it_did_itself() {
    let mut races = races();
    races.touch(0, 16, COPIER, Touch::Write).expect("the first");
    assert_eq!(copy(&mut races, COPIER), unfenced(Some(COPIER), true));
    fence(&mut races, COPIER);
    assert_eq!(copy(&mut races, COPIER), Ok(()));
}

#[test]
fn a_copy_after_another_needs_no_fence() {
    let mut races = races();
    races.touch(0, 16, READER, Touch::Read).expect("the first");
    hand_over(&mut races, READER, COPIER);
    fence(&mut races, COPIER);
    assert_eq!(copy(&mut races, COPIER), Ok(()));
    for next in [COPIER, 70] {
        races.land(0..16, FULL);
        races.complete(FULL);
        races.acquire(FULL, next, ORDERED);
        assert_eq!(copy(&mut races, next), Ok(()), "nor for the reads before the first");
    }
    races.land(0..16, FULL);
    races.complete(FULL);
    races.acquire(FULL, 70, ORDERED);
    races.touch(0, 16, 70, Touch::Read).expect("waited for the copy");
    assert_eq!(copy(&mut races, 70), unfenced(Some(70), false), "read since");
}

#[test]
fn lanes_that_read_the_same_fence_each_for_itself() {
    let copied = |fenced: [bool; 2]| {
        let mut races = races();
        for (lane, fenced) in (READER..).zip(fenced) {
            races.touch(0, 16, lane, Touch::Read).expect("reads only");
            if fenced {
                fence(&mut races, lane);
            }
        }
        races.release(EMPTY, READER, ORDERED);
        hand_over(&mut races, READER + 1, COPIER);
        copy(&mut races, COPIER)
    };
    assert_eq!(copied([true, true]), Ok(()));
    for fenced in [[true, false], [false, true], [false, false]] {
        assert_eq!(copied(fenced), unfenced(None, false), "{fenced:?}");
    }
}

#[test]
fn of_several_atomics_one_fence_is_enough_to_be_told() {
    let copied = |fenced: Option<u32>| {
        let mut races = races();
        for thread in [READER, 70] {
            races.touch(0, 4, thread, Touch::Atomic).expect("atomics only");
        }
        fenced.into_iter().for_each(|thread| fence(&mut races, thread));
        races.block_barrier();
        copy(&mut races, COPIER)
    };
    assert_eq!(copied(None), unfenced(None, true));
    assert_eq!(copied(Some(70)), Ok(()));
}

#[test]
fn the_block_before_needs_no_fence() {
    let mut races = races();
    races.touch(0, 16, READER, Touch::Write).expect("the first");
    races.touch(0, 16, READER, Touch::Read).expect("its own");
    races.reset();
    assert_eq!(copy(&mut races, COPIER), Ok(()));
    races.touch(16, 16, COPIER, Touch::Write).expect("of this block");
    fence(&mut races, COPIER);
    races.reset();
    races.touch(0, 16, COPIER, Touch::Write).expect("of the next");
    assert_eq!(copy(&mut races, COPIER), unfenced(Some(COPIER), true), "with the fence before");
}

#[test]
fn time_begins_again() {
    let mut races = races();
    races.touch(0, 16, COPIER, Touch::Write).expect("the first");
    for _ in 0..MAX_TIME {
        fence(&mut races, READER);
    }
    assert_eq!(copy(&mut races, COPIER), Ok(()), "is forgotten");
    races.touch(0, 16, COPIER, Touch::Write).expect("its own");
    assert_eq!(copy(&mut races, COPIER), unfenced(Some(COPIER), true));
    fence(&mut races, COPIER);
    assert_eq!(copy(&mut races, COPIER), Ok(()));
}

#[test]
fn a_kernel_without_mbarriers_has_no_clocks() {
    let mut races = Races::new(16, None);
    races.touch(0, 16, READER, Touch::Write).expect("the first");
    fence(&mut races, READER);
    races.block_barrier();
    assert_eq!(races.touch(0, 16, COPIER, Touch::Write), Ok(()));
}
