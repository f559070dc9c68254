//! Kernels that do not come to an end.

use super::{BASE, Bug, Edit, violation};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the loop over the tiles does not advance",
        edits: &[Edit::once("tile < tiles; ++tile) {", "tile < tiles;) {")],
        violation: violation!(InstructionLimit { .. }),
        instruction: "",
        ..BASE
    },
    Bug {
        name: "the loop over the output does not advance",
        edits: &[Edit::once("chunk += CONSUMERS) {", "chunk += 0) {")],
        violation: violation!(InstructionLimit { .. }),
        instruction: "",
        ..BASE
    },
    Bug {
        name: "a loop waits for what no one writes",
        edits: &[Edit::once(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "const Block block = raster(m, n, int(blockIdx.x));
    while (*reinterpret_cast<const volatile int*>(a) != 0x7fffffff) {}",
        )],
        violation: violation!(InstructionLimit { .. }),
        instruction: "",
        ..BASE
    },
];
