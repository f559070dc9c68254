use crate::body::samples;
use crate::element::Element;
use crate::field::Field;
use crate::rule::Rule;
use crate::spec::{Operand, OperandKind, OutputIndices, Spec};
use crate::{Axis, Plan, emit};

/// A function of `x`, of `w` and `v` with the columns N and P, of vectors `bias` and `shift` along these, of `rows`
/// and `others` along M, and of `alpha` and `beta`, with an output for each of these column indices.
fn spec(columns: &[&str], body: &str) -> Spec {
    let mut spec = samples::outputs(&vec![Element::F16; columns.len()], body);
    for (output, column) in spec.outputs.iter_mut().zip(columns) {
        output.indices = OutputIndices::Matrix(["M".to_owned(), (*column).to_owned()]);
    }
    let matrix =
        OperandKind::Matrix { element: Element::F16, indices: ["P", "K"].map(str::to_owned) };
    let vector = OperandKind::Vector { element: Element::F16, index: "P".to_owned() };
    let operand = |name: &str, kind| Operand { name: name.to_owned(), batch: Vec::new(), kind };
    spec.operands.extend([operand("v", matrix), operand("shift", vector)]);
    let of_rows = || OperandKind::Vector { element: Element::F16, index: "M".to_owned() };
    spec.operands.extend([operand("rows", of_rows()), operand("others", of_rows())]);
    spec.operands.push(samples::scalar("beta", crate::ScalarType::F32));
    spec
}

#[test]
fn the_operands_of_products_correspond() {
    let spec = spec(&["N", "P"], "(alpha * matmul(x, w) + bias, beta * matmul(x, v) + shift)");
    let plan = Plan::new(&spec).unwrap();
    let names = |number: usize| {
        let of = plan.segments()[number].operands().iter();
        of.map(|number| spec.operands[*number].name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["alpha", "x", "w", "bias"]);
    assert_eq!(names(1), ["beta", "x", "v", "shift"]);
    assert_eq!(plan.problem().columns_in_turn(), [Axis::N, Axis::N1]);
    // What no product has is passed, too.
    let kernel = emit(&plan);
    assert_eq!(kernel.parameters.len(), spec.operands.len() + 2);
    assert!(kernel.text.contains("of_segment(block.segment, alpha, beta)"), "{}", kernel.text);
}

#[test]
fn lets_are_those_of_the_value_that_reads_them() {
    let body = "{
        let q = matmul(x, w) + bias;
        let k = matmul(x, v) + shift;
        let bias = alpha;
        (relu(q) * bias, relu(k) * bias)
    }";
    let spec = spec(&["N", "P"], body);
    let plan = Plan::new(&spec).unwrap();
    let names = |number: usize| {
        let of = plan.segments()[number].operands().iter();
        of.map(|number| spec.operands[*number].name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(0), names(1)),
        (vec!["x", "w", "bias", "alpha"], vec!["x", "v", "shift", "alpha"])
    );
}

#[test]
fn products_that_are_computed_in_other_ways_are_refused() {
    let broken = |columns: &[&str], body| {
        let broken = Plan::new(&spec(columns, body)).unwrap_err();
        broken.iter().map(|one| (one.rule, one.at)).collect::<Vec<_>>()
    };
    for body in [
        "(relu(matmul(x, w)), matmul(x, v))",
        "(matmul(x, w) + alpha, matmul(x, v) - alpha)",
        "(matmul(x, w) + bias, matmul(x, v) + beta)",
        "(matmul(x, w) * row() as f32, matmul(x, v) * column() as f32)",
        // The same vectors at other places.
        "(matmul(x, w) * rows + others, matmul(x, v) * others + rows)",
    ] {
        let found = broken(&["N", "P"], body);
        assert!(matches!(found[..], [(Rule::ProductsInTurn, Field::Body(_))]), "{body}: {found:?}");
    }
    let body = "matmul(x, w) * matmul(x, v)";
    assert_eq!(broken(&["N"], body)[0], (Rule::SharedFactor, Field::OperandIndex(6, 0)));
    // Values of other columns.
    let body = "(matmul(x, w) + shift, matmul(x, v) + bias)";
    assert!(matches!(
        broken(&["N", "P"], body)[..],
        [(Rule::OperandIndices, Field::OperandIndex(7, 0))]
    ));
    // Outputs of the other's columns.
    let body = "(matmul(x, w), matmul(x, v))";
    assert_eq!(broken(&["P", "N"], body), [(Rule::ContractionIndices, Field::OutputIndex(0, 1))]);
    assert!(!broken(&["N", "N"], body).is_empty());
}

#[test]
fn mistakes_of_the_kernel_are_at_the_operands_of_the_function() {
    let body = "(alpha * matmul(x, w) + bias, beta * matmul(x, v) + shift)";
    let mut spec = spec(&["N", "P"], body);
    // Unlike the product alone, the function has its factors first.
    if let OperandKind::Matrix { element, .. } = &mut spec.operands[0].kind {
        *element = Element::Bf16;
    }
    let broken = Plan::new(&spec).unwrap_err();
    let at = broken.iter().find(|one| one.rule == Rule::ElementsMatchAtom).map(|one| one.at);
    assert_eq!(at, Some(Field::OperandElement(1)), "{broken}");
}

#[test]
fn products_are_named_in_any_order() {
    let body = "{ let k = matmul(x, v); let q = matmul(x, w); (q + bias, k + shift) }";
    let spec = spec(&["N", "P"], body);
    let plan = Plan::new(&spec).unwrap();
    assert_eq!(plan.problem().columns_in_turn(), [Axis::N, Axis::N1]);
    let factors = plan.segments().iter().map(|of| spec.operands[of.operands()[1]].name.as_str());
    assert_eq!(factors.collect::<Vec<_>>(), ["w", "v"]);
}
