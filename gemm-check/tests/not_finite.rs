//! Kernels whose right output has NaN and infinities, and the same kernels made wrong.

use std::num::NonZeroU16;

use gemm_check::data::Alignment;
use gemm_check::{Failure, Problem, dynamic};
use gemm_codegen::body::{BinaryOp, Body, Node};
use gemm_codegen::{
    Element, Kernel, Operand, OperandKind, Output, OutputIndices, Plan, Schedule, Spec, emit,
};
use gemm_runtime::{Device, Shape};

/// `fn product(a, b) -> Mat<output, M, N> { relu(scale * matmul(a, b)).method() }`, with `relu` or without.
fn plan(output: Element, scale: f64, relu: bool, method: &str) -> Plan {
    let indices = |row: &str| [row.to_owned(), "K".to_owned()];
    let operand = |name: &str, row| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix { element: Element::F16, indices: indices(row) },
    };
    let mut body = Body::matmul("a", "b");
    let (product, scale) = (body.root, body.push(Node::Float(scale)));
    let mut value = body.push(Node::Binary(BinaryOp::Mul, product, scale));
    if relu {
        value = body.push(Node::Call { function: "relu".to_owned(), arguments: vec![value] });
    }
    let method = method.to_owned();
    body.root = body.push(Node::Method { receiver: value, method, arguments: Vec::new() });
    let extents = |all: [u16; 3]| all.map(|extent| NonZeroU16::new(extent).expect("not 0"));
    let [m, n, _] = extents([1; 3]);
    let indices = ["M", "N"].map(str::to_owned);
    let spec = Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", "M"), operand("b", "N")],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element: output,
            indices: OutputIndices::Matrix(indices),
        }],
        body,
        schedule: Schedule {
            tile: Some(extents([16, 8, 16])),
            warps: Some([m, n, NonZeroU16::MIN]),
            ..Schedule::default()
        },
    };
    Plan::new(&spec).expect("it is legal")
}

/// What is found of the kernel of a plan whose text was edited.
fn found(plan: &Plan, [from, to]: [&str; 2]) -> Result<usize, Failure> {
    let kernel = emit(plan);
    assert!(kernel.text.contains(from), "no {from} in {}", kernel.text);
    let kernel = Kernel { text: kernel.text.replace(from, to).into(), ..kernel };
    let device = Device::emulator();
    let shape = Shape { m: 16, n: 24, k: 32 };
    let mut problem = Problem::new(&device, shape, Alignment::LINES, 1);
    dynamic::run(&mut problem, plan, &kernel, &|host| host.values()).map(|v| v.not_finite)
}

/// Output, scale, whether negative sums count as 0, method, its device function.
type Case = (Element, f64, bool, &'static str, &'static str);

/// NaN, -∞, ∞ by division, ∞ by overflow in the body and by that of an element.
const CASES: [Case; 6] = [
    (Element::F32, 1.0, false, "sqrt", "sqrtf("),
    (Element::F16, 1.0, false, "ln", "logf("),
    (Element::F32, 1.0, true, "ln", "logf("),
    (Element::Bf16, 1.0, true, "recip", "__frcp_rn("),
    (Element::F32, 1e38, false, "abs", "fabsf("),
    (Element::F16, 4.0, false, "exp", "expf("),
];

#[test]
fn a_right_kernel_is_right_where_values_are_not_finite() {
    for (output, scale, relu, method, function) in CASES {
        let plan = plan(output, scale, relu, method);
        let count = found(&plan, [function; 2]).unwrap_or_else(|it| panic!("{method}: {it}"));
        assert!(count > 8 && count < 16 * 24 - 8, "{method}: {count} of 384 are not finite");
    }
}

#[test]
fn a_wrong_kernel_is_wrong_next_to_values_that_are_not_finite() {
    for (output, scale, relu, method, function) in CASES {
        let plan = plan(output, scale, relu, method);
        for factor in ["1.5f * ", "0.9f * ", "-", "0.0f * "] {
            let planted = format!("{factor}{function}");
            let failure = found(&plan, [function, &planted]).expect_err(&planted);
            assert!(matches!(failure, Failure::Element { .. }), "{planted}: {failure}");
        }
    }
}

#[test]
fn a_number_where_the_reference_is_not_finite_is_wrong() {
    let plants = [
        (CASES[0], "sqrtf(", "sqrtf(1e-8f + fabsf("),
        (CASES[2], "logf(", "logf(1e-30f + fabsf("),
        (CASES[4], "fabsf(", "fabsf(fminf(3.3e38f, "),
    ];
    for ((output, scale, relu, method, _), from, to) in plants {
        let plan = plan(output, scale, relu, method);
        let text = emit(&plan).text.into_owned();
        // The call up to its end, which gets another parenthesis.
        let start = text.find(&format!("return {from}")).expect("the value") + "return ".len();
        let call = &text[start..start + text[start..].find(';').expect("an end")];
        let planted = format!("{})", call.replace(from, to));
        let failure = found(&plan, [call, &planted]).expect_err(&planted);
        let expected = match failure {
            Failure::Element { expected, .. } => expected,
            failure => panic!("{planted}: {failure}"),
        };
        // What is finite above the planted limit is changed, too.
        assert!(!expected.is_finite() || expected > 3.3e38, "{planted}: {expected}");
    }
}
