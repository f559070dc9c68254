//! Functions of the user's own.

use crate::body::check_functions;
use crate::body::cuda::{BodyText, emit};
use crate::body::resolve;
use crate::body::samples::{spec, with_functions};
use crate::spec::{Spec, UnaryOp};

use super::value::{self, Value};
use super::*;

const LEAKY: &str = "fn scaled(x: f32, alpha: f32) -> f32 { x * alpha }
    fn leaky(x: f32) -> f32 { let bias = scaled(x, 0.5); if x < 0.0 { bias } else { gelu(x) } }
    fn unused(i: i32) -> i32 { i + 1 }";

fn text(body: &str, functions: &str) -> BodyText {
    let spec = with_functions(spec(body), functions);
    emit(&resolve(&spec).body.unwrap(), &spec)
}

fn mistakes(spec: &Spec) -> Vec<String> {
    let broken = resolve(spec).body.err().unwrap_or_default();
    broken.iter().map(|broken| format!("{}; {}", broken.message, broken.help)).collect()
}

/// The mistakes in functions, which are the same of a kernel that calls them or not.
#[track_caller]
fn refused(functions: &str, expected: &[&str]) {
    let spec = with_functions(spec("matmul(x, w)"), functions);
    let own = check_functions(&spec.body).err();
    let own = own.iter().flatten().map(|broken| format!("{}; {}", broken.message, broken.help));
    assert_eq!(own.collect::<Vec<_>>(), expected, "{functions}");
    assert_eq!(mistakes(&spec), expected, "{functions}");
}

#[test]
fn functions_that_are_called_are_device_functions_callees_first() {
    let text = text("leaky(matmul(x, w) + bias) * leaky(alpha)", LEAKY);
    let expected = "// The functions of the author's module that the body calls.
namespace own {

__device__ __forceinline__ float scaled(const float x, const float alpha) {
    return x * alpha;
}

__device__ __forceinline__ float leaky(const float x) {
    const float bias = own::scaled(x, 0.5f);
    return x < 0.0f ? bias : gelu(x);
}

}
";
    assert_eq!(text.own.as_deref(), Some(expected));
    assert!(
        text.function.contains("return own::leaky(acc + bias) * own::leaky(alpha);"),
        "{}",
        text.function
    );
    assert_eq!(text.calls.iter().map(|called| called.name).collect::<Vec<_>>(), ["gelu"]);
}

#[test]
fn a_function_may_have_a_name_of_the_text_or_of_a_local() {
    let text =
        text("{ let int = int(matmul(x, w)); int + bias }", "fn int(float: f32) -> f32 { float }");
    let own = text.own.expect("a function");
    assert!(own.contains("float int_(const float float_) {\n    return float_;\n}"), "{own}");
    assert!(text.function.contains("const float int_ = own::int_(acc);"), "{}", text.function);
}

#[test]
fn a_body_without_calls_has_no_namespace() {
    assert_eq!(text("matmul(x, w)", LEAKY).own, None);
}

#[test]
fn values_and_instructions_are_those_of_the_functions() {
    let twice = "fn twice(x: f32) -> f32 { let y = x + x; y }
        fn all(x: f32, n: i32, b: bool) -> f32 { if b { twice(twice(x) + twice(1.0)) } else { n as f32 } }";
    let of = |body: &str, functions: &str| {
        let spec = with_functions(spec(body), functions);
        let resolved = resolve(&spec).body.unwrap();
        (Value::from(resolved.evaluate(&value::Read(&spec))[0]), resolved.instructions())
    };
    let (found, instructions) = of("all(matmul(x, w), count, alpha == alpha)", twice);
    let (expected, _) = of("{ let y = matmul(x, w) * 2.0 + 2.0; y + y }", "");
    assert!(found.same(expected), "{found:?} {expected:?}");
    // Two operands and a comparison; the choice, a cast, a sum and three calls.
    assert_eq!(instructions, 4 + 1 + 1 + 1 + 3);
    let (found, _) = of("all(matmul(x, w), 3, false)", twice);
    assert!(found.same(Value::Float(3.0)), "{found:?}");
}

