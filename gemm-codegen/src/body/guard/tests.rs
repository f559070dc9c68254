use super::*;
use crate::body::{cuda, resolve, samples};
use crate::spec::{OperandKind, Spec};

/// The guards of the elements that a body reads, as text: operands by name, the old element as `c`.
fn texts(spec: &Spec) -> String {
    let is_scalar = |operand: usize| {
        let kind = &spec.operands[operand].kind;
        matches!(kind, OperandKind::Scalar(_) | OperandKind::DeviceScalar(_))
    };
    let text = |(read, guard): (Read, Guard)| {
        let name = match read {
            Read::Operand(number) => spec.operands[number].name.as_str(),
            Read::Old => "c",
        };
        let function = cuda::guard(name, &guard, spec);
        let condition = function.split("return ").nth(1).unwrap().split(';').next().unwrap();
        format!("{name}: {}", condition.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let is_element = |(read, _): &(Read, Guard)| match read {
        Read::Operand(number) => !is_scalar(*number),
        Read::Old => true,
    };
    let guards = guards(&resolve(spec).body.unwrap(), is_scalar);
    guards.into_iter().filter(is_element).map(text).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn guarded(body: &str, expected: &str) {
    let body = format!("{{ let z = matmul(x, w); {body} }}");
    assert_eq!(texts(&samples::in_place(&body)), expected, "{body}");
}

#[test]
fn a_condition_of_scalars_guards_what_its_branch_reads() {
    guarded("if alpha == 0.0 { z } else { z + alpha * *c }", "c: alpha != 0.0f");
    guarded("if alpha > 0.0 { *c } else { z + bias }", "bias: !(alpha > 0.0f); c: alpha > 0.0f");
    guarded("let old = *c; if count > 1 { z } else { old }", "c: !(count > 1)");
    guarded(
        "let off = alpha.abs() < 1e-3; if off { z } else { z * bias }",
        "bias: !(fabsf(alpha) < 0.001f)",
    );
}

#[test]
fn what_every_launch_reads_has_no_guard() {
    guarded("z + alpha * *c", "");
    guarded("if z > 0.0 { *c } else { bias }", "");
    guarded("if bias > 0.0 { *c } else { z }", "");
    guarded("if alpha > 0.0 { z + bias } else { bias }", "");
    guarded("if row() > count { *c } else { z }", "");
    guarded("*c + if alpha > 0.0 { *c + z } else { z }", "");
}

#[test]
fn alternatives_are_joined() {
    guarded(
        "if alpha > 0.0 { if count > 1 { *c } else { z } } else { z * *c }",
        "c: (alpha > 0.0f && count > 1) || !(alpha > 0.0f)",
    );
    guarded("if alpha > 0.0 { if count > 1 { *c } else { *c + z } } else { z }", "c: alpha > 0.0f");
    let nested = |depth: i32| {
        (0..depth).fold("z".to_owned(), |inner, number| {
            format!("if count > {number} {{ *c }} else {{ if alpha > {number}.0 {{ z }} else {{ {inner} }} }}")
        })
    };
    let of_four = format!("{{ let z = matmul(x, w); {} }}", nested(4));
    assert_ne!(texts(&samples::in_place(&of_four)), "");
    guarded(&nested(5), "");
}

#[test]
fn lets_that_double_end() {
    let doubled = (1..40).fold("let l0 = alpha + alpha;".to_owned(), |lets, number| {
        let before = number - 1;
        format!("{lets} let l{number} = l{before} + l{before};")
    });
    guarded(&format!("{doubled} if l39 > 0.0 {{ *c }} else {{ z }}"), "");
}
