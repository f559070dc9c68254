//! Kernels that overlap their predecessor.

use super::{BASE, Bug, Edit, Seen, violation};

const WAIT: &str = "    wait_for_grid_in_front();\n";
const START: &str = "    start_next_grid();\n";

/// What is read before the wait is promised: both factors, not the residual.
const BOTH: Bug = Bug { golden: "pdl_both", ..BASE };

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the predecessor is not waited for",
        edits: &[Edit::once(WAIT, "")],
        violation: violation!(DependentsBeforePredecessor),
        instruction: "griddepcontrol.launch_dependents",
        seen: Seen::In("start_next_grid"),
        ..BOTH
    },
    Bug {
        name: "the predecessor is not waited for, and no dependents are launched",
        edits: &[Edit::once(WAIT, ""), Edit::once(START, "")],
        violation: violation!(BeforePredecessor { direction: Read, .. }),
        instruction: "ld.global",
        seen: Seen::In("fetch"),
        ..BOTH
    },
    Bug {
        name: "dependents are launched before the wait",
        edits: &[Edit::once(WAIT, START), Edit::once(START, WAIT)],
        violation: violation!(DependentsBeforePredecessor),
        instruction: "griddepcontrol.launch_dependents",
        seen: Seen::In("start_next_grid"),
        ..BOTH
    },
    Bug {
        name: "tiles that the predecessor may write are copied before the wait",
        golden: "pdl_weights",
        edits: &[
            Edit::once("    wait_for_grid_in_front();\n#pragma unroll", "#pragma unroll"),
            Edit::once(
                "    start_next_grid();\n}",
                "    wait_for_grid_in_front();\n    start_next_grid();\n}",
            ),
        ],
        violation: violation!(BeforePredecessor { direction: Read, .. }),
        instruction: "cp.async",
        seen: Seen::In("prologue"),
        ..BASE
    },
];
