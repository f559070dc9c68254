//! The text of an MMA atom: one instruction in a function.

use crate::element::Element;
use crate::level::mma::{AtomMatrix, Fragment, Multiply};

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
    let [of_a, of_b, of_c] = AtomMatrix::ALL.map(|matrix| multiply.fragment(matrix));
    let [a, b, c] = [of_a, of_b, of_c].map(|fragment| fragment.registers());
    let operands = |first: u32, count: u32| {
        let numbers: Vec<String> = (first..first + count).map(|i| format!("%{i}")).collect();
        numbers.join(", ")
    };
    let list = |count: u32, register: &dyn Fn(u32) -> String| {
        (0..count).map(register).collect::<Vec<_>>().join(", ")
    };
    let sums = operands(0, c);
    format!(
        "// c({m}x{n}) += a({m}x{k}) * b({k}x{n}). (PTX ISA, mma.{shape})\n\
         __device__ __forceinline__ void mma_atom(\
         {ty} (&c)[{c}], const unsigned* a, const unsigned* b) {{\n    \
         asm(\n        \
         \"mma.sync.aligned.{shape}.row.col.{sum}.{ptx_a}.{ptx_b}.{sum} \"\n        \
         \"{{{sums}}}, {{{in_a}}}, {{{in_b}}}, {{{sums}}};\"\n        \
         : {out}\n        \
         : {from_a}, {from_b});\n\
         }}\n",
        ty = accumulator.register(),
        ptx_a = ptx(elements.a),
        ptx_b = ptx(elements.b),
        in_a = operands(c, a),
        in_b = operands(c + a, b),
        out = list(c, &|i| format!("\"+{}\"(c[{i}])", accumulator.constraint())),
        from_a = list(a, &|i| factor(&of_a, "a", i)),
        from_b = list(b, &|i| factor(&of_b, "b", i)),
    )
}

/// Register `i` of a side as an operand of `asm`: two of 32 bits where its elements have 64.
fn factor(fragment: &Fragment, name: &str, i: u32) -> String {
    match fragment.bits() {
        64 => format!("\"d\"(__hiloint2double({name}[{}], {name}[{}]))", 2 * i + 1, 2 * i),
        _ => format!("\"r\"({name}[{i}])"),
    }
}
