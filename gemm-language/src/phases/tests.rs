use quote::quote;

/// The expansion as formatted source text.
fn expand(arguments: proc_macro2::TokenStream, item: proc_macro2::TokenStream) -> String {
    let expansion = crate::expand(arguments, item);
    let file = syn::parse2(expansion).expect("an expansion is a list of items");
    prettyplease::unparse(&file)
}

fn linear() -> proc_macro2::TokenStream {
    quote! {
        /// y = x · wᵀ + bias
        #[allow(unused_variables)]
        pub fn linear(
            x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>, alpha: f32,
        ) -> Mat<f32, M, N> {
            alpha * matmul(x, w) + bias
        }
    }
}

#[track_caller]
fn assert_has(expansion: &str, parts: &[&str]) {
    for part in parts {
        assert!(expansion.contains(part), "no `{part}` in\n{expansion}");
    }
}

#[test]
fn a_function_and_a_module_of_its_name() {
    let expansion = expand(quote!(), linear());
    assert_has(
        &expansion,
        &[
            "/// y = x · wᵀ + bias",
            "    w: Mat<f16, N, K>,\n    bias: Vector<f16, N>,\n",
            "pub fn linear<'a>(",
            "x: impl ::gemm_runtime::AsMatrix<'a, ::gemm_runtime::f16>",
            "bias: impl ::gemm_runtime::AsVector<'a, ::gemm_runtime::f16>",
            "alpha: ::core::primitive::f32",
            "::gemm_runtime::Matrix<::core::primitive::f32>",
            "pub mod linear {",
            "pub const SOURCE",
            "pub const PLAN",
            "pub static KERNEL",
            "pub fn into<'a>(",
            "pub fn prepare<'a>(",
            "pub fn reference(",
            "pub fn report(",
            "out: impl ::gemm_runtime::AsMatrixMut<'a, ::core::primitive::f32>",
        ],
    );
    assert!(!expansion.contains("compile_error"), "{expansion}");
}

#[test]
fn the_feature_pictures_alone_draws_the_plan() {
    let expansion = expand(quote!(), linear());
    let drawn = expansion.matches("<div class=\\\"gemm-pictures\\\">").count();
    assert_eq!(drawn, usize::from(cfg!(feature = "pictures")));
}

#[test]
fn the_body_is_rust_over_elements() {
    let expansion = expand(quote!(), linear());
    assert_has(
        &expansion,
        &[
            "x: ::gemm_runtime::__private::Factor",
            "bias: ::core::primitive::f32",
            "alpha * matmul(x, w) + bias",
            "bias.at(m, n)",
        ],
    );
}

#[test]
fn an_in_place_function_takes_its_output_at_its_declared_position() {
    let expansion = expand(
        quote!(),
        quote! {
            fn add(c: &mut Mat<f32, M, N>, x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) {
                *c += alpha * matmul(x, w);
            }
        },
    );
    assert_has(
        &expansion,
        &[
            "c: impl ::gemm_runtime::AsMatrixMut<'a, ::core::primitive::f32>,\n    x: impl",
            "::core::result::Result<(), ::gemm_runtime::Error>",
            "::gemm_runtime::Argument::from(alpha),\n            ::gemm_runtime::AsMatrixMut::argument(c)",
            "reads_output: true",
            "c: &mut ::core::primitive::f32",
            "*c += alpha * matmul(x, w);",
            "let mut old = c.at(m, n);",
        ],
    );
    assert!(
        !expansion.contains("compile_error") && !expansion.contains("out: impl"),
        "{expansion}"
    );
}

#[test]
fn several_outputs_are_tuples() {
    let function = quote! {
        fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
            let z = matmul(x, w);
            (z, gelu(z))
        }
    };
    let expansion = expand(quote!(), function.clone());
    assert_has(
        &expansion,
        &[
            "::gemm_runtime::Matrix<::core::primitive::f32>,",
            "::gemm_runtime::Matrix<::gemm_runtime::f16>,",
            "__private::run_several(",
            "outputs: 2usize",
            "out0: impl ::gemm_runtime::AsMatrixMut<'a, ::core::primitive::f32>",
            "out1: impl ::gemm_runtime::AsMatrixMut<'a, ::gemm_runtime::f16>",
            "::gemm_runtime::AsMatrixMut::argument(out1)",
            "::std::vec::Vec<::core::primitive::f32>,",
            "-> (::core::primitive::f32, ::core::primitive::f32) {",
        ],
    );
    assert!(!expansion.contains("compile_error"), "{expansion}");

    // Also next to an error.
    let expansion = expand(quote!(stages = 0), function);
    assert_eq!(expansion.matches("compile_error").count(), 1, "{expansion}");
    assert_eq!(expansion.matches("_: impl ::gemm_runtime::AsMatrixMut<").count(), 4, "{expansion}");
}

