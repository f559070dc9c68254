//! Several outputs: what they share, and what the text makes of them.

use gemm_codegen::body::Node;
use gemm_codegen::{Element, Field, MAX_OUTPUTS, Rule, Spec, Target, emit};

use super::shared::{F16, broken, contains_all, help, kernel, message, on, output, plan, tn};

/// `{ let z = matmul(a, b); (z, z, ..) }`, with an output for each element.
fn product(elements: &[Element]) -> Spec {
    let mut spec = tn();
    let (product, body) = (spec.body.root, &mut spec.body);
    let values = elements.iter().map(|_| body.push(Node::Name("z".to_owned()))).collect();
    let value = body.push(Node::Tuple(values));
    body.root = body.push(Node::Block { bindings: vec![("z".to_owned(), product)], value });
    spec.outputs = elements.iter().map(|element| output(*element, ["M", "N"])).collect();
    spec
}

const TWO: [Element; 2] = [Element::F32, F16];

#[test]
fn up_to_four_outputs_are_legal() {
    for count in 2..=MAX_OUTPUTS {
        assert_eq!(broken(&product(&[F16; MAX_OUTPUTS][..count])), []);
    }
    let at = Field::Output(MAX_OUTPUTS);
    assert_eq!(broken(&product(&[F16; MAX_OUTPUTS + 1])), [(Rule::OutputCount, at)]);
}

#[test]
fn what_is_written_in_place_is_the_only_output() {
    for number in [0, 1] {
        let mut spec = product(&TWO);
        spec.outputs[number].in_place = Some("c".to_owned());
        assert_eq!(broken(&spec), [(Rule::OutputCount, Field::Output(1))]);
    }
}

#[test]
fn all_outputs_have_one_order() {
    let mut spec = product(&[Element::F32, F16, F16]);
    spec.outputs[2].indices.names_mut().swap(0, 1);
    assert_eq!(broken(&spec), [(Rule::OutputsAlike, Field::OutputIndex(2, 0))]);
    assert_eq!(
        message(&spec),
        "the row index of output 2 is `N`, but output 0 has the indices `M` and `N`"
    );
    assert_eq!(
        help(&spec),
        "write `Mat<f16, M, N>`: all outputs have the same indices in the same order"
    );
    spec.outputs[1].indices.names_mut()[1] = "K".to_owned();
    spec.outputs[2].indices.names_mut().swap(0, 1);
    assert_eq!(broken(&spec), [(Rule::OutputsAlike, Field::OutputIndex(1, 1))]);
}

#[test]
fn all_outputs_are_batches_or_none() {
    let batched = |outputs: [Option<&str>; 2]| {
        let mut spec = product(&TWO);
        spec.operands[0].batch = outputs[0].map(str::to_owned).into_iter().collect();
        spec.outputs[0].batch = outputs[0].map(str::to_owned).into_iter().collect();
        spec.outputs[1].batch = outputs[1].map(str::to_owned).into_iter().collect();
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
    let spec = product(&[Element::F32, Element::E4m3]);
    assert_eq!(plan(&spec).targets()[0], Target::Sm89);
    assert_eq!(broken(&on(spec, &[Target::Sm80])), [(Rule::ElementsOnTarget, Field::Target(0))]);
}

#[test]
fn each_output_has_parameters_of_its_own() {
    let mut spec = product(&TWO);
    spec.operands[0].batch = vec!["B".to_owned()];
    spec.outputs.iter_mut().for_each(|output| output.batch = vec!["B".to_owned()]);
    let plan = plan(&spec);
    let kernel = emit(&plan);
    assert_eq!(kernel.outputs, 2);
    let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name.as_ref()).collect();
    assert_eq!(names, ["a", "b", "out0", "out1"]);
    assert!(kernel.parameters[2..].iter().all(|parameter| parameter.batch.0[..] == [true]));
    let macros = kernel.parameters[2..].iter().filter_map(|p| p.align_constant.as_deref());
    assert_eq!(macros.collect::<Vec<_>>(), ["ALIGN_out0", "ALIGN_out1"]);
    let parts = [
        ") -> (Batched<f32, B, M, N>, Batched<f16, B, M, N>)",
        "out0(B, M, N), out1(B, M, N) = body(sum over K of a * b), for any B, M, N and K.",
        "    f32* out0, long long ld_out0, long long stride_out0,\n",
        "    f16* out1, long long ld_out1, long long stride_out1) {\n",
        "    out0 += block.batch * stride_out0;\n    out1 += block.batch * stride_out1;\n",
        "struct Result { float out0; float out1; };",
        "constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));\n",
        "constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, OUT1_VECTOR);\n",
        "    Output<f16, float, ALIGN_out1> out1;\n",
        "        out1.store<&Result::out1>(results, row, col, valid);\n",
        "const Outputs outputs = {out0, ld_out0, out1, ld_out1};",
    ];
    contains_all(&kernel.text, &parts);
    assert!(plan.table().contains("f32, f16, 4 elements of each at a time"));
}

#[test]
fn an_operand_may_have_the_name_of_an_output() {
    let mut spec = product(&TWO);
    spec.operands[0].name = "out0".to_owned();
    spec.body.nodes[0] = Node::Name("out0".to_owned());
    assert!(kernel(&spec).text.contains("const f16* out0_, long long"));
}
