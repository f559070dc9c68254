//! The protocol of the blocks of a cluster: each producer copies a part of a tile of A to the blocks of its
//! row and a part of one of B to those of its column, so a stage is empty when the consumers of all these
//! have left it, and it ends when that holds for all of its stages.

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};

/// What the number of steps depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Blocks along M and along N.
    pub(super) cluster: [usize; 2],
    pub(super) stages: usize,
    pub(super) k_tiles: usize,
    consumers: usize,
}

/// The barrier of all threads of the cluster.
const START: Step = Step::Sync(Meeting::Start(0));

/// Bytes of a tile of A, and of one of B.
const BYTES: u32 = 1024;

impl Shape {
    fn blocks(self) -> usize {
        self.cluster[0] * self.cluster[1]
    }

    /// The blocks that multiply the same tile of A as a block, and those of B.
    fn sharers(self, block: usize) -> [Vec<usize>; 2] {
        let [m, _] = self.cluster;
        let blocks = 0..self.blocks();
        let of_a = blocks.clone().filter(|other| other % m == block % m);
        [of_a.collect(), blocks.filter(|other| other / m == block / m).collect()]
    }

    /// The blocks that copy to a block, and to which it copies.
    fn fillers(self, block: usize) -> Vec<usize> {
        let [of_a, of_b] = self.sharers(block);
        (0..self.blocks()).filter(|other| of_a.contains(other) || of_b.contains(other)).collect()
    }

    /// The stage of a block for a k-tile, among those of all blocks, and the parity of its phase.
    fn place(self, block: usize, tile: usize) -> (usize, u32) {
        (block * self.stages + tile % self.stages, (tile / self.stages % 2) as u32)
    }

    /// The arrivals that complete a phase of an `Empty` barrier.
    fn arrivals(self) -> u32 {
        let [m, n] = self.cluster;
        ((m + n - 1) * self.consumers) as u32
    }
}

fn producer(shape: Shape, block: usize) -> Vec<Step> {
    let copies = move |tile| {
        let sharers = shape.sharers(block).into_iter();
        sharers.flat_map(move |sharers| {
            let bytes = BYTES / sharers.len() as u32;
            sharers.into_iter().map(move |to| {
                let (stage, _) = shape.place(to, tile);
                match to == block {
                    true => Step::Copy { stage, tile, bytes },
                    false => Step::CopyToPeer { stage, tile, bytes },
                }
            })
        })
    };
    let of_tile = |tile| {
        let (stage, parity) = shape.place(block, tile);
        let left = Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity };
        let expected = Step::Expect { barrier: Barrier::Full(stage), bytes: 2 * BYTES };
        let left = (tile >= shape.stages).then_some(left);
        left.into_iter().chain([expected]).chain(copies(tile))
    };
    let own = block * shape.stages..(block + 1) * shape.stages;
    let of_tiles = (0..shape.k_tiles).flat_map(of_tile);
    initialise(own).chain([START]).chain(of_tiles).chain(drain(shape, block)).collect()
}

/// `drain`: the place that follows those of the k-tiles, and one for each other stage.
fn drain(shape: Shape, block: usize) -> impl Iterator<Item = Step> {
    (shape.k_tiles..shape.k_tiles + shape.stages).map(move |tile| {
        let (stage, parity) = shape.place(block, tile);
        Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity }
    })
}

fn consumer(shape: Shape, block: usize) -> Vec<Step> {
    let fillers = shape.fillers(block);
    let leave = |tile| {
        let empty = |of: &usize| Barrier::Empty(shape.place(*of, tile).0);
        let arrive = |of| Step::Arrive { barrier: empty(of), times: 1 };
        fillers.iter().map(arrive).collect::<Vec<_>>()
    };
    let mut steps = vec![START];
    for tile in 0..shape.k_tiles {
        let (stage, parity) = shape.place(block, tile);
        steps.push(Step::Wait { barrier: Barrier::Full(stage), parity });
        steps.push(Step::Multiply { stage, tile });
        if tile > 0 {
            steps.push(Step::Retire { left: 1 });
            steps.extend(leave(tile - 1));
        }
    }
    steps.push(Step::Retire { left: 0 });
    steps.extend(shape.k_tiles.checked_sub(1).into_iter().flat_map(leave));
    steps
}

/// The roles of each block follow each other: its producer, its consumers.
fn protocol(shape: Shape) -> Protocol {
    let roles = (0..shape.blocks()).flat_map(|block| {
        [
            Role { processes: 1, steps: producer(shape, block) },
            Role { processes: shape.consumers, steps: consumer(shape, block) },
        ]
    });
    Protocol {
        blocks: shape.blocks(),
        stages: shape.blocks() * shape.stages,
        arrivals: [1, shape.arrivals()],
        readers: shape.consumers,
        roles: roles.collect(),
    }
}

