//! The text of an MMA atom: one instruction in a function.

use crate::element::Element;
use crate::level::mma::{AtomMatrix, Fragment, Multiply};
use crate::spec::Mma;
use crate::text::wrap::COLUMNS;

/// Before the lines of an `asm` statement.
const INDENT: &str = "        ";

/// The function `mma_atom`.
pub(crate) fn cuda(multiply: &Multiply, shape: Mma) -> String {
    let Multiply { elements, accumulator, .. } = multiply;
    let [m, n, k] = shape.shape();
    let (shape, sum) = (shape.name(), accumulator.ptx());
    let of_factor = |matrix, element: Element| {
        Fragment::new([m, n, k], matrix, 8 * element.bytes()).expect("the atoms fit the rule")
    };
    let [of_a, of_b] = [(AtomMatrix::A, elements.a), (AtomMatrix::B, elements.b)]
        .map(|(matrix, element)| of_factor(matrix, element));
    let of_c = multiply.fragment(AtomMatrix::C);
    let [a, b, c] = [of_a, of_b, of_c].map(|fragment| fragment.registers());
    let operands = |first: u32, count: u32| {
        let numbers: Vec<String> = (first..first + count).map(|i| format!("%{i}")).collect();
        format!("{{{}}}", numbers.join(", "))
    };
    let factors =
        (0..a).map(|i| factor(&of_a, "a", i)).chain((0..b).map(|i| factor(&of_b, "b", i)));
    let of_sums = (0..c).map(|i| format!("\"+{}\"(c[{i}])", accumulator.constraint()));
    let sums = operands(0, c);
    format!(
        "// c({m}x{n}) += a({m}x{k}) * b({k}x{n}). (PTX ISA, mma.{shape})\n\
         __device__ __forceinline__ void mma_atom(\
         {ty} (&c)[{c}], const unsigned* a, const unsigned* b) {{\n    \
         asm(\n        \
         \"mma.sync.aligned.{shape}.row.col.{sum}.{ptx_a}.{ptx_b}.{sum} \"\n        \
         {lists}\n        \
         : {out}\n        \
         : {from});\n\
         }}\n",
        ty = accumulator.register(),
        ptx_a = elements.a.ptx(),
        ptx_b = elements.b.ptx(),
        lists = text(&[&sums, &operands(c, a), &operands(c + a, b), &sums]),
        out = of_sums.collect::<Vec<_>>().join(", "),
        from = lines(factors),
    )
}

/// The lists of operands as a string, cut in two where they are more than a line.
fn text(lists: &[&str; 4]) -> String {
    let [d, a, b, c] = lists;
    match lists.iter().map(|list| list.len() + 2).sum::<usize>() + INDENT.len() < COLUMNS {
        true => format!("\"{d}, {a}, {b}, {c};\""),
        false => format!("\"{d}, {a}, \"\n{INDENT}\"{b}, {c};\""),
    }
}

/// Operands after `: `, in as few lines as hold them.
fn lines(operands: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for operand in operands {
        // A parenthesis and a semicolon follow the last.
        let room = COLUMNS - INDENT.len() - ": ".len() - ");".len();
        match lines.last_mut() {
            Some(line) if line.len() + ", ".len() + operand.len() <= room => {
                line.push_str(", ");
                line.push_str(&operand);
            }
            _ => lines.push(operand),
        }
    }
    lines.join(&format!(",\n{INDENT}  "))
}

/// Register `i` of a side as an operand of `asm`: two of 32 bits where its elements have 64.
fn factor(fragment: &Fragment, name: &str, i: u32) -> String {
    match fragment.bits() {
        64 => format!("\"d\"(__hiloint2double({name}[{}], {name}[{}]))", 2 * i + 1, 2 * i),
        _ => format!("\"r\"({name}[{i}])"),
    }
}
