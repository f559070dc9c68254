//! Texts that are long, deep or wide.

use std::fmt::Write as _;

use crate::{at_the_limit, kernel, parse, text};

/// The texts that `part` makes of the numbers, joined.
pub(crate) fn repeated(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn registers() {
    let declared = |count: usize| format!(".reg .b32 %r<{count}>;");
    at_the_limit(
        kernel(&declared(1 << 16)),
        kernel(&declared((1 << 16) + 1)),
        "too many registers",
    );
    // Of all functions together, called or not.
    let functions = repeated(4, |at| format!(".func f{at}() {{ {} }}", declared(1 << 16)));
    at_the_limit(
        text(&functions),
        text(&(functions + ".func g() { .reg .pred %p; }")),
        "too many registers",
    );
}

#[test]
fn braces() {
    let nested = |depth: usize| kernel(&("{".repeat(depth) + &"}".repeat(depth)));
    at_the_limit(nested(63), nested(64), "scopes are nested too deeply");
    let nested = |depth: usize| {
        text(&format!(".global .b32 a[1] = {}1{};", "{".repeat(depth), "}".repeat(depth)))
    };
    at_the_limit(nested(8), nested(9), "initializer is nested too deeply");
}

#[test]
fn sizes_of_variables() {
    let array = |bytes: u64| text(&format!(".global .b8 a[{bytes}];"));
    at_the_limit(array(1 << 28), array((1 << 28) + 1), "variable a is too large");
    let array = |last: &str| text(&format!(".global .b64 a[65536][65536][65536][{last}];"));
    at_the_limit(array("0"), array("65536"), "variable a is too large");
    let aligned = |to: u32| text(&format!(".global .align {to} .b8 a[4];"));
    let what = "alignment is not a power of two up to 4096";
    at_the_limit(aligned(4096), aligned(8192), what);
    at_the_limit(aligned(1), aligned(0), what);
    let initial =
        |count: usize| text(&format!(".global .b8 a[2] = {{{}}};", vec!["1"; count].join(",")));
    at_the_limit(initial(2), initial(3), "initializer is longer than the variable");
}

#[test]
fn long_texts_take_no_longer_than_their_length() {
    let most = 40_000;
    for (part, closed) in [
        (".entry a(){}\n", ""),
        (".func a(){}\n", ""),
        (".global .b8 a;\n", ""),
        (".file 1 \"a\"\n", ""),
        (".section .debug_str { L: .b8 97 }\n", ""),
        (".entry a(){{{ret;}ret;}ret;}\n", ""),
    ] {
        parse(text(&(part.repeat(most) + closed))).expect(part);
    }
    for part in ["ret;", "{ret;}", ".reg .b32 %r<0>;", ".loc 1 1 1\n", "bra L;", "mov.u32 _, 1;"] {
        parse(kernel(&format!("L: {}", part.repeat(most)))).expect(part);
    }
    for start in ["(", "{", "[", "a.", "/*", "\"", "-", "0x", ".entry f(.param .b8 a,", "@%p "] {
        parse(text(&start.repeat(most))).expect_err(start);
        parse(kernel(&start.repeat(most))).expect_err(start);
    }
}

#[test]
fn a_long_instruction_is_refused_as_any_other() {
    let mut operands = String::new();
    for at in 0..100_000 {
        let _ = write!(operands, "{{%r0, {at}}}, [%r0+{at}], ");
    }
    for opcode in ["add.u32", "mma.sync", &("mov".to_owned() + &".u32".repeat(100_000))] {
        parse(kernel(&format!(".reg .b32 %r0; {opcode} {operands} %r0;"))).expect_err("refused");
    }
}
