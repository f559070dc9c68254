//! The words of a kernel are the C parameters of its text, one to one.

use gemm_codegen::abi::{Count, Scratch, Word};
use gemm_codegen::body::{BinaryOp, Node};
use gemm_codegen::{
    Element, Kernel, Mma, OperandKind, ParameterKind, ScalarType, Schedule, Spec, Splits, Walk,
    padding,
};

use super::shared::{
    F16, TN, by_tensors, combined, extent, kernel, matrix, operand, output, product, tn, with,
};

/// What the text declares between the parentheses of its entry point: a type and a name each.
fn declared(kernel: &Kernel) -> Vec<(String, String)> {
    let (_, from) = kernel.text.split_once(&format!(" {}(", kernel.entry)).expect("an entry point");
    let (list, _) = from.split_once(") {").expect("its parameters end");
    let parameter = |one: &str| {
        let words: Vec<&str> = one.split_whitespace().collect();
        let is_name = |word: &&&str| words.len() > 1 && !word.ends_with('*');
        let name = words.last().filter(is_name).map_or("", |word| word);
        (words.join(" ").trim_end_matches(name).trim().to_owned(), name.to_owned())
    };
    list.split(',').map(parameter).collect()
}

/// Whether a C type is that of a word.
fn is_of(word: Word, ty: &str, kernel: &Kernel) -> bool {
    let kind = |number: usize| kernel.parameters[number].kind;
    match word {
        Word::Extent(_) | Word::Count(_) => ty == "int",
        Word::Leading(_) | Word::Stride { .. } | Word::ExponentsStride { .. } => ty == "long long",
        Word::Exponents(_) => ty == "const int*",
        Word::Map(_) | Word::EpilogueMap(_) => ty == "const __grid_constant__ TensorMap",
        Word::Workspace(part) if part.counts() => ty == "unsigned*",
        Word::Workspace(_) => ty == "void*",
        Word::Pointer(number) => {
            let is_read = number < kernel.parameters.len() - kernel.outputs;
            ty.ends_with('*') && ty.starts_with("const ") == is_read
        }
        Word::Value(number) => match kind(number) {
            ParameterKind::Scalar(ScalarType::F32) => ty == "float",
            ParameterKind::Scalar(ScalarType::F64) => ty == "double",
            ParameterKind::Scalar(ScalarType::I32) => ty == "int",
            _ => false,
        },
    }
}

/// Which parameter a word is of.
fn parameter(word: Word) -> Option<usize> {
    match word {
        Word::Value(number) | Word::Pointer(number) | Word::Leading(number) => Some(number),
        Word::Map(number) | Word::EpilogueMap(number) => Some(number),
        Word::Stride { parameter, .. } | Word::ExponentsStride { parameter, .. } => Some(parameter),
        Word::Exponents(number) => Some(number),
        Word::Extent(_) | Word::Count(_) | Word::Workspace(_) => None,
    }
}

fn agree(kernel: &Kernel) {
    let (words, declared) = (&kernel.abi.0, declared(kernel));
    assert_eq!(words.len(), declared.len(), "{words:?} {declared:?}");
    for (number, (word, (ty, name))) in words.iter().zip(&declared).enumerate() {
        assert!(is_of(*word, ty, kernel), "{word:?}: {ty} {name}");
        assert!(!words[..number].contains(word), "{word:?} twice");
        if let Some(parameter) = parameter(*word)
            && parameter < kernel.parameters.len() - kernel.outputs
        {
            assert!(name.ends_with(&*kernel.parameters[parameter].name), "{word:?}: {name}");
        }
    }
}

fn batched(mut spec: Spec, batches: &[&[&str]]) -> Spec {
    let (operands, outputs) = (spec.operands.iter_mut(), spec.outputs.iter_mut());
    let places = operands.map(|one| &mut one.batch).chain(outputs.map(|one| &mut one.batch));
    places.zip(batches).for_each(|(place, indices)| {
        *place = indices.iter().map(|index| (*index).to_owned()).collect();
    });
    spec
}

/// A sum with a vector, a matrix and scalars of both kinds.
fn sum() -> Spec {
    let values = [
        ("bias", OperandKind::Vector { element: F16, index: "N".to_owned() }),
        ("residual", matrix(F16, ["M", "N"])),
        ("alpha", OperandKind::Scalar(ScalarType::F32)),
        ("beta", OperandKind::DeviceScalar(Element::F32)),
    ];
    values
        .into_iter()
        .fold(tn(), |spec, (name, kind)| combined(spec, BinaryOp::Add, operand(name, kind)))
}

/// `{ let z = matmul(a, b); (z, z) }`.
fn two_outputs() -> Spec {
    let mut spec = tn();
    let product = spec.body.root;
    let values = [(); 2].map(|()| spec.body.push(Node::Name("z".to_owned())));
    let value = spec.body.push(Node::Tuple(values.to_vec()));
    spec.body.root =
        spec.body.push(Node::Block { bindings: vec![("z".to_owned(), product)], value });
    spec.outputs.push(output(Element::F32, ["M", "N"]));
    spec
}

/// One of each form, walk, sharing of K and number of batch indices.
fn specs() -> Vec<Spec> {
    let groups = |spec, walk: Option<Walk>| {
        with(spec, |schedule: &mut Schedule| {
            (schedule.mma, schedule.walk) = (Some(Mma::Wgmma(None)), walk);
        })
    };
    let split = |splits| with(sum(), |schedule| schedule.split_k = Some(splits));
    let doubles = OperandKind::Scalar(ScalarType::F64);
    let integers = OperandKind::Scalar(ScalarType::I32);
    let [one, two]: [&[&[&str]]; 2] = [
        &[&["B"], &[], &["B"], &["B"], &[], &[], &["B"]],
        &[&["B", "H"], &["H"], &["B"], &["B", "H"], &[], &[], &["B", "H"]],
    ];
    let mut specs = vec![
        tn(),
        two_outputs(),
        by_tensors(F16, &[]),
        split(Splits::Every(extent(4))),
        split(Splits::Tail(extent(4))),
        combined(product(Element::F64, TN), BinaryOp::Mul, operand("alpha", doubles)),
        combined(product(Element::I8, TN), BinaryOp::Add, operand("zero", integers)),
    ];
    for spec in [sum(), batched(sum(), one), batched(sum(), two)] {
        specs.push(groups(spec.clone(), None));
        specs.extend(Walk::ALL.map(|walk| groups(spec.clone(), Some(walk))));
        specs.push(spec);
    }
    specs
}

#[test]
fn the_words_are_the_declared_parameters() {
    let kernels: Vec<Kernel> = specs().iter().map(kernel).collect();
    kernels.iter().for_each(agree);
    let has = |of: fn(&Word) -> bool| kernels.iter().any(|kernel| kernel.abi.0.iter().any(of));
    assert!(
        has(|word| matches!(word, Word::Map(_)))
            && has(|word| matches!(word, Word::EpilogueMap(_)))
    );
    for word in [
        Word::Stride { parameter: 1, index: 1 },
        Word::Count(Count::Values(1)),
        Word::Count(Count::Matrices),
        Word::Count(Count::WholeTiles),
        Word::Count(Count::Splits),
        Word::Workspace(Scratch::Arrivals),
    ] {
        assert!(kernels.iter().any(|kernel| kernel.abi.has(word)), "{word:?}");
    }
}

#[test]
fn the_words_of_a_copy_are_those_of_its_text() {
    Element::ALL.into_iter().map(padding::pad_rows).for_each(|kernel| agree(&kernel));
}
