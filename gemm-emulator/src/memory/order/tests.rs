//! Two or three blocks that store, count and read.

use super::*;

const SPAN: Span = Span { all: 16, offset: 4, width: 4 };
const COUNT: u64 = 0x1000;

struct World {
    order: Order,
    stamps: Stamps,
}

fn world() -> World {
    World { order: Order::default(), stamps: Stamps::default() }
}

fn block(number: u64) -> BlockOrder {
    let mut block = BlockOrder::new(64);
    block.reset(number);
    block
}

impl World {
    fn store(&self, block: &BlockOrder, thread: u32) -> Option<u32> {
        self.order.store(&self.stamps, SPAN, block, thread)
    }

    fn load(&self, block: &BlockOrder, thread: u32) -> Option<u32> {
        self.order.load(&self.stamps, SPAN, block, thread)
    }

    fn count(&self, block: &mut BlockOrder, thread: u32) {
        self.order.atomic(block, (COUNT, thread), || ());
    }

    /// What thread 9 of another block finds, which counts in thread 0, followed by a fence and a barrier.
    fn last(&self) -> Option<u32> {
        let mut last = block(8);
        self.count(&mut last, 0);
        last.fence(0);
        last.barrier();
        self.load(&last, 9)
    }
}

#[test]
fn a_barrier_a_fence_and_an_atomic_publish() {
    let (world, mut first) = (world(), block(3));
    assert_eq!(world.store(&first, 40), None);
    assert_eq!(world.load(&first, 41), None, "a block's own stores are not looked at");
    first.barrier();
    first.fence(0);
    world.count(&mut first, 0);
    assert_eq!(world.last(), None);
}

#[test]
fn each_part_of_publishing_is_needed() {
    for missing in 0..3 {
        let (world, mut first) = (world(), block(3));
        assert_eq!(world.store(&first, 40), None);
        if missing != 0 {
            first.barrier();
        }
        if missing != 1 {
            first.fence(0);
        }
        if missing != 2 {
            world.count(&mut first, 0);
        }
        assert_eq!(world.last(), Some(3), "{missing}");
    }
}

#[test]
fn a_thread_s_own_stores_need_no_barrier() {
    let (world, mut first) = (world(), block(0));
    first.fence(0);
    assert_eq!(world.store(&first, 0), None);
    world.count(&mut first, 0);
    assert_eq!(world.last(), Some(0), "the fence is older than the store");
    first.fence(0);
    world.count(&mut first, 0);
    assert_eq!(world.last(), None);
}

#[test]
fn each_part_of_taking_is_needed() {
    let (world, mut first) = (world(), block(3));
    assert_eq!(world.store(&first, 0), None);
    first.fence(0);
    world.count(&mut first, 0);
    let mut other = block(5);
    assert_eq!(world.load(&other, 0), Some(3));
    other.fence(0);
    assert_eq!(world.load(&other, 0), Some(3), "a fence without an atomic before");
    world.count(&mut other, 0);
    assert_eq!(world.load(&other, 0), Some(3), "no fence after the atomic");
    other.fence(0);
    assert_eq!(world.load(&other, 0), None);
    assert_eq!(world.load(&other, 1), Some(3), "another thread without a barrier");
    other.barrier();
    assert_eq!(world.load(&other, 1), None);
    assert_eq!(world.store(&other, 1), None);
    assert_eq!(world.load(&first, 0), Some(5));
}

#[test]
fn what_comes_later_is_not_known() {
    let (world, mut first) = (world(), block(3));
    first.fence(0);
    world.count(&mut first, 0);
    let mut other = block(5);
    world.count(&mut other, 0);
    other.fence(0);
    assert_eq!(world.store(&first, 0), None);
    first.fence(0);
    world.count(&mut first, 0);
    assert_eq!(world.load(&other, 0), Some(3));
}

#[test]
fn what_is_known_is_told_on() {
    let (world, mut first, mut second) = (world(), block(1), block(2));
    assert_eq!(world.store(&first, 0), None);
    first.fence(0);
    world.order.atomic(&mut first, (0x2000, 0), || ());
    world.order.atomic(&mut second, (0x2000, 0), || ());
    second.fence(0);
    world.count(&mut second, 0);
    assert_eq!(world.last(), None);
}

#[test]
fn stamps_hold_what_they_are_made_of() {
    for thread in [0, 1, 1023] {
        for (barriers, fences) in [(0, 0), (5, 3), (MOST_BARRIERS, MOST_FENCES)] {
            let moment = Moment { thread, barriers, fences };
            assert_eq!(moment_of(stamp(7, moment)), moment);
            assert_eq!(block_of(stamp(7, moment)), 7);
        }
    }
}
