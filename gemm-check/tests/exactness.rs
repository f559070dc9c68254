//! The errors of sums of f32 factors that tensor cores multiply.

use gemm_check::data::Alignment;
use gemm_check::{Exactness, Options, Report, check_plan, page};
use gemm_codegen::body::{Body, Node, UnaryOp};
use gemm_codegen::{
    Element, Operand, OperandKind, Output, OutputIndices, Plan, Precision, Schedule, Spec,
};
use gemm_runtime::Shape;

/// `fn product(a, b) -> Mat<element, M, N>` with this body and this precision of its f32 factors.
fn checked(body: Body, element: Element, precision: Option<Precision>) -> Report {
    let operand = |name: &str, row: &str| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix {
            element: Element::F32,
            indices: [row.to_owned(), "K".to_owned()],
        },
    };
    let indices = ["M", "N"].map(str::to_owned);
    let spec = Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", "M"), operand("b", "N")],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element,
            indices: OutputIndices::Matrix(indices),
        }],
        body,
        schedule: Schedule { precision, ..Schedule::default() },
    };
    let plan = Plan::new(&spec).expect("it is legal");
    let options = Options {
        shape: Some(Shape { m: 70, n: 45, k: 300 }),
        alignment: Alignment::LINES,
        seed: 1,
        target: None,
        constants: Vec::new(),
    };
    let report = check_plan("product", &plan, &options).expect("it is checked");
    assert!(report.is_right(), "{report:?}");
    report
}

fn exactness(report: &Report) -> Exactness {
    let of = report.exactness.expect("f32 factors by tensor cores");
    let text = page(report);
    for line in [of.factors, of.bound_in_words] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains(&format!("\n   {:.1e} here: ", of.kernel)), "{text}");
    assert!(of.kernel > 0.0 && of.kernel <= of.bound, "{of:?}");
    // Of 300 products the errors of a few roundings in each direction.
    assert!((2e-8..2e-6).contains(&of.fused), "{of:?}");
    of
}

#[test]
fn halves_are_as_exact_as_f32_and_tf32_is_not() {
    let of = |precision| exactness(&checked(Body::matmul("a", "b"), Element::F32, Some(precision)));
    let (f16x3, tf32) = (of(Precision::F16x3), of(Precision::Tf32));
    assert_eq!(f16x3.fused, tf32.fused, "the same data");
    assert!(f16x3.kernel < f16x3.fused, "{f16x3:?}");
    assert!(tf32.kernel > 20.0 * tf32.fused, "{tf32:?}");
}

#[test]
fn nothing_is_said_of_what_is_not_a_sum_of_rounded_factors() {
    let sum = || Body::matmul("a", "b");
    let mut negative = sum();
    negative.root = negative.push(Node::Unary(UnaryOp::Neg, negative.root));
    let halves = Some(Precision::F16x3);
    for (body, element, precision) in [
        (sum(), Element::F32, None),
        (negative, Element::F32, halves),
        (sum(), Element::F16, halves),
    ] {
        let report = checked(body, element, precision);
        assert_eq!(report.exactness, None);
        assert!(!page(&report).contains("Σ abs(a·b)"));
    }
}
