//! The text of an MMA atom: one instruction in a function.

use crate::element::Element;
use crate::level::mma::{AtomMatrix, Multiply};

/// What PTX calls an element that is multiplied.
const fn ptx(element: Element) -> &'static str {
    match element {
        Element::F16 => "f16",
        Element::Bf16 => "bf16",
        Element::F32 => "tf32",
        Element::F64 => "f64",
        Element::I8 => "s8",
        Element::U8 => "u8",
        Element::I32 => "s32",
        Element::E4m3 => "e4m3",
        Element::E5m2 => "e5m2",
    }
}

/// The function `mma_atom`.
pub(crate) fn cuda(multiply: &Multiply) -> String {
    let Multiply { atom, elements, accumulator, .. } = multiply;
    let (shape, sum) = (atom.name(), accumulator.ptx());
    let [m, n, k] = atom.shape();
    let [a, b, c] = AtomMatrix::ALL.map(|matrix| multiply.fragment(matrix).registers());
    let operands = |first: u32, count: u32| {
        let numbers: Vec<String> = (first..first + count).map(|i| format!("%{i}")).collect();
        numbers.join(", ")
    };
    let registers = |constraint: &str, name: &str, count: u32| {
        let all: Vec<String> =
            (0..count).map(|i| format!("\"{constraint}\"({name}[{i}])")).collect();
        all.join(", ")
    };
    let sums = operands(0, c);
    format!(
        "// c({m}x{n}) += a({m}x{k}) * b({k}x{n}). (PTX ISA, mma.{shape})\n\
         __device__ __forceinline__ void mma_atom(\
         {ty} (&c)[{c}], const unsigned* a, const unsigned* b) {{\n    \
         asm(\n        \
         \"mma.sync.aligned.{shape}.row.col.{sum}.{of_a}.{of_b}.{sum} \"\n        \
         \"{{{sums}}}, {{{in_a}}}, {{{in_b}}}, {{{sums}}};\"\n        \
         : {out}\n        \
         : {from_a}, {from_b});\n\
         }}\n",
        ty = accumulator.register(),
        of_a = ptx(elements.a),
        of_b = ptx(elements.b),
        in_a = operands(c, a),
        in_b = operands(c + a, b),
        out = registers(&format!("+{}", accumulator.constraint()), "c", c),
        from_a = registers("r", "a", a),
        from_b = registers("r", "b", b),
    )
}
