//! `SIGNATURE`, the signature as data.

use quote::quote;

use super::{assert_has, expand};

/// The constant of an expansion, in one line.
fn signature(expansion: &str) -> String {
    let start = expansion.find("pub const SIGNATURE").expect("it is there");
    let end = expansion[start..].find("};").expect("it ends");
    let words = expansion[start..start + end].split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace("::gemm_runtime::__private::codegen::", "")
}

#[test]
fn operands_come_before_the_output_and_constants_are_not_among_them() {
    let function = quote! {
        fn f(h: &mut Mat<f16, N, M>, x: Batched<f16, B, M, K>, w: Mat<f16, N, K>, s: f32) {
            *h += s * SCALE * matmul(x, w);
        }
    };
    // The output is not a batch, which is an error.
    assert_has(&expand(quote!(), function), &["::gemm_runtime::signature::Signature::UNKNOWN"]);

    let function = quote! {
        fn f(h: &mut Batched<f16, B, N, M>, x: Batched<f16, B, M, K>, w: Mat<f16, N, K>, s: f32) {
            *h += s * SCALE * matmul(x, w);
        }
    };
    let expansion = expand(quote!(), function);
    assert!(!expansion.contains("compile_error"), "{expansion}");
    let constant = signature(&expansion);
    let places = ["\"x\"", "\"w\"", "\"s\"", "\"h\""].map(|name| constant.find(name));
    assert!(places.is_sorted() && places[0].is_some(), "{constant}");
    assert_has(
        &constant,
        &[
            "function: \"f\"",
            "kind: ParameterKind::Matrix { element: Element::F16, rows: Axis::N, columns: Axis::M, }, \
             batch: Batching( ::std::borrow::Cow::Borrowed(&[true]), )",
            "text: \"Batched<f16, B, M, K>\"",
            "text: \"Mat<f16, N, K>\"",
            "text: \"f32\"",
            "text: \"&mut Batched<f16, B, N, M>\"",
            "outputs: 1usize, in_place: true",
        ],
    );
    assert!(!constant.contains("SCALE"), "{constant}");
}

#[test]
fn an_element_type_may_be_a_type_parameter() {
    let function = quote! {
        fn f<T, U>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<U, N>) -> Mat<U, M, N> {
            matmul(x, w) + bias
        }
    };
    let expansion = expand(quote!(T = [f16, bf16], U = [f32, f16]), function);
    assert_eq!(expansion.matches("pub const SIGNATURE").count(), 1);
    assert_has(
        &signature(&expansion),
        &[
            "text: \"Mat<T, M, K>\", type_parameter: ::core::option::Option::Some(0usize)",
            "text: \"Vector<U, N>\", type_parameter: ::core::option::Option::Some(1usize)",
        ],
    );
}
