//! Kernels that overlap their predecessor.

use super::{BASE, Bug, Edit, Seen, violation};

const WAIT: &str = "    wait_for_predecessor();\n";
const START: &str = "    launch_dependents();\n";

/// What is read before the wait is promised: both factors, not the residual.
const BOTH: Bug = Bug { golden: "pdl_both", ..BASE };

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the predecessor is not waited for",
        edits: &[Edit::once(WAIT, "")],
        violation: violation!(DependentsBeforePredecessor),
        instruction: "griddepcontrol.launch_dependents",
        seen: Seen::In("launch_dependents"),
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
        seen: Seen::In("launch_dependents"),
        ..BOTH
    },
    Bug {
        name: "tiles that the predecessor may write are copied before the wait",
        golden: "pdl_weights",
        edits: &[
            Edit::once("    wait_for_predecessor();\n#pragma unroll", "#pragma unroll"),
            Edit::once(
                "    launch_dependents();\n}",
                "    wait_for_predecessor();\n    launch_dependents();\n}",
            ),
        ],
        violation: violation!(BeforePredecessor { direction: Read, .. }),
        instruction: "cp.async",
        seen: Seen::In("prologue"),
        ..BASE
    },
];