#[test]
fn each_output_has_a_span_for_its_errors() {
    let function = quote! {
        fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, N, M>) {
            matmul(x, w)
        }
    };
    let expansion = expand(quote!(), function);
    assert_eq!(expansion.matches("::core::compile_error!").count(), 2, "{expansion}");
    assert_has(&expansion, &["rule: outputs-alike", "rule: outputs-of-body"]);
}

#[test]
fn the_plan_is_in_the_docs_of_both_items() {
    let expansion = expand(quote!(), linear());
    assert_eq!(expansion.matches("/// # Plan").count() + expansion.matches("/**").count(), 2);
    assert_has(&expansion, &["# Plan", "# Errors"]);
}

#[test]
fn visibility_and_conditions_hold_for_both_items() {
    let expansion = expand(
        quote!(),
        quote! {
            #[cfg(all())]
            #[deprecated]
            #[must_use]
            pub(crate) fn f(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
                matmul(a, b)
            }
        },
    );
    assert_eq!(expansion.matches("pub(crate) ").count(), 2);
    assert_eq!(expansion.matches("#[cfg(all())]").count(), 2);
    assert_eq!(expansion.matches("#[deprecated]").count(), 2);
    assert_eq!(expansion.matches("#[must_use]").count(), 1);
}

#[test]
fn errors_of_all_parts_are_reported_next_to_the_items() {
    let expansion = expand(
        quote!(stages = 0, tiles = [1, 2, 3]),
        quote! {
            pub fn f(a: Mat<i64, M, K>, b: Mat<f16, N, K>, n: i32) -> Mat<f16, M, N> {
                match a {}
            }
        },
    );
    assert_eq!(expansion.matches("::core::compile_error!").count(), 4, "{expansion}");
    assert_has(
        &expansion,
        &[
            "pub fn f<'a>(",
            "_: impl ::core::marker::Sized",
            "_: impl ::gemm_runtime::AsMatrix<'a, ::gemm_runtime::f16>",
            "pub mod f {",
            "pub fn into<'a>(",
            "pub fn prepare<'a>(",
            "pub fn reference(",
            "pub fn report(",
            "pub const SOURCE",
            "pub const PLAN",
            "pub static KERNEL",
        ],
    );
    assert!(!expansion.contains("match a"), "{expansion}");
}

#[test]
fn an_item_that_is_not_a_function_is_kept_next_to_its_error() {
    let expansion = expand(
        quote!(),
        quote!(
            pub struct S;
        ),
    );
    assert_has(&expansion, &["pub struct S;", "`#[gemm]` applies to functions, and to"]);
}

#[test]
fn a_function_without_a_body_and_with_two_attributes() {
    let expansion = expand(
        quote!(),
        quote!(
            #[gemm]
            fn f(a: Mat<f16, M, K>) -> Mat<f16, M, N>;
        ),
    );
    assert_has(
        &expansion,
        &["each of several `#[gemm]` must fix", "a function needs a body", "fn f<'a>("],
    );
    assert!(!expansion.contains("#[gemm]\n"), "{expansion}");
}

#[test]
fn the_expansion_is_a_pure_function_of_its_tokens() {
    assert_eq!(expand(quote!(), linear()), expand(quote!(), linear()));
}

#[test]
fn the_example_for_a_number_out_of_range_is_legal() {
    let wrong = [
        quote!(tile = [0, 128, 32]),
        quote!(warps = [2, 65536]),
        quote!(stages = 0),
        quote!(split_k = 0),
        quote!(raster = along_m(0)),
        quote!(mma = fma(0, 8)),
        quote!(copy = ld_global(0)),
        quote!(swizzle = [2, 99, 3]),
    ];
    for arguments in wrong {
        let expansion = expand(arguments, linear());
        let example = expansion.split(", for example `").nth(1).and_then(|at| at.split('`').next());
        let example = example.unwrap_or_else(|| panic!("no example in\n{expansion}"));
        let expansion = expand(example.parse().expect("it is of tokens"), linear());
        assert!(!expansion.contains("compile_error"), "{example}");
    }
}

#[test]
fn a_tool_reads_what_the_expansion_has() {
    let read = super::read(quote!(), linear()).expect("it is legal").remove(0);
    assert_eq!(
        (read.spec.name.as_str(), read.path.as_str(), read.auto),
        ("linear", "linear", true)
    );
    let text = gemm_codegen::emit(&read.plan).text.into_owned();
    let expansion = crate::expand(quote!(), linear()).to_string();
    assert!(expansion.contains(&proc_macro2::Literal::string(&text).to_string()), "{expansion}");
    assert!(!super::read(quote!(stages = 4), linear()).expect("it is legal")[0].auto);

    let errors = super::read(quote!(stages = 0, tiles = [1]), linear()).expect_err("two mistakes");
    assert_eq!(errors.into_iter().count(), 2);
    let error = super::read(
        quote!(),
        quote!(
            struct S;
        ),
    )
    .expect_err("it is not a function");
    assert!(error.to_string().contains("applies to functions, and to"), "{error}");
}

mod generic;
mod names;
mod plans;
mod schedules;
mod signature;
mod suggestions;
