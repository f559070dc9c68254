//! Whether the PTX of a kernel leaves it to ptxas to fuse a multiplication with an addition.
//!
//! `mul` and `add` without a rounding modifier may be fused; with `.rn` they may not. (PTX ISA, `add`, `mul`)

use std::collections::BTreeSet;

/// Whether an addition reads a product, neither of which states its rounding.
pub fn is_open(ptx: &str) -> bool {
    let mut products = BTreeSet::new();
    for line in ptx.lines().map(str::trim) {
        if line.starts_with(".entry") || line.contains(".func") {
            products.clear();
        }
        let Some((opcode, to, from)) = instruction(line) else { continue };
        let reads = from.iter().any(|register| products.contains(register));
        let mut parts = opcode.split('.');
        match parts.next() {
            Some("add" | "sub") if reads && is_unrounded(opcode) => return true,
            Some("mul") if is_unrounded(opcode) => drop(products.insert(to)),
            Some("mov" | "neg" | "selp") if reads => drop(products.insert(to)),
            _ => {}
        }
    }
    false
}

/// The opcode of a line, the first register and the others.
fn instruction(line: &str) -> Option<(&str, &str, Vec<&str>)> {
    let code = line.split("//").next()?.trim_start_matches('{').trim();
    let code = if code.starts_with('@') { code.split_once(' ')?.1.trim() } else { code };
    let (opcode, operands) = code.split_once(char::is_whitespace)?;
    let mut operands = operands.split([',', ';', ' ', '\t']).filter(|part| part.starts_with('%'));
    Some((opcode, operands.next()?, operands.collect()))
}

/// Whether an opcode is of floats and states no rounding.
fn is_unrounded(opcode: &str) -> bool {
    let is_float = |ty: &str| ty.starts_with('f') || ty.starts_with("bf");
    let states = |part: &str| matches!(part, "rn" | "rz" | "rm" | "rp");
    opcode.rsplit('.').next().is_some_and(is_float) && !opcode.split('.').any(states)
}

pub(crate) mod tests {
    use super::*;

    self_tests!(a_sum_of_a_product_is_open_unless_its_rounding_is_stated);

    fn a_sum_of_a_product_is_open_unless_its_rounding_is_stated() {
        let open = "mul.f32 %f1, %f2, %f3;\n@%p1 add.f32 %f4, %f5, %f1;";
        assert!(is_open(open));
        assert!(is_open(&open.replace("add.f32 %f4", "neg.f32 %f1, %f1;\nsub.f32 %f4")));
        assert!(!is_open(&open.replace("add.f32", "add.rn.f32")));
        assert!(!is_open(&open.replace("mul.f32", "mul.rn.f32")));
        assert!(!is_open(&open.replace("mul.f32", "mul.lo.s32").replace("add.f32", "add.s32")));
        assert!(!is_open("fma.rn.f32 %f1, %f2, %f3, %f4;\nadd.f32 %f5, %f1, %f2;"));
    }
}