/// Rings of two stages in clusters of four blocks, and those of two or three in clusters of two.
fn shapes() -> impl Iterator<Item = Shape> {
    let of = |cluster, stages, consumers| {
        let shape = move |k_tiles| Shape { cluster, stages, k_tiles, consumers };
        (0..=2 * stages + 1).map(shape)
    };
    let fours = [[2, 2], [4, 1], [1, 4]].into_iter().flat_map(move |four| of(four, 2, 1));
    let of_pair = move |pair| {
        (2..4).flat_map(move |stages| (1..3).flat_map(move |consumers| of(pair, stages, consumers)))
    };
    [[2, 1], [1, 2]].into_iter().flat_map(of_pair).chain(fours)
}

#[test]
fn every_state_is_legal_and_every_walk_ends() {
    let square = Shape { cluster: [2, 2], stages: 3, k_tiles: 7, consumers: 1 };
    let two_consumers = Shape { stages: 2, k_tiles: 3, consumers: 2, ..square };
    for shape in shapes().chain([square, two_consumers]) {
        let walked = walk(&protocol(shape));
        assert!(walked.is_ok(), "{shape:?}: {walked:?}");
    }
}

/// The faults of protocols that are changed in the same way, each once.
pub(super) fn faults(change: impl Fn(Shape, &mut Protocol)) -> Vec<Fault> {
    faults_of(|_| true, change)
}

/// Those of some shapes.
fn faults_of(has: impl Fn(&Shape) -> bool, change: impl Fn(Shape, &mut Protocol)) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes().filter(has) {
        let mut changed = protocol(shape);
        change(shape, &mut changed);
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

/// Replaces the arrivals with which the consumers of a block leave a stage: each is at these blocks.
fn leave_at(shape: Shape, changed: &mut Protocol, blocks: impl Fn(usize) -> Vec<usize>) {
    for (number, role) in changed.roles.iter_mut().enumerate() {
        let own = number / 2;
        let left = role.steps.iter().flat_map(|step| match *step {
            Step::Arrive { barrier: Barrier::Empty(stage), times } => {
                let (block, stage) = (stage / shape.stages, stage % shape.stages);
                let at = if block == own { blocks(own) } else { Vec::new() };
                let empty = |block: usize| Barrier::Empty(block * shape.stages + stage);
                at.into_iter().map(|block| Step::Arrive { barrier: empty(block), times }).collect()
            }
            step => vec![step],
        });
        role.steps = left.collect();
    }
}

#[test]
fn each_block_waits_for_the_consumers_of_all_to_which_it_copies() {
    // Consumers that arrive at the barriers of their own block alone.
    let own_only = faults(|shape, changed| {
        changed.arrivals[1] = shape.consumers as u32;
        leave_at(shape, changed, |block| vec![block]);
    });
    assert_eq!(own_only, [Fault::Overwritten]);
    let own_counted = faults(|shape, changed| changed.arrivals[1] = shape.consumers as u32);
    // A block of few k-tiles ends early; one of more expects a k-tile before the last one was read.
    assert_eq!(own_counted, [Fault::Ended, Fault::Arrivals]);
}

/// Whether blocks share tiles of both sides.
fn share_both(shape: &Shape) -> bool {
    shape.cluster == [2, 2]
}

#[test]
fn a_block_waits_for_its_row_and_its_column() {
    for side in [0, 1] {
        let one_side = faults_of(share_both, |shape, changed| {
            changed.arrivals[1] = (shape.cluster[1 - side] * shape.consumers) as u32;
            leave_at(shape, changed, |block| shape.sharers(block)[side].clone());
        });
        assert_eq!(one_side, [Fault::Overwritten], "{side}");
    }
}

#[test]
fn a_block_does_not_count_blocks_outside_its_row_and_column() {
    let at_all = faults_of(share_both, |shape, changed| {
        leave_at(shape, changed, |_| (0..shape.blocks()).collect());
    });
    assert_eq!(at_all, [Fault::Ended, Fault::Arrivals]);
    let all_are_counted = faults_of(share_both, |shape, changed| {
        changed.arrivals[1] = (shape.blocks() * shape.consumers) as u32;
    });
    assert_eq!(all_are_counted, [Fault::Deadlock]);
}

#[test]
fn no_block_copies_to_another_one_before_that_has_barriers() {
    let each_by_itself = faults(|_, changed| {
        for (number, role) in changed.roles.iter_mut().enumerate() {
            for step in role.steps.iter_mut().filter(|step| **step == START) {
                *step = Step::Sync(Meeting::Start(number / 2));
            }
        }
    });
    assert_eq!(each_by_itself, [Fault::NotInitialised]);
}

#[test]
fn each_stage_expects_the_bytes_of_all_blocks() {
    let expects = |changed: &mut Protocol, expected| {
        for step in changed.roles.iter_mut().flat_map(|role| &mut role.steps) {
            if let Step::Expect { bytes, .. } = step {
                *bytes = expected;
            }
        }
    };
    let own = |Shape { cluster: [m, n], .. }: Shape| BYTES / m as u32 + BYTES / n as u32;
    let fewer = faults(|shape, changed| expects(changed, own(shape)));
    assert_eq!(fewer, [Fault::Bytes, Fault::Overwritten]);
    let more = faults(|_, changed| expects(changed, 2 * BYTES + BYTES / 4));
    assert_eq!(more, [Fault::Deadlock]);
}
