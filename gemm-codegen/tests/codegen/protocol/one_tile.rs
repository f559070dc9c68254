//! The protocol of a block that computes one tile: a producer, and consumers that stage where the ring
//! is.

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};

/// What the number of steps depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) stages: usize,
    pub(super) consumers: usize,
    pub(super) k_tiles: usize,
}

/// The barrier of all threads of the block.
pub(super) const START: Step = Step::Sync(Meeting::Start(0));

/// The barrier of those that multiply.
const SYNC: Step = Step::Sync(Meeting::Later);

/// Bytes of the boxes of a k-tile, and warps of each consumer, which arrive one by one.
const BOXES: [u32; 2] = [8192, 5120];
const WARPS: u32 = 4;

/// The stage of a k-tile, and the parity of the phase in which it lands there.
fn place(Shape { stages, .. }: Shape, tile: usize) -> (usize, u32) {
    (tile % stages, (tile / stages % 2) as u32)
}

/// `initialise`, `start` and `produce`: the others of the block wait until there are barriers, and
/// those copies are requested for which no stage has to be left.
fn producer(shape: Shape) -> Vec<Step> {
    let of_tile = |tile| {
        let (stage, parity) = place(shape, tile);
        let [a, b] = BOXES;
        let left = Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity };
        let requested = [
            Step::Expect { barrier: Barrier::Full(stage), bytes: a + b },
            Step::Copy { stage, tile, bytes: a },
            Step::Copy { stage, tile, bytes: b },
        ];
        (tile >= shape.stages).then_some(left).into_iter().chain(requested)
    };
    let started = shape.k_tiles.min(shape.stages);
    initialise(0..shape.stages)
        .chain((0..started).flat_map(of_tile))
        .chain([START])
        .chain((started..shape.k_tiles).flat_map(of_tile))
        .collect()
}

/// `mainloop`, and the staging of the epilogue.
fn consumer(shape: Shape) -> Vec<Step> {
    let of_tile = |tile: usize| {
        let (stage, parity) = place(shape, tile);
        let wait = Step::Wait { barrier: Barrier::Full(stage), parity };
        let leave = tile.checked_sub(1).map(|before| Step::Arrive {
            barrier: Barrier::Empty(place(shape, before).0),
            times: WARPS,
        });
        [wait, Step::Multiply { stage, tile }, Step::Retire { left: 1 }].into_iter().chain(leave)
    };
    let of_tiles = (0..shape.k_tiles).flat_map(of_tile);
    let end = match shape.k_tiles {
        0 => vec![Step::WriteRing],
        _ => vec![Step::Retire { left: 0 }, SYNC, Step::WriteRing],
    };
    std::iter::once(START).chain(of_tiles).chain(end).collect()
}

pub(super) fn protocol(shape: Shape) -> Protocol {
    Protocol {
        blocks: 1,
        stages: shape.stages,
        arrivals: [1, WARPS * shape.consumers as u32],
        readers: shape.consumers,
        roles: vec![
            Role { processes: 1, steps: producer(shape) },
            Role { processes: shape.consumers, steps: consumer(shape) },
        ],
    }
}

/// All rings of these stages, up to a k-tile beyond the second time round.
fn shapes(stages: impl Iterator<Item = usize>) -> impl Iterator<Item = Shape> {
    stages.flat_map(|stages| {
        (1..=3).flat_map(move |consumers| {
            (0..=2 * stages + 1).map(move |k_tiles| Shape { stages, consumers, k_tiles })
        })
    })
}

#[test]
fn every_state_is_legal_and_every_walk_ends() {
    let mut states = 0;
    for shape in shapes(2..9) {
        let walked = walk(&protocol(shape));
        states += walked.unwrap_or_else(|fault| panic!("{shape:?}: {fault:?}"));
    }
    assert!(states > 50_000, "{states}");
}

#[test]
fn a_ring_of_one_stage_deadlocks() {
    // A stage is left when the next k-tile has landed: the rule `pipeline-depth`.
    for shape in shapes(1..2) {
        let walked = walk(&protocol(shape)).map(|_| ());
        let expected = if shape.k_tiles < 2 { Ok(()) } else { Err(Fault::Deadlock) };
        assert_eq!(walked, expected, "{shape:?}");
    }
}

#[test]
fn four_warps_that_go_on_by_themselves_are_as_legal() {
    for shape in shapes(2..5).filter(|shape| shape.consumers == 1) {
        let mut warps = protocol(shape);
        (warps.readers, warps.roles[1].processes) = (WARPS as usize, WARPS as usize);
        for step in &mut warps.roles[1].steps {
            if let Step::Arrive { times, .. } = step {
                *times = 1;
            }
        }
        assert!(walk(&warps).is_ok(), "{shape:?}");
    }
}

