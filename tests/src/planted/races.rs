//! Two threads at one place in shared memory, with no barrier between.

use super::{BASE, Bug, violation};

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("the output updated in place is read through the non-coherent cache")
        .golden("axpby")
        .edit(
            "if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = reinterpret_cast<const Words*>(from)[i];",
            "if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = __ldg(reinterpret_cast<const Words*>(from) + i);",
        )
        .finds(violation!(NonCoherent { .. }))
        .at_in("st.global", "epilogue"),
    BASE.bug("no barrier before the epilogue")
        .edit("cp_async_wait<0>();\n        __syncthreads();", "cp_async_wait<0>();")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at_in("st.shared", "stage"),
    BASE.bug("no barrier before the staging is used again")
        .golden("odd_tile")
        .edit("if (pass > 0) consumers_sync();  // the", "// the")
        .edit("PASS_ATOMS = 5", "PASS_ATOMS = 1")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at_in("st.shared", "stage"),
    BASE.bug("no barrier between staging and storing")
        .edit(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);",
        )
        .finds(violation!(Race { direction: Read, other_direction: Write, .. }))
        .at("ld.shared.v4"),
    BASE.bug("warps along k stage at the same place")
        .golden("along_k_gelu")
        .edit("staged + warp.k / WARP_K * STAGED_SUMS", "staged")
        .finds(violation!(Race { direction: Write, other_direction: Write, .. }))
        .at_in("st.shared", "stage"),
    BASE.bug("a barrier of the warp between staging and storing")
        .edit(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);\n        __syncwarp();",
        )
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at("st.shared"),
    BASE.bug("a barrier of each two warps between staging and storing")
        .edit(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);
        asm volatile(\"bar.sync %0, 64;\" :: \"r\"(1 + threadIdx.x / 64) : \"memory\");",
        )
        .finds(violation!(Race { direction: Read, other_direction: Write, .. }))
        .at("ld.shared"),
    BASE.bug("all stages are filled before the first is read")
        .edit("tile < STAGES - 1; ++tile) {", "tile < STAGES; ++tile) {")
        .edit("read = first, write = last;", "read = first, write = first;")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at_in("cp.async.cg.shared.global", "mainloop"),
    BASE.bug("the stage that is read is filled")
        .edit(
            "    // Double-buffered fragments:",
            "    pipeline.write = pipeline.first;\n    // Double-buffered fragments:",
        )
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at("cp.async.cg.shared.global"),
    BASE.bug("the swizzle maps two elements to one place")
        .edit("(col ^ S::bits(linear))", "(col & ~S::bits(linear))")
        .alignment(2)
        .finds(violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }))
        .at_in("st.shared.u16", "store_shared"),
    BASE.bug("two lanes stage the same columns")
        .edit("col0 = warp.n + lane % 4 * 2;", "col0 = warp.n + lane % 2 * 2;")
        .finds(violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }))
        .at("st.shared"),
    BASE.bug("two warps have the same rows")
        .edit("Warp{number % WARPS_M * WARP_M, ", "Warp{0, ")
        .finds(violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }))
        .at_in("st.shared", "stage"),
    BASE.bug("an atomic and a plain store to one element")
        .edit(
            "STAGED_SUMS, acc, warp, pass);\n",
            "STAGED_SUMS, acc, warp, pass);\n        atomicAdd(staged, 1.0f);\n",
        )
        .finds(violation!(Race { direction: Write, other_direction: Write, other: None, .. }))
        .at("st.shared"),
];