#[test]
fn a_function_sees_its_parameters_alone() {
    refused(
        "fn f(x: f32) -> f32 { x * alpha }",
        &[
            "unknown name `alpha`; the names in `f` are `x`; operands, constants and `let`s of elsewhere are passed \
           as arguments",
        ],
    );
    refused(
        "fn f(x: f32) -> f32 { matmul(x, w) }",
        &[
            "`matmul` is in the body of a kernel alone, and `f` is a function; pass the product as an argument: \
           `f(matmul(..))`",
        ],
    );
    refused(
        "fn f(x: f32) -> f32 { x * row() as f32 }",
        &[
            "`row` is in the body of a kernel alone, and `f` is a function; pass it as an argument: `f(row())`",
        ],
    );
    refused(
        "fn f(x: f32) -> f32 { sum(x) }",
        &[
            "`sum` is in the body of a kernel alone, and `f` is a function; reduce what `f` returns, at the end of the \
           body of a kernel",
        ],
    );
}

#[test]
fn values_have_the_declared_types() {
    refused("fn f(x: f32) -> i32 { x }", &["expected i32, found f32; convert it with `as i32`"]);
    let spec = with_functions(
        spec("f(matmul(x, w), count) + f(alpha)"),
        "fn f(x: f32, y: f32) -> f32 { x + y }",
    );
    assert_eq!(
        mistakes(&spec),
        [
            "expected f32, found i32; convert it with `as f32`",
            "`f` takes 2 arguments, got 1; write `f(x, y)`"
        ]
    );
}

#[test]
fn no_function_calls_itself() {
    let help = "write it without recursion: the functions of a body are inlined on the device";
    refused("fn f(x: f32) -> f32 { f(x) }", &[&format!("`f` calls itself; {help}")]);
    refused(
        "fn f(x: f32) -> f32 { g(x) } fn g(x: f32) -> f32 { h(x) } fn h(x: f32) -> f32 { f(x) * g(x) }",
        &[
            &format!("`f` calls itself through `g` and `h`; {help}"),
            &format!("`g` calls itself through `h`; {help}"),
        ],
    );
}

#[test]
fn names_of_functions_are_their_own() {
    refused(
        "fn gelu(x: f32) -> f32 { x }",
        &[
            "`gelu` is a function of the language; rename the function: a body would call the other one",
        ],
    );
    refused(
        "fn f(x: f32) -> f32 { x } fn f(y: f32) -> f32 { y }",
        &["two functions are named `f`; rename one of them"],
    );
    refused(
        "fn f(x: f32, x: f32) -> f32 { x }",
        &["two parameters of `f` are named `x`; rename one of them"],
    );
}

#[test]
fn functions_are_nested_within_the_limit_of_a_body() {
    let chain = |functions: usize| {
        let mut spec = with_functions(spec("f0(matmul(x, w))"), "fn f0(x: f32) -> f32 { -x }");
        for number in 1..functions {
            let last = format!("fn f{number}(x: f32) -> f32 {{ f{}(x) }}", number - 1);
            spec = with_functions(spec, &last);
        }
        spec
    };
    assert_eq!(mistakes(&chain(100)), [""; 0]);
    let deep =
        ["the functions are nested deeper than 256 levels; call fewer functions from each other"];
    assert_eq!(mistakes(&chain(300)), deep);
    let mut reversed = chain(1000);
    reversed.body.functions.reverse();
    assert_eq!(mistakes(&reversed), deep);
    let mut leaf = chain(1);
    for _ in 0..MAX_DEPTH {
        leaf.body.root = leaf.body.push(Node::Unary(UnaryOp::Neg, leaf.body.root));
    }
    assert!(resolve(&leaf).body.is_err());
}
