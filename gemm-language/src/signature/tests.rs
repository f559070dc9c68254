use gemm_codegen::{Element, OperandKind, OutputIndices, ScalarType};
use proc_macro2::TokenStream;
use quote::quote;

use super::*;

fn read(signature: TokenStream) -> (Signature, Vec<String>) {
    let signature: syn::Signature = syn::parse2(signature).unwrap();
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    // As if the attribute had `T = [f16, f32]`.
    let elements = ["f16", "f32"].map(|ty| {
        let ty = syn::parse_str(ty).expect("a type");
        Listed::new(&ty, Some(&ty), &mut errors).expect("an element type")
    });
    let types = declared(&signature).into_iter().map(|name| {
        let is_listed = name == "T";
        let elements = if is_listed { elements.to_vec() } else { Vec::new() };
        TypeParameter { name, elements, is_listed }
    });
    let signature = parse(&signature, types.collect(), &mut spans, &mut errors);
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    (signature, errors.texts().into_iter().map(first_line).collect())
}

fn legal(signature: TokenStream) -> (Signature, Vec<Operand>, Vec<Output>) {
    let (signature, errors) = read(signature);
    assert_eq!(errors, [] as [&str; 0]);
    let (operands, outputs) = signature.spec(&Instance::default()).unwrap();
    (signature, operands, outputs)
}

fn errors(signature: TokenStream) -> Vec<String> {
    read(signature).1
}

