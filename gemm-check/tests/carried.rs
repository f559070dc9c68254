//! A body that carries the errors of its sums far, and the same kernel made wrong.

use gemm_check::data::Alignment;
use gemm_check::{Failure, Problem, dynamic};
use gemm_codegen::body::{BinaryOp, Body, Node};
use gemm_codegen::{
    Element, Kernel, Operand, OperandKind, Output, OutputIndices, Plan, Schedule, Spec, emit,
};
use gemm_runtime::{Device, Shape};

/// `fn product(a, b) { (scale * matmul(a, b)).exp() }` with an output in f32.
fn plan(scale: f64) -> Plan {
    let operand = |name: &str, row: &str| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix {
            element: Element::F16,
            indices: [row.to_owned(), "K".to_owned()],
        },
    };
    let mut body = Body::matmul("a", "b");
    let (product, scale) = (body.root, body.push(Node::Float(scale)));
    let receiver = body.push(Node::Binary(BinaryOp::Mul, product, scale));
    let (method, arguments) = ("exp".to_owned(), Vec::new());
    body.root = body.push(Node::Method { receiver, method, arguments });
    let spec = Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", "M"), operand("b", "N")],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element: Element::F32,
            indices: OutputIndices::Matrix(["M", "N"].map(str::to_owned)),
        }],
        body,
        schedule: Schedule::default(),
    };
    Plan::new(&spec).expect("it is legal")
}

/// What a check finds of the kernel of a plan that calls this instead of `expf`.
fn checked(plan: &Plan, called: &str, seed: u64) -> Result<(), Failure> {
    let (kernel, own) = (emit(plan), "expf(");
    assert!(kernel.text.contains(own), "no {own} in {}", kernel.text);
    let kernel = Kernel { text: kernel.text.replace(own, called).into(), ..kernel };
    let device = Device::emulator();
    let shape = Shape { m: 64, n: 64, k: 16 };
    let mut problem = Problem::new(&device, shape, Alignment::LINES, seed);
    dynamic::run(&mut problem, plan, &kernel, &|host| host.values()).map(|_| ())
}

#[test]
fn an_exponential_may_be_off_by_what_it_makes_of_the_errors_of_sums() {
    let plan = plan(12.0);
    for seed in 0..12 {
        checked(&plan, "expf(", seed).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
    }
}

#[test]
fn an_exponential_that_is_off_by_more_is_wrong() {
    let plan = plan(12.0);
    for wrong in ["1.002f * expf(", "0.999f * expf(", "expf(0.001f + ", "expf(0.9999f * "] {
        let failure = checked(&plan, wrong, 1).expect_err(wrong);
        let is_of_output = matches!(failure, Failure::Element { .. } | Failure::Norm { .. });
        assert!(is_of_output, "{wrong}: {failure}");
    }
}
