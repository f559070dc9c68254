//! Accesses outside an operand, shared memory or a parameter.

use gemm_emulator::Nearest;

use super::{BASE, Bug, violation};

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
    BASE.bug("the rows past the end of A are copied")
        .edit(INSIDE, "col < cols;")
        .shape([70, 64, 64])
        .finds(outside!("a", Read, 16))
        .at("cp.async.cg.shared.global"),
    BASE.bug("one row past the end of B is copied")
        .edit(INSIDE, "row <= rows && col < cols;")
        .shape([64, 70, 64])
        .finds(outside!("b", Read, 16))
        .at("cp.async.cg.shared.global"),
    BASE.bug("copies past the end of a row along K are made")
        .edit(INSIDE, "row < rows;")
        .shape([64, 64, 40])
        .finds(outside!("a", Read, 16))
        .at("cp.async.cg.shared.global"),
    BASE.bug("one copy past the end of a row along K is made")
        .edit(INSIDE, "row < rows && col <= cols;")
        .shape([64, 64, 40])
        .finds(outside!("a", Read, 16))
        .at("cp.async.cg.shared.global"),
    BASE.bug("copies past the end of a row along N are made")
        .golden("copies_of_8_bytes")
        .edit(INSIDE, "row < rows && (!Tile::K_CONTIGUOUS || col < cols);")
        .shape([64, 72, 64])
        .alignment(8)
        .finds(outside!("b", Read, 8))
        .at("cp.async.ca.shared.global"),
    BASE.bug("copies of single elements are not predicated")
        .golden("copies_of_4_bytes")
        .edit("inside ? from->bits : 0", "from->bits")
        .shape([64, 64, 33])
        .alignment(2)
        .finds(outside!("a", Read, 2))
        .at("ld.global"),
    BASE.bug("a thread's first copy lies one copy before the operand")
        .edit("from = operand + (", "from = operand - VECTOR + (")
        .finds(outside!("a", Read, 16))
        .at_in("cp.async.cg.shared.global", "global_to_shared"),
    BASE.bug("tiles advance by the leading dimension of the other operand")
        .golden("copies_of_8_bytes")
        .edit("source_b(b, ld_b, block.n", "source_b(b, 5 * ld_a, block.n")
        .finds(violation!(OutOfBounds { space: Global, bytes: 8, direction: Read, .. }))
        .at_in("cp.async.ca.shared.global", "global_to_shared"),
    BASE.bug("A is read in the place of B")
        .golden("copies_of_8_bytes")
        .edit("source_b(b, ld_b, block.n", "source_b(a, ld_a, block.n")
        .shape([64, 80, 64])
        .finds(outside!("a", Read, 8))
        .at_in("cp.async.ca.shared.global", "global_to_shared"),
    BASE.bug("rows past the end of the output are stored")
        .edit("if (row >= rows || col >= cols)", "if (col >= cols)")
        .shape([70, 64, 32])
        .finds(outside!("out", Write, 16))
        .at("st.global.v4"),
    BASE.bug("the last store of a row is not cut short")
        .edit("= min(OUT_VECTOR, cols - col)", "= OUT_VECTOR")
        .shape([64, 70, 32])
        .finds(outside!("out", Write, 16))
        .at("st.global.v4"),
    BASE.bug("one column past the end of the output is stored")
        .edit("if (i < valid) to[i]", "if (i <= valid) to[i]")
        .shape([64, 70, 32])
        .finds(outside!("out", Write, 2))
        .at("st.global"),
    BASE.bug("a column of the output is stored as its row")
        .golden("km_kn_nm")
        .edit("to + row * ld + col", "to + col * ld + row")
        .shape([72, 40, 32])
        .finds(outside!("out", Write, 16))
        .at("st.global.v4"),
    BASE.bug("the output is stored over A")
        .edit("outputs = {out, ld_out};", "outputs = {const_cast<Out*>(a), ld_a};")
        .finds(violation!(ReadOnly { operand: Some(name), bytes: 16, .. } if name == "a"))
        .at_in("st.global.v4", "epilogue"),
    BASE.bug("the bias is read past its end")
        .golden("residual")
        .edit("bias.read(read.bias, row, col, valid)", "bias.read(read.bias, row, col, COUNT)")
        .shape([64, 70, 32])
        .finds(outside!("bias", Read, 16))
        .at("ld.global.v4"),
    BASE.bug("the bias is read by the row")
        .golden("residual")
        .edit("bias.read(read.bias, row, col,", "bias.read(read.bias, row, row * COUNT,")
        .shape([64, 128, 32])
        .finds(outside!("bias", Read, 16))
        .at("ld.global.v4"),
    BASE.bug("a matrix of the body is read past the end of its rows")
        .golden("residual")
        .edit(
            "previous.read(read.previous, row, col, valid)",
            "previous.read(read.previous, row, col, COUNT)",
        )
        .shape([64, 70, 32])
        .finds(outside!("previous", Read, 16))
        .at("ld.global.v4"),
    BASE.bug("a matrix of the body is read in the other order")
        .golden("branches")
        .edit("from[(col + i) * ld + row]", "from[row * ld + col + i]")
        .shape([70, 30, 32])
        .finds(outside!("gate", Read, 2))
        .at("ld.global"),
    BASE.bug("the ring has one stage more than shared memory")
        .edit("first + (STAGES - 1) * STAGE_BYTES", "first + STAGES * STAGE_BYTES")
        .finds(violation!(OutOfBounds { space: Shared, bytes: 16, direction: Write, .. }))
        .at_in("cp.async.cg.shared.global", "copy_next_tile"),
    BASE.bug("the rows of the staging lie too far apart")
        .edit("STAGED_COLS + 8;", "2 * STAGED_COLS + 8;")
        .edit("sizeof(Shared) == SHARED_BYTES", "true")
        .finds(violation!(OutOfBounds { space: Shared, bytes: 8, direction: Write, .. }))
        .at_in("st.shared.v2", "stage"),
    BASE.bug("fragments are loaded from after the ring")
        .edit("fragments_b[next], pipeline.read", "fragments_b[next], pipeline.last + STAGE_BYTES")
        .finds(violation!(OutOfBounds { space: Shared, bytes: 16, direction: Read, .. }))
        .at("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    BASE.bug("fragments are loaded from before the ring")
        .edit("fragments_b[0], pipeline.read", "fragments_b[0], pipeline.read - TileA::BYTES")
        .finds(violation!(OutOfBounds { space: Shared, bytes: 16, direction: Read, .. }))
        .at("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    BASE.bug("a parameter is read past its end")
        .edit(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "asm volatile(\"ld.param.s64 %0, [{entry}_param_2];\" : \"=l\"(ld_a));
    const Block block = raster(m, n, int(blockIdx.x));",
        )
        .finds(violation!(OutOfBounds { space: Parameter, bytes: 8, direction: Read, .. }))
        .at("ld.param"),
];
