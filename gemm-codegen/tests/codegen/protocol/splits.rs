//! The protocol of a cluster whose blocks share the K of a tile: each has a producer, consumers and
//! a ring of its own, and writes to the rings of the others between two barriers of the cluster.

use gemm_codegen::{Element, Mma, Plan, Splits, emit};

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};
use crate::shared::{TN, extent, product, with};

/// What the number of steps depends on.
#[derive(Clone, Copy, Debug)]
struct Shape {
    blocks: usize,
    stages: usize,
    k_tiles: usize,
    consumers: usize,
}

/// The barrier of the cluster, for those that multiply.
const MEET: Step = Step::Sync(Meeting::Later);

/// Bytes of the boxes of a k-tile.
const BYTES: u32 = 1024;

/// The k-tiles of a block, as `part_of_block` deals them.
fn part(Shape { blocks, k_tiles, .. }: Shape, rank: usize) -> std::ops::Range<usize> {
    let (each, more) = (k_tiles / blocks, k_tiles % blocks);
    let from = rank * each + rank.min(more);
    from..from + each + usize::from(rank < more)
}

/// The stage of a block for a k-tile of its part, among those of all blocks, and the parity of its
/// phase.
fn place(Shape { stages, .. }: Shape, rank: usize, number: usize) -> (usize, u32) {
    (rank * stages + number % stages, (number / stages % 2) as u32)
}

fn producer(shape: Shape, rank: usize) -> Vec<Step> {
    let of_tile = |(number, tile)| {
        let (stage, parity) = place(shape, rank, number);
        let left = Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity };
        let requested = [
            Step::Expect { barrier: Barrier::Full(stage), bytes: BYTES },
            Step::Copy { stage, tile, bytes: BYTES },
        ];
        (number >= shape.stages).then_some(left).into_iter().chain(requested)
    };
    let of_tiles = || part(shape, rank).enumerate();
    initialise(rank * shape.stages..(rank + 1) * shape.stages)
        .chain(of_tiles().take(shape.stages).flat_map(of_tile))
        .chain([Step::Sync(Meeting::Start(rank))])
        .chain(of_tiles().skip(shape.stages).flat_map(of_tile))
        .collect()
}

fn consumer(shape: Shape, rank: usize) -> Vec<Step> {
    let mut steps = vec![Step::Sync(Meeting::Start(rank))];
    for (number, tile) in part(shape, rank).enumerate() {
        let (stage, parity) = place(shape, rank, number);
        steps.push(Step::Wait { barrier: Barrier::Full(stage), parity });
        steps.push(Step::Multiply { stage, tile });
        if let Some(before) = number.checked_sub(1) {
            let barrier = Barrier::Empty(place(shape, rank, before).0);
            steps.extend([Step::Retire { left: 1 }, Step::Arrive { barrier, times: 1 }]);
        }
    }
    // The walk looks at the rings of all blocks when one writes, which is what `reduce` does
    // between its barriers.
    steps.extend([Step::Retire { left: 0 }, MEET, Step::WriteRing, MEET]);
    steps
}

fn protocol(shape: Shape) -> Protocol {
    let roles = (0..shape.blocks).flat_map(|rank| {
        [
            Role { processes: 1, steps: producer(shape, rank) },
            Role { processes: shape.consumers, steps: consumer(shape, rank) },
        ]
    });
    Protocol {
        blocks: shape.blocks,
        stages: shape.blocks * shape.stages,
        arrivals: [1, shape.consumers as u32],
        readers: shape.consumers,
        roles: roles.collect(),
    }
}

/// Two blocks with rings that are filled a second time, and four with a few k-tiles or none.
fn shapes() -> impl Iterator<Item = Shape> {
    let pairs = (2..4).flat_map(|stages| {
        (0..=4 * stages + 1).flat_map(move |k_tiles| {
            (1..3).map(move |consumers| Shape { blocks: 2, stages, k_tiles, consumers })
        })
    });
    let fours = (0..=9).map(|k_tiles| Shape { blocks: 4, stages: 2, k_tiles, consumers: 1 });
    pairs.chain(fours)
}

#[test]
fn every_state_is_legal_and_every_walk_ends() {
    for shape in shapes() {
        let walked = walk(&protocol(shape));
        assert!(walked.is_ok(), "{shape:?}: {walked:?}");
    }
}

#[test]
fn parts_are_neighbours_and_differ_by_one_k_tile() {
    for shape in shapes() {
        let parts: Vec<_> = (0..shape.blocks).map(|rank| part(shape, rank)).collect();
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{shape:?}");
        assert_eq!((parts[0].start, parts[shape.blocks - 1].end), (0, shape.k_tiles));
        let lengths = parts.iter().map(|part| part.len());
        let (least, most) = (lengths.clone().min(), lengths.max());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{shape:?}");
    }
}

/// The faults of protocols without some steps of the consumers of one block, each once.
fn without(is_it: impl Fn(&[Step], usize) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes() {
        let mut changed = protocol(shape);
        let steps = std::mem::take(&mut changed.roles[1].steps);
        let left = (0..steps.len()).filter(|at| !is_it(&steps, *at)).map(|at| steps[at]);
        changed.roles[1].steps = left.collect();
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

#[test]
fn a_block_writes_when_all_have_read_and_stays_until_all_have_written() {
    let first =
        |steps: &[Step], at| steps[at] == MEET && steps.get(at + 1) == Some(&Step::WriteRing);
    let last = |steps: &[Step], at: usize| steps[at] == MEET && at + 1 == steps.len();
    // Of a block that meets the others once less, they wait in vain.
    assert!(without(first).contains(&Fault::Deadlock));
    assert_eq!(without(last), [Fault::Deadlock]);
    let products = |steps: &[Step], at| steps[at] == Step::Retire { left: 0 };
    assert_eq!(without(products), [Fault::RingInUse]);
}

#[test]
fn no_block_writes_before_the_first_barrier() {
    let mut faults = Vec::new();
    for shape in shapes() {
        let mut changed = protocol(shape);
        for role in &mut changed.roles {
            if let Some(first) = role.steps.iter().position(|step| *step == MEET) {
                role.steps.remove(first);
            }
        }
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    assert!(faults.contains(&Fault::RingInUse), "{faults:?}");
}

#[test]
fn the_text_has_the_steps_of_the_protocol() {
    let spec = with(product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.split_k = Some(Splits::Every(extent(2)));
    });
    let text = emit(&Plan::new(&spec).expect("a legal spec")).text;
    let mut at = 0;
    for line in [
        "const int each = tiles / SPLITS, more = tiles % SPLITS;",
        "mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);",
        "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);",
        "mbarrier_wait(ring.empty_barrier(state.stage), state.phase);",
        "wgmma_wait<0>();",
        "void reduce(",
        "release_shared();",
        "cluster_meet();",
        "send_sums(acc, shared, rank);",
        "cluster_sync();",
        "init_barriers(ring);",
        "const Part part = part_of_block(k);",
        "started = start(ring, block, a, b, part.from, part.k);",
        "__syncthreads();",
        "produce(ring, state, block, a, b, part.from, part.k, started);",
        "mainloop(acc, ring, state, warpgroup, part.k);",
        "reduce(acc, shared, cluster_rank());",
        "epilogue(",
    ] {
        at += text[at..].find(line).unwrap_or_else(|| panic!("{line}"));
    }
}
