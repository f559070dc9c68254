//! Accesses outside an operand, shared memory or a parameter.

use gemm_emulator::Nearest;

use super::{BASE, Bug, Edit, Seen, violation};

/// Whether a copy lies inside its operand.
const INSIDE: &str = "row < rows && col < cols;";

/// Whether an access came nearest to this operand.
fn near(nearest: &Option<Nearest>, operand: &str) -> bool {
    nearest.as_ref().is_some_and(|nearest| nearest.operand.as_deref() == Some(operand))
}

/// An access of this many bytes outside an operand.
macro_rules! outside {
    ($operand:literal, $direction:ident, $bytes:literal) => {
        violation!(
            OutOfBounds { space: Global, bytes: $bytes, direction: $direction, nearest, .. }
                if near(nearest, $operand)
        )
    };
}

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the rows past the end of A are copied",
        edits: &[Edit::once(INSIDE, "col < cols;")],
        shape: [70, 64, 64],
        violation: outside!("a", Read, 16),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "one row past the end of B is copied",
        edits: &[Edit::once(INSIDE, "row <= rows && col < cols;")],
        shape: [64, 70, 64],
        violation: outside!("b", Read, 16),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "copies past the end of a row along K are made",
        edits: &[Edit::once(INSIDE, "row < rows;")],
        shape: [64, 64, 40],
        violation: outside!("a", Read, 16),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "one copy past the end of a row along K is made",
        edits: &[Edit::once(INSIDE, "row < rows && col <= cols;")],
        shape: [64, 64, 40],
        violation: outside!("a", Read, 16),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "copies past the end of a row along N are made",
        golden: "copies_of_8_bytes",
        edits: &[Edit::once(INSIDE, "row < rows && (!Tile::K_CONTIGUOUS || col < cols);")],
        shape: [64, 72, 64],
        alignment: 8,
        violation: outside!("b", Read, 8),
        instruction: "cp.async.ca.shared.global",
        ..BASE
    },
    Bug {
        name: "copies of single elements are not predicated",
        golden: "copies_of_4_bytes",
        edits: &[Edit::once("inside ? from->bits : 0", "from->bits")],
        shape: [64, 64, 33],
        alignment: 2,
        violation: outside!("a", Read, 2),
        instruction: "ld.global",
        ..BASE
    },
    Bug {
        name: "a thread's first copy lies one copy before the operand",
        edits: &[Edit::once("from = operand + (", "from = operand - VECTOR + (")],
        violation: outside!("a", Read, 16),
        instruction: "cp.async.cg.shared.global",
        seen: Seen::In("global_to_shared"),
        ..BASE
    },
    Bug {
        name: "tiles advance by the leading dimension of the other operand",
        golden: "copies_of_8_bytes",
        edits: &[Edit::once("source_b(b, ld_b, block.n", "source_b(b, 5 * ld_a, block.n")],
        violation: violation!(OutOfBounds { space: Global, bytes: 8, direction: Read, .. }),
        instruction: "cp.async.ca.shared.global",
        ..BASE
    },
    Bug {
        name: "A is read in the place of B",
        golden: "copies_of_8_bytes",
        edits: &[Edit::once("ld_a, b, ld_b, m, n, k);", "ld_a, a, ld_a, m, n, k);")],
        shape: [64, 80, 64],
        violation: outside!("a", Read, 8),
        instruction: "cp.async.ca.shared.global",
        ..BASE
    },
    Bug {
        name: "rows past the end of the output are stored",
        edits: &[Edit::once("if (row >= rows || col >= cols)", "if (col >= cols)")],
        shape: [70, 64, 32],
        violation: outside!("out", Write, 16),
        instruction: "st.global.v4",
        ..BASE
    },
    Bug {
        name: "the last store of a row is not cut short",
        edits: &[Edit::once("= min(OUT_VECTOR, cols - col)", "= OUT_VECTOR")],
        shape: [64, 70, 32],
        violation: outside!("out", Write, 16),
        instruction: "st.global.v4",
        ..BASE
    },
    Bug {
        name: "one column past the end of the output is stored",
        edits: &[Edit::once("if (i < valid) to[i]", "if (i <= valid) to[i]")],
        shape: [64, 70, 32],
        violation: outside!("out", Write, 2),
        instruction: "st.global",
        ..BASE
    },
    Bug {
        name: "a column of the output is stored as its row",
        golden: "km_kn_nm",
        edits: &[Edit::once("out + row * ld + col", "out + col * ld + row")],
        shape: [72, 40, 32],
        violation: outside!("out", Write, 16),
        instruction: "st.global.v4",
        ..BASE
    },
    Bug {
        name: "the output is stored over A",
        edits: &[Edit::once(
            "warp, values, out, ld_out,",
            "warp, values, const_cast<Out*>(a), ld_a,",
        )],
        violation: violation!(ReadOnly { operand: Some(name), bytes: 16, .. } if name == "a"),
        instruction: "st.global.v4",
        seen: Seen::In("epilogue"),
        ..BASE
    },
    Bug {
        name: "the bias is read past its end",
        golden: "residual",
        edits: &[Edit::once("read.bias, bias + col, valid", "read.bias, bias + col, COUNT")],
        shape: [64, 70, 32],
        violation: outside!("bias", Read, 16),
        instruction: "ld.global.v4",
        ..BASE
    },
    Bug {
        name: "the bias is read by the row",
        golden: "residual",
        edits: &[Edit::once("bias + col, valid", "bias + row * COUNT, valid")],
        shape: [64, 128, 32],
        violation: outside!("bias", Read, 16),
        instruction: "ld.global.v4",
        ..BASE
    },
    Bug {
        name: "a matrix of the body is read past the end of its rows",
        golden: "residual",
        edits: &[Edit::once("ld_previous + col, valid", "ld_previous + col, COUNT")],
        shape: [64, 70, 32],
        violation: outside!("previous", Read, 16),
        instruction: "ld.global.v4",
        ..BASE
    },
    Bug {
        name: "a matrix of the body is read in the other order",
        golden: "branches",
        edits: &[Edit::once("gate[(col + i) * ld_gate + row]", "gate[row * ld_gate + col + i]")],
        shape: [70, 30, 32],
        violation: outside!("gate", Read, 2),
        instruction: "ld.global",
        ..BASE
    },
    Bug {
        name: "the ring has one stage more than shared memory",
        edits: &[Edit::once("ring + (STAGES - 1) * STAGE_BYTES", "ring + STAGES * STAGE_BYTES")],
        violation: violation!(OutOfBounds { space: Shared, bytes: 16, direction: Write, .. }),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "the rows of the staging lie too far apart",
        edits: &[
            Edit::once("STAGED_COLS + 8;", "2 * STAGED_COLS + 8;"),
            Edit::once("sizeof(Shared) == SHARED_BYTES", "true"),
        ],
        violation: violation!(OutOfBounds { space: Shared, bytes: 8, direction: Write, .. }),
        instruction: "st.shared.v2",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "fragments are loaded from behind the ring",
        edits: &[Edit::once(
            "read + TileA::BYTES, warp.n, next_k",
            "last + STAGE_BYTES, warp.n, next_k",
        )],
        violation: violation!(OutOfBounds { space: Shared, bytes: 16, direction: Read, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "fragments are loaded from before the ring",
        edits: &[Edit::once(
            "fragments_a[0], ring, warp.m, warp.k",
            "fragments_a[0], ring - TileA::BYTES, warp.m, warp.k",
        )],
        violation: violation!(OutOfBounds { space: Shared, bytes: 16, direction: Read, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "a parameter is read past its end",
        edits: &[Edit::once(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "asm volatile(\"ld.param.s64 %0, [{entry}_param_2];\" : \"=l\"(ld_a));
    const Block block = raster(m, n, int(blockIdx.x));",
        )],
        violation: violation!(OutOfBounds { space: Parameter, bytes: 8, direction: Read, .. }),
        instruction: "ld.param",
        ..BASE
    },
];
