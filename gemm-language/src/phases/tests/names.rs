//! Names of the user beside those of the expansion.

use quote::quote;

use super::{assert_has, expand, linear};
use crate::phases::read;

#[test]
fn names_that_the_expansion_needs_are_refused() {
    let function = |name: &str, operand: &str| {
        let text = format!(
            "fn {name}({operand}: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {{ \
             gelu(matmul({operand}, w)) }}"
        );
        expand(quote!(), text.parse().expect("it is of tokens"))
    };
    for operand in ["SOURCE", "PLAN", "KERNEL", "KERNELS", "None", "Some", "Ok", "Err", "r#None"] {
        assert_has(&function("f", operand), &["cannot be the name of a parameter"]);
    }
    for name in ["f16", "f32", "i8", "Mat", "Scalar"] {
        let expansion = function(name, "x");
        assert_has(&expansion, &["would hide the type"]);
        assert!(!expansion.contains("mod "), "{expansion}");
    }
    for [name, operand] in [["f", "body"], ["f", "gelu_tanh"], ["body", "reference"], ["gelu", "x"]]
    {
        let expansion = function(name, operand);
        assert!(!expansion.contains("compile_error"), "{expansion}");
    }
}

#[test]
fn a_runtime_of_another_name_is_named_everywhere() {
    for (written, path) in [("gemm", "::gemm::"), ("crate::deps::gemm", "crate::deps::gemm::")] {
        let written = syn::parse_str::<syn::Path>(written).expect("a path");
        let expansion = expand(quote!(crate = #written), linear());
        assert_has(&expansion, &[&format!("impl {path}AsMatrix<'a, {path}f16>")]);
        assert!(!expansion.contains("gemm_runtime"), "{expansion}");
    }
    let errors = [quote!(crate = super::gemm), quote!(crate = "gemm"), quote!(crate)];
    let expansions = errors.map(|arguments| expand(arguments, linear()));
    for (expansion, error) in expansions.iter().zip([
        "the path of gemm_runtime begins with `super`",
        "expected the path of gemm_runtime",
        "`crate` has the wrong form",
    ]) {
        assert_has(expansion, &[error]);
    }
}

#[test]
fn names_in_capitals_are_constants_in_the_scope_of_the_function() {
    let function = quote! {
        fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
            let shift: i32 = SHIFT;
            ALPHA * matmul(x, w) + shift as f32 + ALPHA
        }
    };
    let expansion = expand(quote!(derived), function.clone());
    assert_has(
        &expansion,
        &[
            "const SHIFT: ::core::primitive::i32 = super::SHIFT;",
            "const ALPHA: ::core::primitive::f32 = super::ALPHA;",
            "Argument::from(f::SHIFT),\n        ::gemm_runtime::Argument::from(f::ALPHA),",
        ],
    );
    let read = read(quote!(derived), function).expect("it is legal").remove(0);
    assert!(
        read.spec.operands.iter().map(|operand| &operand.name).eq(&["x", "w", "SHIFT", "ALPHA"])
    );
}

#[test]
fn a_constant_of_doubles_is_a_double_and_an_index_is_none() {
    let expansion = expand(
        quote!(T = [f32, f64], mma = fma(4, 4)),
        quote! {
            fn f<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
                matmul(x, w) * BETA
            }
        },
    );
    let types =
        ["f32", "f64"].map(|ty| format!("const BETA: ::core::primitive::{ty} = super::BETA;"));
    assert_has(&expansion, &types.each_ref().map(String::as_str));
    let function = |name: &str| {
        let text = format!(
            "fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {{ \
             matmul(x, w) * {name} }}"
        );
        expand(quote!(), text.parse().expect("it is of tokens"))
    };
    assert_has(&function("K"), &["`K` is an index, not a value"]);
    assert_has(&function("PLAN"), &["`PLAN` cannot be the name of a constant"]);
}

#[test]
fn operators_of_integers_are_calls_that_wrap() {
    let function = quote! {
        fn f(c: &mut Mat<i32, M, N>, a: Mat<i8, M, K>, b: Mat<i8, N, K>, by: i32) {
            let sum = (matmul(a, b) + 1) * by;
            *c -= if sum > -2147483648 { -sum } else { sum.abs() };
        }
    };
    let expansion = expand(quote!(crate = gemm), function);
    let path = "::gemm::__private::wrapping::";
    let tokens: String = expansion.split_whitespace().collect();
    let tokens = tokens.replace(",)", ")");
    let expected = [
        format!("letsum={path}mul({path}add(matmul(a,b),1),by);"),
        format!("*c={path}sub(*c,ifsum>-2147483648{{{path}neg(sum)}}else{{{path}abs(sum)}}"),
    ];
    for part in expected {
        assert!(tokens.contains(&part), "no {part} in {expansion}");
    }
    assert!(!expansion.contains("gemm_runtime") && !expansion.contains("compile_error"));
}

#[test]
fn coordinates_are_functions_that_the_body_takes_on_the_host() {
    let function = quote! {
        fn row(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, N, M> {
            matmul(x, w) * row() as f32 + column() as f32 + row() as f32
        }
    };
    let expansion = expand(quote!(derived), function);
    let parameter =
        |name: &str| format!("{name}: impl ::core::ops::Fn() -> ::core::primitive::i32,");
    assert_has(&expansion, &[&parameter("row"), &parameter("column")]);
    // Rows of this output run along N.
    let place = |index: &str| format!("|| ::gemm_runtime::__private::coordinate({index})");
    let [row, column] = ["n", "m"].map(|index| expansion.find(&place(index)));
    assert!(row.is_some() && row < column, "{expansion}");
    assert!(!expansion.contains("as _;"), "no function of the runtime is called: {expansion}");
    let without = expand(quote!(), linear());
    assert!(!without.contains("coordinate"), "{without}");
}

#[test]
fn the_number_of_a_matrix_is_a_function_that_the_body_takes_on_the_host() {
    let function = quote! {
        fn f(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f16, B, M, N> {
            let batch = batch();
            matmul(x, w) * batch as f32
        }
    };
    let expansion = expand(quote!(derived), function);
    let parameter = "batch: impl ::core::ops::Fn() -> ::core::primitive::i32";
    assert_has(&expansion, &[parameter, "|| ::gemm_runtime::__private::coordinate(number)"]);
    assert!(!expansion.contains("compile_error"), "{expansion}");
}

#[test]
fn a_body_is_judged_whatever_is_wrong_with_the_attribute() {
    let errors = |arguments: &str, body: &str| {
        let arguments = arguments.parse().expect("it is of tokens");
        let text =
            format!("fn f<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<f32, M, N> {{ {body} }}");
        let errors = read(arguments, text.parse().expect("it is of tokens")).err();
        let errors = errors.into_iter().flatten();
        errors
            .map(|error| error.to_string().lines().next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let key = "unknown key `tiles`";
    let function = "unknown function `gelo`";
    let (wrong, right) = ("gelo(matmul(x, w))", "gelu(matmul(x, w))");
    assert_eq!(errors("T = [f16, bf16], tiles = [64, 64, 64]", wrong), [key, function]);
    assert_eq!(errors("T = [f16, bf16], tiles = [64, 64, 64]", right), [key]);
    assert_eq!(errors("T = [f16, bf16]", wrong), [function]);
    // Without its elements nothing can be typed.
    assert_eq!(errors("T = [f61]", wrong).len(), 1);
}
