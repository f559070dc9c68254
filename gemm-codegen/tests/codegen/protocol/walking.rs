//! The protocols of a block that walks over tiles: its consumers share each, or two take turns. They
//! stage beside the ring, so the producer goes on.

use gemm_codegen::{Element, Mma, Plan, Walk, emit};

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};
use crate::shared::{TN, product, with};

/// What the number of steps depends on: of each tile all k-tiles are copied, one after the other.
#[derive(Clone, Copy, Debug)]
struct Shape {
    stages: usize,
    tiles: usize,
    k_tiles: usize,
}

const BYTES: u32 = 1024;

/// The barrier of all threads of the block.
const START: Step = Step::Sync(Meeting::Start(0));

fn place(Shape { stages, .. }: Shape, number: usize) -> (usize, u32) {
    (number % stages, (number / stages % 2) as u32)
}

fn producer(shape: Shape) -> Vec<Step> {
    let of_tile = |tile| {
        let (stage, parity) = place(shape, tile);
        [
            Step::Wait { barrier: Barrier::Empty(stage), parity: 1 - parity },
            Step::Expect { barrier: Barrier::Full(stage), bytes: BYTES },
            Step::Copy { stage, tile, bytes: BYTES },
        ]
    };
    // Those of the first tile are requested at once, if their stages have not been filled.
    let started = shape.k_tiles.min(shape.stages);
    let waits = |step: &Step| !matches!(step, Step::Wait { .. });
    initialise(0..shape.stages)
        .chain((0..started).flat_map(of_tile).filter(waits))
        .chain([START])
        .chain((started..shape.tiles * shape.k_tiles).flat_map(of_tile))
        .collect()
}

/// `mainloop`, for a tile of the output. `give` follows the last products that are issued.
fn mainloop(shape: Shape, tile: usize, give: Option<Step>) -> Vec<Step> {
    let numbers = tile * shape.k_tiles..(tile + 1) * shape.k_tiles;
    let leave = |number| Step::Arrive { barrier: Barrier::Empty(place(shape, number).0), times: 1 };
    let mut steps = Vec::new();
    for number in numbers.clone() {
        let (stage, parity) = place(shape, number);
        steps.push(Step::Wait { barrier: Barrier::Full(stage), parity });
        steps.push(Step::Multiply { stage, tile: number });
        if number > numbers.start {
            steps.extend([Step::Retire { left: 1 }, leave(number - 1)]);
        }
    }
    steps.extend(give);
    if let Some(last) = numbers.last() {
        steps.extend([Step::Retire { left: 0 }, leave(last)]);
    }
    steps
}

fn cooperative(shape: Shape, consumers: usize) -> Protocol {
    let of_tiles = (0..shape.tiles).flat_map(|tile| mainloop(shape, tile, None));
    let steps = std::iter::once(START).chain(of_tiles).collect();
    Protocol {
        blocks: 1,
        stages: shape.stages,
        arrivals: [1, consumers as u32],
        readers: consumers,
        roles: vec![
            Role { processes: 1, steps: producer(shape) },
            Role { processes: consumers, steps },
        ],
    }
}

/// One of two warpgroups that take turns: the first, or the second.
fn turns(shape: Shape, group: usize) -> Vec<Step> {
    let first = (group == 1).then_some(Step::Give { turn: 0 });
    let of_tile = |tile: usize| {
        let give = (tile + 1 < shape.tiles).then_some(Step::Give { turn: 1 - group });
        std::iter::once(Step::Await { turn: group }).chain(mainloop(shape, tile, give))
    };
    let tiles = (group..shape.tiles).step_by(2);
    std::iter::once(START).chain(first).chain(tiles.flat_map(of_tile)).collect()
}

fn pingpong(shape: Shape) -> Protocol {
    let of_group = |group| Role { processes: 1, steps: turns(shape, group) };
    Protocol {
        blocks: 1,
        stages: shape.stages,
        arrivals: [1, 1],
        readers: 1,
        roles: vec![Role { processes: 1, steps: producer(shape) }, of_group(0), of_group(1)],
    }
}

fn shapes(stages: impl Iterator<Item = usize>) -> impl Iterator<Item = Shape> {
    stages.flat_map(|stages| {
        (1..=4).flat_map(move |tiles| {
            (0..=stages + 2).map(move |k_tiles| Shape { stages, tiles, k_tiles })
        })
    })
}

#[test]
fn every_state_is_legal_and_every_walk_ends() {
    for shape in shapes(2..6) {
        for consumers in 1..=3 {
            let walked = walk(&cooperative(shape, consumers));
            assert!(walked.is_ok(), "{consumers} consumers of {shape:?}: {walked:?}");
        }
        let walked = walk(&pingpong(shape));
        assert!(walked.is_ok(), "pingpong of {shape:?}: {walked:?}");
    }
}

/// The faults of a protocol without the steps of one kind, each once.
fn without(protocol: impl Fn(Shape) -> Protocol, is_it: fn(Step) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes(2..4) {
        let mut changed = protocol(shape);
        changed.roles.iter_mut().for_each(|role| role.steps.retain(|step| !is_it(*step)));
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

#[test]
fn each_wait_and_each_turn_is_needed() {
    use Fault::{Arrivals, Deadlock, NotLanded, Unfinished};
    let awaits = |step| matches!(step, Step::Await { .. });
    let turns = |step| matches!(step, Step::Await { .. } | Step::Give { .. });
    // Of a stage that the other has still to multiply, parity tells the phase before the last.
    assert_eq!(without(pingpong, turns), [NotLanded]);
    assert_eq!(without(pingpong, |step| matches!(step, Step::Give { .. })), [Deadlock]);
    let given = without(pingpong, awaits);
    assert!(given.contains(&Unfinished) && given.contains(&Arrivals), "{given:?}");
    let last = |step| step == Step::Retire { left: 0 };
    for protocol in [pingpong, |shape| cooperative(shape, 2)] {
        assert!(without(protocol, last).contains(&Fault::Overwritten));
        assert!(without(protocol, |step| matches!(step, Step::Arrive { .. })).contains(&Deadlock));
    }
}

/// The lines of the entry point in the order of the steps that they stand for.
const LINES: [(Walk, &[&str]); 2] = [
    (
        Walk::Cooperative,
        &["while (tiles.next(block)) {", "mainloop(acc, ring, state, warpgroup, k);", "epilogue("],
    ),
    (
        Walk::Pingpong,
        &[
            "if (group == 1) {",
            "ordered_barrier_arrive(0);",
            "tiles.advance(), skip(state, k_tiles(k));",
            "while (tiles.next(block)) {",
            "ordered_barrier_wait(group);",
            "mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);",
            "epilogue(",
            "tiles.advance(), skip(state, k_tiles(k));",
        ],
    ),
];

#[test]
fn the_text_has_the_steps_of_the_protocols() {
    for (walk, lines) in LINES {
        let spec = with(product(Element::F16, TN), |schedule| {
            schedule.mma = Some(Mma::Wgmma(None));
            schedule.walk = Some(walk);
        });
        let text = emit(&Plan::new(&spec).expect("a legal spec")).text;
        let mut at = text.rfind("warpgroup_reg_alloc<").expect("consumers");
        for line in lines {
            at += text[at..].find(line).unwrap_or_else(|| panic!("{walk:?}: {line}"));
        }
        assert!(text.contains("    consumer_release(ring, last);\n}"));
        let arrives = "if (next >= 0) ordered_barrier_arrive(next);\n    wait_for_products(acc);";
        let gives = text.contains(arrives);
        assert_eq!(gives, walk == Walk::Pingpong);
    }
}
