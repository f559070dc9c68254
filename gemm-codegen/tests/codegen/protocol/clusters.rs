//! The protocol of two blocks of a cluster: each producer copies a tile of its own and half of a tile to
//! both, so a stage is empty when the consumers of both blocks have left it.

use gemm_codegen::{Element, Mma, Plan, emit};

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};
use crate::shared::{TN, extent, product, with};

/// What the number of steps depends on.
#[derive(Clone, Copy, Debug)]
struct Shape {
    stages: usize,
    k_tiles: usize,
    consumers: usize,
}

/// The barrier of all threads of the cluster.
const START: Step = Step::Sync(Meeting::Start(0));

/// Bytes of a tile that one block multiplies, and of half of one that both do.
const OWN: u32 = 1024;
const HALF: u32 = 512;

/// The stage of a block for a k-tile, among those of both blocks, and the parity of its phase.
fn place(shape: Shape, block: usize, tile: usize) -> (usize, u32) {
    (block * shape.stages + tile % shape.stages, (tile / shape.stages % 2) as u32)
}

fn producer(shape: Shape, block: usize) -> Vec<Step> {
    let of_tile = |tile| {
        let ((stage, parity), (of_peer, _)) =
            (place(shape, block, tile), place(shape, 1 - block, tile));
        let left = Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity };
        let requested = [
            Step::Expect { barrier: Barrier::Full(stage), bytes: OWN + 2 * HALF },
            Step::Copy { stage, tile, bytes: OWN },
            Step::Copy { stage, tile, bytes: HALF },
            Step::CopyToPeer { stage: of_peer, tile, bytes: HALF },
        ];
        (tile >= shape.stages).then_some(left).into_iter().chain(requested)
    };
    let own = block * shape.stages..(block + 1) * shape.stages;
    let of_tiles = (0..shape.k_tiles).flat_map(of_tile);
    initialise(own).chain([START]).chain(of_tiles).collect()
}

fn consumer(shape: Shape, block: usize) -> Vec<Step> {
    let leave = |tile| {
        [0, 1]
            .map(|of| Step::Arrive { barrier: Barrier::Empty(place(shape, of, tile).0), times: 1 })
    };
    let mut steps = vec![START];
    for tile in 0..shape.k_tiles {
        let (stage, parity) = place(shape, block, tile);
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

fn protocol(shape: Shape) -> Protocol {
    let roles = [0, 1].into_iter().flat_map(|block| {
        [
            Role { processes: 1, steps: producer(shape, block) },
            Role { processes: shape.consumers, steps: consumer(shape, block) },
        ]
    });
    Protocol {
        stages: 2 * shape.stages,
        arrivals: [1, 2 * shape.consumers as u32],
        readers: shape.consumers,
        roles: roles.collect(),
    }
}

fn shapes() -> impl Iterator<Item = Shape> {
    (2..4).flat_map(|stages| {
        (0..=2 * stages + 1).flat_map(move |k_tiles| {
            (1..3).map(move |consumers| Shape { stages, k_tiles, consumers })
        })
    })
}

#[test]
fn every_state_is_legal_and_every_walk_ends() {
    for shape in shapes() {
        let walked = walk(&protocol(shape));
        assert!(walked.is_ok(), "{shape:?}: {walked:?}");
    }
}

/// The faults of protocols that are changed in the same way, each once.
fn faults(change: impl Fn(Shape, &mut Protocol)) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes() {
        let mut changed = protocol(shape);
        change(shape, &mut changed);
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

#[test]
fn each_block_waits_for_the_consumers_of_both() {
    // Consumers that arrive at the barriers of their own block alone.
    let own_only = faults(|shape, changed| {
        changed.arrivals[1] = shape.consumers as u32;
        for (number, role) in changed.roles.iter_mut().enumerate() {
            let stages = (number / 2) * shape.stages..(number / 2 + 1) * shape.stages;
            role.steps.retain(|step| match step {
                Step::Arrive { barrier: Barrier::Empty(stage), .. } => stages.contains(stage),
                _ => true,
            });
        }
    });
    assert!(own_only.contains(&Fault::Overwritten), "{own_only:?}");
    let half_counted = faults(|shape, changed| changed.arrivals[1] = shape.consumers as u32);
    assert_eq!(
        half_counted,
        [Fault::Arrivals],
        "a k-tile is expected before the last one was read"
    );
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
fn each_stage_expects_the_bytes_of_both_blocks() {
    let expects = |changed: &mut Protocol, expected| {
        for step in changed.roles.iter_mut().flat_map(|role| &mut role.steps) {
            if let Step::Expect { bytes, .. } = step {
                *bytes = expected;
            }
        }
    };
    let fewer = faults(|_, changed| expects(changed, OWN + HALF));
    assert!(!fewer.is_empty());
    assert_eq!(faults(|_, changed| expects(changed, OWN + 3 * HALF)), [Fault::Deadlock]);
}

#[test]
fn the_text_has_the_steps_of_the_protocol() {
    let spec = with(product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.cluster = Some([2, 1].map(extent));
    });
    let text = emit(&Plan::new(&spec).expect("a legal spec")).text;
    let mut at = 0;
    for line in [
        "struct TileA {",
        "SHARED = false;",
        "struct TileB {",
        "SHARED = true;",
        "EMPTY_ARRIVALS = CLUSTER *",
        "if constexpr (Tile::SHARED) multicast_box(to, operand, box, barrier);",
        "mbarrier_init(ring.full + stage * 8, FULL_ARRIVALS);",
        "mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);",
        "mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES);",
        "mbarrier_wait_cluster(ring.empty + place.stage * 8, place.parity);",
        "copy_tile<TileA>(",
        "copy_tile<TileB>(",
        "if (lane < CLUSTER) mbarrier_arrive_at(ring.empty + stage * 8, lane);",
        "initialise(ring);",
        "cluster_sync();",
        "started = start(ring, block, a, b, 0, k);",
        "produce(ring, place, block, a, b, 0, k, started);",
        "epilogue(",
        "cluster_sync();",
    ] {
        at += text[at..].find(line).unwrap_or_else(|| panic!("{line}"));
    }
}