/// The error of one parameter's type.
fn parameter_error(ty: TokenStream) -> Vec<String> {
    errors(quote!(fn f(x: #ty) -> Mat<f16, M, N>))
}

fn names<const N: usize>(names: [&str; N]) -> [String; N] {
    names.map(str::to_owned)
}

#[test]
fn every_kind_of_parameter() {
    let (_, operands, outputs) = legal(quote! {
        fn f(
            x: Mat<f16, M, K>, w: gemm_runtime::Mat<half::bf16, N, K>, bias: Vector<f32, N>,
            alpha: f32, r#type: i32, beta: Scalar<f16>,
        ) -> Mat<f32, N, M>
    });
    let output = &outputs[0];
    let kinds: Vec<_> = operands.iter().map(|o| (o.name.as_str(), o.kind.clone())).collect();
    let matrix = |element, indices| OperandKind::Matrix { element, indices: names(indices) };
    assert_eq!(
        kinds,
        [
            ("x", matrix(Element::F16, ["M", "K"])),
            ("w", matrix(Element::Bf16, ["N", "K"])),
            ("bias", OperandKind::Vector { element: Element::F32, index: "N".to_owned() }),
            ("alpha", OperandKind::Scalar(ScalarType::F32)),
            ("type", OperandKind::Scalar(ScalarType::I32)),
            ("beta", OperandKind::DeviceScalar(Element::F16)),
        ]
    );
    assert_eq!((output.element, output.indices.names()), (Element::F32, &names(["N", "M"])[..]));
}

#[test]
fn batches_are_matrices_and_vectors_with_one_more_index() {
    let (_, operands, outputs) = legal(quote! {
        fn f(
            x: Batched<f16, B, M, K>, w: Mat<f16, N, K>, bias: gemm_runtime::Batched<f32, B, N>,
        ) -> Batched<f32, r#Heads, M, N>
    });
    let output = &outputs[0];
    let batches: Vec<_> = operands.iter().map(|operand| operand.batch.join(" ")).collect();
    assert_eq!(batches, ["B", "", "B"]);
    assert!(
        matches!(&operands[0].kind, OperandKind::Matrix { indices, .. } if *indices == ["M", "K"])
    );
    assert!(matches!(&operands[2].kind, OperandKind::Vector { index, .. } if index == "N"));
    assert_eq!(output.batch, ["Heads"]);
    assert_eq!(output.indices.names(), names(["M", "N"]));

    let (_, _, outputs) = legal(quote!(fn f(a: Mat<f16, M, K>, c: &mut Batched<f32, B, M, N>)));
    let output = &outputs[0];
    assert_eq!((output.in_place.as_deref(), &output.batch[..]), (Some("c"), &names(["B"])[..]));
}

#[test]
fn two_batch_indices_are_in_parentheses() {
    let (_, operands, outputs) = legal(quote! {
        fn f(
            q: Batched<f16, (B, H), M, K>, k: Batched<f16, B, N, K>, bias: Batched<f32, (B, r#H), N>,
        ) -> Batched<f32, (B, H), M, N>
    });
    let batches: Vec<_> = operands.iter().map(|operand| operand.batch.join(" ")).collect();
    assert_eq!(batches, ["B H", "B", "B H"]);
    assert!(matches!(&operands[2].kind, OperandKind::Vector { index, .. } if index == "N"));
    assert_eq!(outputs[0].batch, ["B", "H"]);
}

#[test]
fn batches_in_the_wrong_form() {
    let four = "`Batched<T, B, I, J>` takes 4 parameters, got";
    assert_eq!(parameter_error(quote!(Batched<f16, M>)), [format!("{four} 2")]);
    assert_eq!(parameter_error(quote!(Batched)), [format!("{four} 0")]);
    assert_eq!(
        parameter_error(quote!(Batched<i64, 4, M, 5>)),
        [
            "`4` is not the name of an index",
            "`5` is not the name of an index",
            "`i64` is not an element type",
        ]
    );
    assert_eq!(errors(quote!(fn f() -> Batched<f16, B>)), [format!("{four} 2")]);
    assert_eq!(parameter_error(quote!(Batched<f16, B, H, M, K>)), [format!("{four} 5")]);
    for one in [quote!((B,)), quote!(())] {
        let message = format!("`{one}` is not a pair of batch indices").replace(" ,", ",");
        assert_eq!(parameter_error(quote!(Batched<f16, #one, M, K>)), [message]);
    }
    assert_eq!(
        parameter_error(quote!(Batched<f16, (B, &C), M, K>)),
        ["`& C` is not the name of an index"]
    );
}

#[test]
fn a_mut_parameter_is_the_output_and_not_an_operand() {
    let (signature, operands, outputs) = legal(quote! {
        fn f(c: &mut Mat<f32, N, M>, a: Mat<f16, M, K>, b: Mat<f16, N, K>)
    });
    let output = &outputs[0];
    assert_eq!(operands.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(output.in_place.as_deref(), Some("c"));
    assert_eq!((output.element, output.indices.names()), (Element::F32, &names(["N", "M"])[..]));
    assert!(matches!(signature.form(), BodyUse::InPlace(name) if name == "c"));
}

#[test]
fn one_matrix_is_written() {
    assert_eq!(
        errors(quote!(fn f(c: &mut Mat<f32, M, N>, d: &mut Mat<f32, M, N>) -> Mat<f32, M, N>)),
        [
            "a second `&mut` parameter: a function has one output in place",
            "a function with a `&mut` parameter cannot also return a value"
        ]
    );
    assert_eq!(
        errors(quote!(fn f(c: &mut Vector<f32, M>))),
        ["`Vector<f32, M>` cannot be written"]
    );
    assert_eq!(errors(quote!(fn f(c: &mut f32))), ["`f32` cannot be written"]);
    assert_eq!(
        errors(quote!(fn f(c: &'a mut Mat<i64, M, N>))),
        ["lifetimes are not supported here", "`i64` is not an element type"]
    );
}

#[test]
fn qualifiers_are_refused() {
    let errors = errors(quote!(const async unsafe extern "C" fn f<T>() -> Mat<f16, M, N>));
    assert_eq!(
        errors,
        [
            "a `#[gemm]` function cannot have `const`",
            "a `#[gemm]` function cannot have `async`",
            "a `#[gemm]` function cannot have a safety qualifier",
            "a `#[gemm]` function cannot have an ABI",
            "`T` is not the type of elements of an operand or output",
        ]
    );
}

#[test]
fn generics_are_type_parameters_with_a_list() {
    let errors = errors(quote! {
        fn f<'a, const P: usize, T: Copy, U>(x: Mat<T, M, K>, w: Mat<U, N, K>) -> Mat<T, M, N>
        where
            T: Copy
    });
    assert_eq!(
        errors,
        [
            "the generics of a `#[gemm]` function are type parameters only",
            "the generics of a `#[gemm]` function are type parameters only",
            "a type parameter of a `#[gemm]` function has no bound and no default",
            "a `#[gemm]` function cannot have a `where` clause",
            "`U` has no list of element types",
        ]
    );
}

#[test]
fn each_choice_of_elements_is_an_instance() {
    let (signature, _) = read(quote!(fn f<T>(x: Mat<T, M, K>, w: Mat<f32, N, K>) -> Mat<T, M, N>));
    let specs = signature.instances().into_iter().map(|instance| {
        let (operands, outputs) = signature.spec(&instance).unwrap();
        let of = |kind: &OperandKind| match kind {
            OperandKind::Matrix { element, .. } => *element,
            other => panic!("{other:?}"),
        };
        let elements = [of(&operands[0].kind), of(&operands[1].kind), outputs[0].element];
        (signature.kernel_name(&instance), instance.describe(&signature.type_parameters), elements)
    });
    let (half, single) = (Element::F16, Element::F32);
    assert_eq!(
        specs.collect::<Vec<_>>(),
        [
            ("f_f16".to_owned(), "`T = f16`".to_owned(), [half, single, half]),
            ("f_f32".to_owned(), "`T = f32`".to_owned(), [single, single, single]),
        ]
    );
}

#[test]
fn parameters_of_unsupported_forms() {
    assert_eq!(
        errors(quote!(fn f(&self, (x, y): f32, mut z: f32, #[cfg(a)] w: f32) -> Mat<f16, M, N>)),
        [
            "a `#[gemm]` function cannot be a method",
            "expected the plain name of an operand",
            "expected the plain name of an operand",
            "attributes on parameters are not supported",
        ]
    );
}

#[test]
fn types_that_are_not_operand_types() {
    assert_eq!(parameter_error(quote!(i64)), ["`i64` is not an operand type"]);
    assert_eq!(parameter_error(quote!(&Mat<f16, M, K>)), ["an operand cannot be a reference"]);
    assert_eq!(parameter_error(quote!(impl Copy)), ["`impl Copy` is not an operand type"]);
    assert_eq!(parameter_error(quote!(Mat)), ["`Mat<T, I, J>` takes 3 parameters, got 0"]);
    assert_eq!(parameter_error(quote!(Scalar)), ["`Scalar<T>` takes 1 parameter, got 0"]);
    assert_eq!(parameter_error(quote!(Vector<f16>)), ["`Vector<T, I>` takes 2 parameters, got 1"]);
}

#[test]
fn wrong_parts_of_a_matrix_are_each_an_error() {
    assert_eq!(
        parameter_error(quote!(Mat<i64, 128, a::B>)),
        [
            "`128` is not the name of an index",
            "`a::B` is not the name of an index",
            "`i64` is not an element type",
        ]
    );
}

#[test]
fn return_types_that_are_not_outputs() {
    assert_eq!(errors(quote!(fn f())), ["a `#[gemm]` function needs a return type"]);
    assert_eq!(errors(quote!(fn f() -> f32)), ["`f32` cannot be returned"]);
    assert_eq!(errors(quote!(fn f() -> Mat<f16, M>)), ["`Mat<T, I, J>` takes 3 parameters, got 2"]);
    assert_eq!(errors(quote!(fn f() -> ())), ["`()` cannot be returned"]);
    assert_eq!(errors(quote!(fn f() -> (Mat<f16, M, N>,))), ["a tuple of one matrix"]);
    assert_eq!(
        errors(quote!(fn f() -> (Mat<f16, M, N>, f32, Vector<f16>, Mat<f16, M>))),
        [
            "`f32` cannot be returned",
            "`Vector<T, I>` takes 2 parameters, got 1",
            "`Mat<T, I, J>` takes 3 parameters, got 2"
        ]
    );
}

#[test]
fn vectors_are_returned_next_to_matrices_and_alone() {
    let (_, _, outputs) = legal(
        quote!(fn f() -> (Batched<f32, B, M>, Batched<f16, B, M, N>, Batched<f32, (B, H), N>)),
    );
    let of_outputs: Vec<&[String]> = outputs.iter().map(|output| output.indices.names()).collect();
    assert_eq!(of_outputs, [&names(["M"])[..], &names(["M", "N"]), &names(["N"])]);
    let (_, _, outputs) = legal(quote!(fn f() -> Vector<f32, M>));
    assert_eq!(outputs[0].indices, OutputIndices::Reduced("M".to_owned()));
}

#[test]
fn a_tuple_is_returned_in_order() {
    let (signature, _, outputs) =
        legal(quote!(fn f() -> (Mat<f32, M, N>, Batched<f16, B, M, N>, Mat<i8, N, M>)));
    let elements: Vec<Element> = outputs.iter().map(|output| output.element).collect();
    assert_eq!(elements, [Element::F32, Element::F16, Element::I8]);
    assert_eq!(outputs[1].batch, ["B"]);
    assert_eq!(outputs[2].indices.names(), names(["N", "M"]));
    assert!(matches!(signature.form(), BodyUse::Returned));
}
