//! The protocol of the epilogue tiles of a warpgroup: a thread that has them loaded ahead of time and
//! stored, and four warps that put results there. A stage of epilogue tiles stands for one of the ring,
//! `loaded` for its barrier `Full`, `written` for `Empty`, and a pass for a k-tile.

use gemm_codegen::body::BinaryOp;
use gemm_codegen::{Element, Mma, Walk, emit};

use super::walk::walk;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step, initialise};
use crate::shared::{TN, combined, matrix, operand, plan, product, with};

/// What the number of steps depends on: passes of each tile.
#[derive(Clone, Copy, Debug)]
struct Shape {
    stages: usize,
    tiles: usize,
    passes: usize,
}

const BYTES: u32 = 8192;

/// The barrier of all threads of the block.
const START: Step = Step::Sync(Meeting::Start(0));

/// Warps of a warpgroup, which arrive one by one.
const WARPS: usize = 4;

/// `EpilogueState`
struct State {
    stage: usize,
    phase: u32,
}

impl State {
    fn advance(&mut self, stages: usize) {
        self.stage += 1;
        if self.stage == stages {
            *self = State { stage: 0, phase: self.phase ^ 1 };
        }
    }
}

/// `load_and_store`, for all tiles.
fn copier(Shape { stages, tiles, passes }: Shape) -> Vec<Step> {
    let (mut steps, mut state) = (vec![START], State { stage: 0, phase: 1 });
    for tile in 0..tiles {
        for step in 0..stages + passes {
            let stage = state.stage;
            if let Some(pass) = step.checked_sub(stages) {
                let written = Step::Wait { barrier: Barrier::Empty(stage), parity: state.phase };
                let store = Step::Store { stage, tile: tile * passes + pass };
                steps.extend([written, store, Step::Retire { left: 0 }]);
            }
            if step < passes {
                steps.push(Step::Expect { barrier: Barrier::Full(stage), bytes: BYTES });
                steps.push(Step::Copy { stage, tile: tile * passes + step, bytes: BYTES });
            }
            state.advance(stages);
        }
        state.phase ^= 1;
    }
    steps
}

/// `epilogue`, for all tiles: a warp reads and writes its part of an epilogue tile, which stands for a product
/// that has been waited for.
fn warp(Shape { stages, tiles, passes }: Shape) -> Vec<Step> {
    let (mut steps, mut state) = (vec![START], State { stage: 0, phase: 0 });
    for tile in 0..tiles * passes {
        let stage = state.stage;
        steps.extend([
            Step::Wait { barrier: Barrier::Full(stage), parity: state.phase },
            Step::Multiply { stage, tile },
            Step::Retire { left: 0 },
            Step::Arrive { barrier: Barrier::Empty(stage), times: 1 },
        ]);
        state.advance(stages);
    }
    steps
}

fn protocol(shape: Shape) -> Protocol {
    Protocol {
        blocks: 1,
        stages: shape.stages,
        arrivals: [1, WARPS as u32],
        readers: WARPS + 1,
        roles: vec![
            Role { processes: 1, steps: copier(shape) },
            Role { processes: WARPS, steps: warp(shape) },
            // `init_epilogue_barriers`
            Role { processes: 1, steps: initialise(0..shape.stages).chain([START]).collect() },
        ],
    }
}

fn shapes() -> impl Iterator<Item = Shape> {
    [2, 3].into_iter().flat_map(|stages| {
        (1..=4).flat_map(move |tiles| {
            (1..=2 * stages + 1).map(move |passes| Shape { stages, tiles, passes })
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

/// The faults of a protocol whose steps of a role are changed one by one, each once; `None` removes one.
fn faults(role: usize, edit: impl Fn(Step) -> Option<Step>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for shape in shapes() {
        let mut changed = protocol(shape);
        let steps = &mut changed.roles[role].steps;
        *steps = steps.iter().filter_map(|step| edit(*step)).collect();
        faults.extend(walk(&changed).err().filter(|fault| !faults.contains(fault)));
    }
    faults
}

#[test]
fn each_step_and_each_parity_is_needed() {
    use Fault::{Arrivals, Deadlock, NotLanded, NotWritten, Overwritten, Unfinished};
    let [copier, warp] = [0, 1];
    let without = |role, is_it: fn(Step) -> bool| {
        faults(role, |step| Some(step).filter(|step| !is_it(*step)))
    };
    let waits = |step| matches!(step, Step::Wait { .. });
    assert_eq!(without(copier, waits), [NotWritten]);
    assert_eq!(without(warp, waits), [NotLanded]);
    let unread = without(copier, |step| matches!(step, Step::Retire { .. }));
    assert_eq!(unread, [Unfinished, Overwritten], "where no stage is filled again, and elsewhere");
    assert_eq!(without(warp, |step| matches!(step, Step::Arrive { .. })), [Deadlock]);
    let parity = |role, change: fn(u32) -> u32| {
        faults(role, move |step| match step {
            Step::Wait { barrier, parity } => Some(Step::Wait { barrier, parity: change(parity) }),
            step => Some(step),
        })
    };
    assert_eq!(parity(copier, |parity| 1 - parity), [NotWritten]);
    assert_eq!(parity(warp, |parity| 1 - parity), [NotLanded]);
    let still = [parity(copier, |_| 0), parity(warp, |_| 0)];
    assert!(still[0].contains(&NotWritten), "a parity that does not turn: {still:?}");
    assert!(still[1].contains(&NotLanded), "a parity that does not turn: {still:?}");
    let every_lane = faults(warp, |step| match step {
        Step::Arrive { barrier, .. } => Some(Step::Arrive { barrier, times: 32 }),
        step => Some(step),
    });
    assert_eq!(every_lane, [Arrivals]);
}

/// The calls of the emitted text, in the order of the steps that stand for them.
const CALLS: [(&str, &[&str]); 3] = [
    ("void load_stage(", &["mbarrier_arrive_expect(loaded, maps.bytes());", "maps.load("]),
    (
        "void load_and_store(",
        &[
            "int pass = -EPILOGUE_STAGES; pass < PASSES; ++pass, state.advance()",
            "mbarrier_wait(ring.written_barrier(state.stage), state.phase);",
            "shared_to_global(",
            "await_reads<0>();",
            "load_stage(ring, state.stage,",
            "state.phase ^= 1;",
        ],
    ),
    (
        "void epilogue(",
        &[
            "mbarrier_wait(ring.loaded_barrier(state.stage), state.phase);",
            "stage(stage_of_pass, acc, pass,",
            "fence_proxy_async();",
            "mbarrier_arrive(ring.written_barrier(state.stage));",
        ],
    ),
];

#[test]
fn the_text_has_the_steps_of_the_protocol() {
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        let residual = operand("residual", matrix(Element::F16, ["M", "N"]));
        let spec = combined(product(Element::F16, TN), BinaryOp::Add, residual);
        let spec = with(spec, |schedule| {
            (schedule.mma, schedule.walk) = (Some(Mma::Wgmma(None)), walk);
        });
        let text = emit(&plan(&spec)).text;
        for (function, calls) in CALLS {
            let mut at = text.find(function).expect(function);
            for call in calls {
                at += text[at..].find(call).unwrap_or_else(|| panic!("{function}: {call}"));
            }
        }
        for line in [
            "EpilogueState state = {0, 1};",
            "EpilogueState epilogue_state = {0, 0};",
            "mbarrier_init(ring.loaded_barrier(stage), 1);",
            "mbarrier_init(ring.written_barrier(stage), 128 / 32);",
        ] {
            assert!(text.contains(line), "{walk:?}: {line}");
        }
    }
}
