use crate::body::resolve::tests::check;
use crate::body::samples::{self, spec};
use crate::element::Element;

#[test]
fn types_of_literals() {
    check(
        spec,
        "matmul(x, w) * 2
         => body-types at 2: `*` takes two values of the same type, got f32 and i32; write `2.0`
         -2 * matmul(x, w)
         => body-types at -2: `*` takes two values of the same type, got i32 and f32; write `-2.0`
         count + 1.0 + matmul(x, w)
         => body-types at +: `+` takes two values of the same type, got i32 and f32; convert the i32 with `as f32`
         matmul(x, w).max(0)
         => body-types at 0: expected f32, found i32; write `0.0`
         matmul(x, w).powi(2.0)
         => body-types at 2.0: expected i32, found f32; write `2`
         matmul(x, w).powi(0.5)
         => body-types at 0.5: expected i32, found f32; write `powf(0.5)`
         if alpha > 0.0 { 0 } else { matmul(x, w) }
         => body-types at 0: `if` and `else` have different types: i32 and f32; write `0.0`
         if alpha > 0.0 { matmul(x, w) } else if count > 1 { 1.0 } else { 0 }
         => body-types at 0: `if` and `else` have different types: f32 and i32; write `0.0`",
    );
}

#[test]
fn an_integer_beside_a_mistake_has_no_type_to_judge_by() {
    check(
        spec,
        "(matmul(x, v) * 2).sqrt()
         => body-names at v: unknown name `v`; the names are `x`, `w`, `bias`, `residual`, `alpha`, \
            `count`; a constant has a name in capitals
         (count + matmul(v, w)).tanh()
         => body-names at v: unknown name `v`; the names are `x`, `w`, `bias`, `residual`, `alpha`, \
            `count`; a constant has a name in capitals",
    );
}

#[test]
fn types_of_operators() {
    check(
        spec,
        "matmul(x, w) * count
         => body-types at *: `*` takes two values of the same type, got f32 and i32; convert \
            the i32 with `as f32`
         count - matmul(x, w)
         => body-types at -: `-` takes two values of the same type, got i32 and f32; convert the \
            i32 with `as f32`
         matmul(x, w) + (alpha > 0.0)
         => body-types at >: `+` does not take bool; choose a number: `if condition { 1.0 } else \
            { 0.0 }`
         if alpha && count { matmul(x, w) } else { 0.0 }
         => body-types at alpha: expected bool, found f32; compare it: `x != 0.0`, `i != 0`
         => body-types at count: expected bool, found i32; compare it: `x != 0.0`, `i != 0`
         if -true { matmul(x, w) } else { !alpha }
         => body-types at Bool(true): `-` does not take bool; `!` takes a bool
         => body-types at alpha: `!` does not take f32; `!` takes a bool or an i32",
    );
}

#[test]
fn types_of_casts() {
    check(
        spec,
        "(matmul(x, w) as i32 as i32 as f32) as f32 + (true as bool as i32) as f32
         matmul(x, w) * true as f32
         => body-types at Cast(NodeId(3), F32): bool cannot be cast to f32; write `if condition \
            { 1.0 } else { 0.0 }`
         if count as bool { matmul(x, w) } else { 0.0 }
         => body-types at Cast(NodeId(0), Bool): i32 cannot be cast to bool; compare with zero: \
            `x != 0.0`, `i != 0`",
    );
}

#[test]
fn an_integer_next_to_a_float_is_converted() {
    check(
        spec,
        "matmul(x, w) * (row() * 0.5)
         => body-types at *: `*` takes two values of the same type, got i32 and f32; convert the i32 with `as f32`
         matmul(x, w) * (column() / 2.0)
         => body-types at /: `/` takes two values of the same type, got i32 and f32; convert the i32 with `as f32`
         if row() > 2.0 || 0.5 < row() { matmul(x, w) } else { 0.0 }
         => body-types at 2.0: `>` takes two values of the same type, got i32 and f32; write `2`
         => body-types at <: `<` takes two values of the same type, got f32 and i32; convert the i32 with `as f32`
         matmul(x, w).powi(alpha + 0.5)
         => body-types at +: expected i32, found f32; write `powf(alpha + 0.5)`
         matmul(x, w) * count.max(0.5) as f32
         => body-types at 0.5: expected i32, found f32; convert the i32 with `as f32`
         matmul(x, w) * if alpha > 0.0 { count } else { 0.5 }
         => body-types at count: `if` and `else` have different types: i32 and f32; convert the i32 with `as f32`
         { let n: i32 = 0.5; matmul(x, w) * n as f32 }
         => body-types at 0.5: expected i32, found f32; write a whole number",
    );
}

#[test]
fn a_wrong_operator_is_assumed_to_be_of_floats() {
    check(
        spec,
        "2 * matmul(x, w) + 1
         => body-types at 2: `*` takes two values of the same type, got i32 and f32; write `2.0`
         => body-types at 1: `+` takes two values of the same type, got f32 and i32; write `1.0`
         (2 * matmul(x, w) + 1.0).max(0.0)
         => body-types at 2: `*` takes two values of the same type, got i32 and f32; write `2.0`",
    );
}

#[test]
fn a_wrong_operator_is_one_mistake_wherever_it_is_stored() {
    check(
        |body| samples::product(Element::I8, body),
        "matmul(x, w) * 0.1
         => body-types at *: `*` takes two values of the same type, got i32 and f32; convert the i32 with `as f32`",
    );
}
