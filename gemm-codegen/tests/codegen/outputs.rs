//! Several outputs: what they share, and what the text makes of them.

use gemm_codegen::body::{Body, Node};
use gemm_codegen::{
    Element, Field, MAX_OUTPUTS, Operand, OperandKind, Output, Plan, Rule, Schedule, Spec, emit,
};

fn operand(name: &str, indices: [&str; 2]) -> Operand {
    let indices = indices.map(str::to_owned);
    let kind = OperandKind::Matrix { element: Element::F16, indices };
    Operand { name: name.to_owned(), batch: None, kind }
}

fn output(element: Element) -> Output {
    Output { in_place: None, batch: None, element, indices: ["M", "N"].map(str::to_owned) }
}

/// `{ let z = matmul(a, b); (z, -z, ..) }`, with an output for each element.
fn product(elements: &[Element]) -> Spec {
    let mut body = Body::matmul("a", "b");
    let product = body.root;
    let values = elements.iter().map(|_| body.push(Node::Name("z".to_owned()))).collect();
    let value = body.push(Node::Tuple(values));
    body.root = body.push(Node::Block { bindings: vec![("z".to_owned(), product)], value });
    Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", ["M", "K"]), operand("b", ["N", "K"])],
        outputs: elements.iter().map(|element| output(*element)).collect(),
        body,
        schedule: Schedule::default(),
    }
}

fn broken(spec: &Spec) -> Vec<(Rule, Field)> {
    match Plan::new(spec) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.iter().map(|d| (d.rule, d.at)).collect(),
    }
}

const TWO: [Element; 2] = [Element::F32, Element::F16];

#[test]
fn up_to_four_outputs_are_legal() {
    for count in 2..=MAX_OUTPUTS {
        assert_eq!(broken(&product(&[Element::F16; MAX_OUTPUTS][..count])), []);
    }
    let at = Field::Output(MAX_OUTPUTS);
    assert_eq!(broken(&product(&[Element::F16; MAX_OUTPUTS + 1])), [(Rule::OutputCount, at)]);
}

#[test]
fn what_is_written_in_place_is_the_only_output() {
    let mut spec = product(&TWO);
    spec.outputs[0].in_place = Some("c".to_owned());
    assert_eq!(broken(&spec), [(Rule::OutputCount, Field::Output(1))]);
    let mut spec = product(&TWO);
    spec.outputs[1].in_place = Some("c".to_owned());
    assert_eq!(broken(&spec), [(Rule::OutputCount, Field::Output(1))]);
}

#[test]
fn all_outputs_have_one_order() {
    let mut spec = product(&[Element::F32, Element::F16, Element::F16]);
    spec.outputs[2].indices = ["N", "M"].map(str::to_owned);
    assert_eq!(broken(&spec), [(Rule::OutputsAlike, Field::OutputIndex(2, 0))]);
    let diagnostics = Plan::new(&spec).unwrap_err();
    let first = diagnostics.iter().next().unwrap();
    assert_eq!(
        first.message,
        "the row index of output 2 is `N`, but output 0 has the indices `M` and `N`"
    );
    assert_eq!(
        first.help,
        "write `Mat<f16, M, N>`: all outputs have the same indices in the same order"
    );
    spec.outputs[1].indices[1] = "K".to_owned();
    spec.outputs[2].indices = ["M", "N"].map(str::to_owned);
    assert_eq!(broken(&spec), [(Rule::OutputsAlike, Field::OutputIndex(1, 1))]);
}

#[test]
fn all_outputs_are_batches_or_none() {
    let batched = |outputs: [Option<&str>; 2]| {
        let mut spec = product(&TWO);
        spec.operands[0].batch = outputs[0].map(str::to_owned);
        spec.outputs[0].batch = outputs[0].map(str::to_owned);
        spec.outputs[1].batch = outputs[1].map(str::to_owned);
        broken(&spec)
    };
    assert_eq!(batched([Some("B"), Some("B")]), []);
    assert_eq!(batched([Some("B"), None]), [(Rule::OutputsAlike, Field::Output(1))]);
    let index = [(Rule::OutputsAlike, Field::OutputBatch(1))];
    assert_eq!(batched([None, Some("B")]), index);
    assert_eq!(batched([Some("B"), Some("C")]), index);
}

#[test]
fn each_output_is_converted_on_every_target() {
    let mut spec = product(&[Element::F32, Element::E4m3]);
    spec.schedule.targets = Some(vec![gemm_codegen::Target::Sm80]);
    assert_eq!(broken(&spec), [(Rule::ElementsOnTarget, Field::Target(0))]);
    spec.schedule.targets = None;
    let oldest = Plan::new(&spec).unwrap().targets()[0];
    assert_eq!(oldest, gemm_codegen::Target::Sm89);
}

#[test]
fn each_output_has_parameters_of_its_own() {
    let mut spec = product(&TWO);
    for batch in [&mut spec.operands[0].batch, &mut spec.outputs[0].batch] {
        *batch = Some("B".to_owned());
    }
    spec.outputs[1].batch = Some("B".to_owned());
    let plan = Plan::new(&spec).unwrap();
    let kernel = emit(&plan);
    assert_eq!(kernel.outputs, 2);
    let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name.as_ref()).collect();
    assert_eq!(names, ["a", "b", "out0", "out1"]);
    assert!(kernel.parameters[2..].iter().all(|parameter| parameter.batched));
    let macros = kernel.parameters[2..].iter().filter_map(|p| p.align_macro.as_deref());
    assert_eq!(macros.collect::<Vec<_>>(), ["ALIGN_out0", "ALIGN_out1"]);
    for part in [
        ") -> (Batched<f32, B, M, N>, Batched<f16, B, M, N>)",
        "out0(B, M, N), out1(B, M, N) = body(sum over K of a * b), for any B, M, N and K.",
        "    f32* out0, long long ld_out0, long long stride_out0,\n",
        "    f16* out1, long long ld_out1, long long stride_out1) {\n",
        "    out0 += block.batch * stride_out0;\n    out1 += block.batch * stride_out1;\n",
        "struct Result { float out0; float out1; };",
        "constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));\n",
        "constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, OUT1_VECTOR);\n",
        "        ::store<ALIGN_out1>(out1 + row * ld_out1 + col, of_out1, valid);\n",
        "const Outputs outputs = {out0, ld_out0, out1, ld_out1};",
    ] {
        assert!(kernel.text.contains(part), "no `{part}` in\n{}", kernel.text);
    }
    assert!(plan.table().contains("f32, f16, 4 elements of each at a time"));
}

#[test]
fn an_operand_may_have_the_name_of_an_output() {
    let mut spec = product(&TWO);
    spec.operands[0].name = "out0".to_owned();
    spec.body.nodes[0] = Node::Name("out0".to_owned());
    assert!(emit(&Plan::new(&spec).unwrap()).text.contains("const f16* out0_, long long"));
}