/// The faults that a change leads to, each once, in the order of the shapes.
pub(super) fn faults(change: impl Fn(&mut Protocol, Shape)) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes(2..4) {
        let mut changed = protocol(shape);
        change(&mut changed, shape);
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

/// Changes the steps of a role one by one; `None` removes a step.
fn edited(role: usize, edit: impl Fn(Step, Shape) -> Option<Step>) -> Vec<Fault> {
    faults(|protocol, shape| {
        let steps = &mut protocol.roles[role].steps;
        *steps = steps.iter().filter_map(|step| edit(*step, shape)).collect();
    })
}

/// The producer and the consumers in the list of roles.
pub(super) const PRODUCER: usize = 0;
pub(super) const CONSUMER: usize = 1;

#[test]
fn each_wait_arrival_and_copy_is_needed() {
    use Fault::{Arrivals, Bytes, Deadlock, NotLanded, Overwritten, RingInUse};
    let removed = |role, is_it: fn(Step) -> bool| {
        edited(role, |step, _| Some(step).filter(|step| !is_it(*step)))
    };
    let waits = |step| matches!(step, Step::Wait { .. });
    let arrives = |step| matches!(step, Step::Arrive { .. });
    let expects = |step| matches!(step, Step::Expect { .. });
    let copies = |step| matches!(step, Step::Copy { .. });
    let multiplies = |step| matches!(step, Step::Multiply { .. });
    assert_eq!(removed(PRODUCER, waits), [Arrivals]);
    assert_eq!(removed(PRODUCER, expects), [Bytes]);
    assert_eq!(removed(PRODUCER, copies), [Deadlock]);
    assert_eq!(removed(CONSUMER, waits), [NotLanded]);
    assert_eq!(removed(CONSUMER, arrives), [Deadlock]);
    assert_eq!(removed(CONSUMER, multiplies), [RingInUse, Overwritten]);
    assert_eq!(removed(CONSUMER, |step| step == Step::Retire { left: 1 }), [Overwritten]);
    assert_eq!(removed(CONSUMER, |step| step == Step::Retire { left: 0 }), [RingInUse]);
    assert_eq!(removed(CONSUMER, |step| step == SYNC), [RingInUse]);
    let producers = |count| faults(move |protocol, _| protocol.roles[PRODUCER].processes = count);
    assert_eq!(producers(0), [Fault::NotInitialised]);
    assert_eq!(producers(2), [Arrivals]);
    assert!(faults(|protocol, _| protocol.readers += 1).contains(&RingInUse));
}

#[test]
fn each_number_of_the_protocol_matters() {
    use Fault::{Arrivals, Bytes, Deadlock, NotLanded};
    let times = |times: u32| {
        edited(CONSUMER, move |step, _| match step {
            Step::Arrive { barrier, .. } => Some(Step::Arrive { barrier, times }),
            step => Some(step),
        })
    };
    assert_eq!(times(1), [Deadlock], "one warp of four");
    assert_eq!(times(32 * WARPS), [Arrivals], "every lane");
    let bytes = |bytes: u32| {
        edited(PRODUCER, move |step, _| match step {
            Step::Expect { barrier, .. } => Some(Step::Expect { barrier, bytes }),
            step => Some(step),
        })
    };
    let [a, b] = BOXES;
    assert_eq!(bytes(a), [Bytes], "those of A alone");
    assert_eq!(bytes(a + b + 16), [Deadlock]);
    let parity = |role, change: fn(u32) -> u32| {
        edited(role, move |step, _| match step {
            Step::Wait { barrier, parity } => Some(Step::Wait { barrier, parity: change(parity) }),
            step => Some(step),
        })
    };
    assert_eq!(parity(PRODUCER, |parity| 1 - parity), [Arrivals]);
    // In a walk the first ring lands before the consumers begin: they miss its phases.
    assert_eq!(parity(CONSUMER, |parity| 1 - parity), [Deadlock]);
    let still = [parity(PRODUCER, |_| 1), parity(CONSUMER, |_| 0)];
    assert!(still[0].contains(&Arrivals), "a parity that does not turn: {still:?}");
    assert!(still[1].contains(&NotLanded), "a parity that does not turn: {still:?}");
}

#[test]
fn a_stage_is_left_when_its_products_have_ended() {
    let in_flight = edited(CONSUMER, |step, _| match step {
        Step::Retire { left: 1 } => Some(Step::Retire { left: 2 }),
        step => Some(step),
    });
    assert_eq!(in_flight, [Fault::Overwritten], "a stage is left whose products are in flight");
    let too_soon = edited(CONSUMER, |step, Shape { stages, .. }| match step {
        Step::Arrive { barrier: Barrier::Empty(stage), times } => {
            Some(Step::Arrive { barrier: Barrier::Empty((stage + 1) % stages), times })
        }
        step => Some(step),
    });
    assert_eq!(too_soon, [Fault::Deadlock], "the stage of this k-tile in place of the one before");
}

#[test]
fn the_producer_waits_before_it_expects() {
    // What the stage held may not have landed yet: its phase takes no more arrivals.
    let too_soon = faults(|protocol, _| {
        let steps = &mut protocol.roles[PRODUCER].steps;
        for at in 0..steps.len() {
            if matches!(steps[at], Step::Expect { .. })
                && matches!(steps[at - 1], Step::Wait { .. })
            {
                steps.swap(at - 1, at);
            }
        }
    });
    assert_eq!(too_soon, [Fault::Arrivals]);
}
