//! Kernels that overlap their predecessor.

use super::{BASE, Bug, violation};

const WAIT: &str = "    wait_for_predecessor();\n";
const START: &str = "    launch_dependents();\n";

/// What is read before the wait is promised: both factors, not the residual.
const BOTH: Bug = BASE.golden("pdl_both");

/// A warpgroup that copies starts the weights early.
const GROUPS: Bug = BASE.golden("wgmma_pdl");

pub(super) const BUGS: &[Bug] = &[
    BOTH.bug("the predecessor is not waited for")
        .edit(WAIT, "")
        .finds(violation!(DependentsBeforePredecessor))
        .at_in("griddepcontrol.launch_dependents", "launch_dependents"),
    BOTH.bug("the predecessor is not waited for, and no dependents are launched")
        .edit(WAIT, "")
        .edit(START, "")
        .finds(violation!(BeforePredecessor { direction: Read, .. }))
        .at_in("ld.global", "fetch"),
    BOTH.bug("dependents are launched before the wait")
        .edit(WAIT, START)
        .edit(START, WAIT)
        .finds(violation!(DependentsBeforePredecessor))
        .at_in("griddepcontrol.launch_dependents", "launch_dependents"),
    BASE.bug("tiles that the predecessor may write are copied before the wait")
        .golden("pdl_weights")
        .edit("    wait_for_predecessor();\n#pragma unroll", "#pragma unroll")
        .edit(
            "    launch_dependents();\n}",
            "    wait_for_predecessor();\n    launch_dependents();\n}",
        )
        .finds(violation!(BeforePredecessor { direction: Read, .. }))
        .at_in("cp.async", "prologue"),
    GROUPS
        .bug("the producer copies rows that the predecessor may write")
        .edit(
            "        wait_for_predecessor();\n        launch_dependents();\n        if (threadIdx.x",
            "        if (threadIdx.x",
        )
        .edit("started);\n        }\n", "started);\n        }\n        wait_for_predecessor();\n")
        .finds(violation!(BeforePredecessor { direction: Read, .. }))
        .at_in("cp.async.bulk.tensor", "copy_tile"),
    GROUPS
        .bug("consumers read an operand that the predecessor may write")
        .edit(
            "k);\n    wait_for_predecessor();\n    launch_dependents();\n",
            "k);\n",
        )
        .finds(violation!(BeforePredecessor { direction: Read, .. }))
        .at("ld.global"),
];
