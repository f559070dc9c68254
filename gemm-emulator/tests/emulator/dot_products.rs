//! `dp2a` and `dp4a` against the host, in all forms.

use crate::handwritten::refuses;
use crate::instructions::words;

const TYPES: [&str; 2] = ["u32", "s32"];

/// A byte as a number of its type.
fn byte(value: u8, ty: &str) -> i64 {
    if ty == "s32" { i64::from(value as i8) } else { value.into() }
}

/// Both halves of a word as numbers of their type, the lower one first.
fn halves(word: u32, ty: &str) -> [i64; 2] {
    let [b0, b1, b2, b3] = word.to_le_bytes();
    [[b0, b1], [b2, b3]].map(|half| match ty {
        "s32" => i16::from_le_bytes(half).into(),
        _ => u16::from_le_bytes(half).into(),
    })
}

/// Checks an instruction with each pair of types against a sum of products.
fn check(opcode: &str, sum: impl Fn([u32; 2], [&str; 2]) -> i64) {
    for of_a in TYPES {
        for of_b in TYPES {
            words(&format!("{opcode}.{of_a}.{of_b} %r15, %r0, %r1, %r2;"), |a, b, c| {
                (i64::from(c) + sum([a, b], [of_a, of_b])) as u32
            });
        }
    }
}

#[test]
fn dp4a_adds_four_products_of_bytes() {
    check("dp4a", |[a, b], [of_a, of_b]| {
        let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        pairs.map(|(a, b)| byte(a, of_a) * byte(b, of_b)).sum()
    });
}

#[test]
fn dp2a_adds_two_products_of_halves_and_bytes() {
    for (opcode, first) in [("dp2a.lo", 0), ("dp2a.hi", 2)] {
        check(opcode, |[a, b], [of_a, of_b]| {
            let pairs = halves(a, of_a).into_iter().zip(b.to_le_bytes().into_iter().skip(first));
            pairs.map(|(a, b)| a * byte(b, of_b)).sum()
        });
    }
}

#[test]
fn known_sums() {
    // (-1) * 4 + 2 * 3 and (-1) * 6 + 2 * 5.
    let operands = "%r15, 0x0002ffff, 0x03040506, -9;";
    words(&format!("dp2a.hi.s32.u32 {operands}"), |_, _, _| -7i32 as u32);
    words(&format!("dp2a.lo.s32.u32 {operands}"), |_, _, _| -5i32 as u32);
    // 1 * (-1) + 2 * 2 + 3 * 1 + 255 * (-128), with 255 or -1 for the last byte of a.
    let operands = "%r15, 0xff030201, 0x800102ff, 1;";
    words(&format!("dp4a.u32.s32 {operands}"), |_, _, _| -32633i32 as u32);
    words(&format!("dp4a.s32.s32 {operands}"), |_, _, _| 135);
}

#[test]
fn other_forms_are_refused() {
    refuses(
        "
        dp2a.u32.u32 %r0, %r1, %r2, %r3; -> dp2a needs lo or hi
        dp2a.lo.hi.u32.u32 %r0, %r1, %r2, %r3; -> unknown modifier .hi
        dp2a.lo.u32 %r0, %r1, %r2, %r3; -> type is missing
        dp2a.lo.s32.s32.s32 %r0, %r1, %r2, %r3; -> unknown modifier .s32
        dp2a.lo.u16.u32 %r0, %r1, %r2, %r3; -> type does not fit this instruction
        dp4a.lo.u32.u32 %r0, %r1, %r2, %r3; -> unknown modifier .lo
        dp4a.sat.s32.s32 %r0, %r1, %r2, %r3; -> unknown modifier .sat
        dp4a.s32.b32 %r0, %r1, %r2, %r3; -> type does not fit this instruction
        dp4a.s32.u32 %r0, %r1, %r2; -> expected 4 operands, found 3
        dp4a.s32.u32 %r0, %r1, %d2, %r3; -> operand has the wrong size
    ",
    );
}
