//! Kernels that do not come to an end.

use super::{BASE, Bug, violation};

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("the loop over the tiles does not advance")
        .edit("tile < tiles; ++tile) {", "tile < tiles;) {")
        .finds(violation!(InstructionLimit { .. })),
    BASE.bug("the loop over the output does not advance")
        .edit("chunk += CONSUMERS) {", "chunk += 0) {")
        .finds(violation!(InstructionLimit { .. })),
    BASE.bug("a loop waits for a value that nothing writes")
        .edit(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "const Block block = raster(m, n, int(blockIdx.x));
    while (*reinterpret_cast<const volatile int*>(a) != 0x7fffffff) {}",
        )
        .finds(violation!(InstructionLimit { .. })),
];
