//! A kernel whose body reads its coordinates, and the same kernel with others in their place.

use gemm_check::data::Alignment;
use gemm_check::{Failure, Problem, dynamic};
use gemm_codegen::body::{BinaryOp, Body, Coordinate, Node};
use gemm_codegen::{
    Element, Kernel, Operand, OperandKind, Output, OutputIndices, Plan, ScalarType, Schedule, Spec,
    emit,
};
use gemm_runtime::{Device, Shape};

/// `fn product(a, b) { matmul(a, b) + (row() - column()) as f32 }` with an output of these indices.
fn plan(indices: [&str; 2]) -> Plan {
    let operand = |name: &str, row: &str| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix {
            element: Element::F16,
            indices: [row.to_owned(), "K".to_owned()],
        },
    };
    let mut body = Body::matmul("a", "b");
    let product = body.root;
    let [row, column] = Coordinate::OF_MATRIX.map(|of| {
        let function = of.name().to_owned();
        body.push(Node::Call { function, arguments: Vec::new() })
    });
    let distance = body.push(Node::Binary(BinaryOp::Sub, row, column));
    let distance = body.push(Node::Cast(distance, ScalarType::F32));
    body.root = body.push(Node::Binary(BinaryOp::Add, product, distance));
    let indices = indices.map(str::to_owned);
    let spec = Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", "M"), operand("b", "N")],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element: Element::F32,
            indices: OutputIndices::Matrix(indices),
        }],
        body,
        schedule: Schedule::default(),
    };
    Plan::new(&spec).expect("it is legal")
}

/// What a check finds of the kernel of a plan that passes these to its body.
fn checked(plan: &Plan, passed: &str) -> Result<(), Failure> {
    let (kernel, own) = (emit(plan), "body(sums[i], row, col + i)");
    assert!(kernel.text.contains(own), "no {own} in {}", kernel.text);
    let kernel = Kernel { text: kernel.text.replace(own, passed).into(), ..kernel };
    let device = Device::emulator();
    let shape = Shape { m: 21, n: 40, k: 9 };
    let mut problem = Problem::new(&device, shape, Alignment::LINES, 1);
    dynamic::run(&mut problem, plan, &kernel, &|host| host.values()).map(|_| ())
}

#[test]
fn the_values_of_a_plan_follow_the_order_of_its_output() {
    for plan in [["M", "N"], ["N", "M"]].map(plan) {
        checked(&plan, "body(sums[i], row, col + i)").expect("it is right");
        for wrong in ["body(sums[i], col + i, row)", "body(sums[i], row, col)"] {
            let failure = checked(&plan, wrong).expect_err(wrong);
            assert!(matches!(failure, Failure::Element { .. }), "{wrong}: {failure}");
        }
    }
}
