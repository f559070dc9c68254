use quote::quote;

use super::*;

/// The expansion as formatted source text.
fn expanded(item: TokenStream) -> String {
    let expansion = crate::expand(quote!(), item);
    prettyplease::unparse(&syn::parse2(expansion).expect("an expansion is a list of items"))
}

/// The first line of each error.
fn errors(item: TokenStream) -> Vec<String> {
    let text = expanded(item);
    let messages = text.split("compile_error").skip(1);
    messages
        .map(|rest| {
            let message = rest.split('"').nth(1).expect("a message");
            message.split("\\n").next().unwrap_or_default().to_owned()
        })
        .collect()
}

fn layers(functions: &TokenStream) -> TokenStream {
    quote! {
        mod layers {
            use gemm_runtime::prelude::*;
            #functions
            #[gemm]
            pub fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                scaled(matmul(x, w))
            }
            #[gemm(tile = [64, 64, 32])]
            pub fn two(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                scaled(matmul(x, w)) + scaled(1.0)
            }
        }
    }
}

#[test]
fn kernels_share_the_functions_of_their_module() {
    let text = expanded(layers(&quote! {
        /// Half of it.
        pub fn scaled(x: f32) -> f32 { halved(x) }
        fn halved(x: f32) -> f32 { 0.5 * x }
        fn other(x: &[f32]) -> usize { x.len() }
    }));
    assert!(!text.contains("compile_error"), "{text}");
    assert!(text.starts_with("mod layers {\n    use gemm_runtime::prelude::*;\n"), "{text}");
    for part in
        ["/// Half of it.", "fn other(x: &[f32]) -> usize {", "pub mod one {", "pub mod two {"]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert_eq!(text.matches("use super::scaled;").count(), 2, "{text}");
    assert_eq!(text.matches("fn halved(x: f32) -> f32 {").count(), 1, "{text}");
    assert!(text.matches("float halved(const float x)").count() >= 2, "{text}");
    assert!(!text.contains("float other("), "{text}");
}

#[test]
fn functions_of_generic_kernels_and_of_types_are_found() {
    let text = expanded(quote! {
        mod layers {
            fn scaled(i: i32) -> i32 { i * 2 }
            #[gemm(T = [f16, bf16])]
            fn one<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
                matmul(x, w) * scaled(row()) as f32
            }
            struct Layer;
            #[gemm]
            impl Layer {
                #[gemm]
                fn two(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                    matmul(x, w) * scaled(column()) as f32
                }
            }
        }
    });
    assert!(!text.contains("compile_error"), "{text}");
    assert_eq!(text.matches("use super::super::scaled;").count(), 2, "{text}");
    assert_eq!(text.matches("use super::scaled;").count(), 1, "{text}");
    assert!(text.contains("::gemm_runtime::__private::wrapping::mul(i, 2)"), "{text}");
}

#[test]
fn a_mistake_in_a_function_is_reported_once() {
    let one = |function: &str| errors(layers(&function.parse().expect("tokens")));
    assert_eq!(one("fn scaled(x: f32) -> f32 { y }"), ["unknown name `y`"]);
    assert_eq!(one("fn scaled(x: f32) -> f32 { x * LIMIT }"), ["unknown name `LIMIT`"]);
    assert_eq!(one("fn scaled(x: f32) -> f32 { scaled(x) }"), ["`scaled` calls itself"]);
    let looped = one("fn scaled(x: f32) -> f32 { for i in 0..4 {} x }");
    assert_eq!(looped, ["a loop is not supported in a body"]);
    let of_halves = one("fn scaled(x: f16) -> f32 { x }");
    assert_eq!(of_halves, ["unsupported type of a function that a body calls"]);
    assert_eq!(
        one("async fn scaled<T>(mut x: f32) { x }"),
        [
            "a function that a body calls cannot have `async`",
            "a function that a body calls cannot have generics",
            "expected a plain name",
            "`scaled` returns nothing, but a body calls it",
        ]
    );
}

#[test]
fn a_mistake_in_a_call_is_reported_at_each_call() {
    let found = errors(layers(&quote!(
        fn scaled(x: i32) -> i32 {
            x
        }
    )));
    let (argument, result) = ("expected i32, found f32", "expected f32, found i32");
    assert_eq!(found, [argument, result, argument, argument, result]);
}

#[test]
fn a_module_has_kernels_and_no_keys() {
    assert_eq!(
        errors(quote!(
            mod layers {
                fn f() {}
            }
        )),
        ["this module has no `#[gemm]` function"]
    );
    let text = crate::expand(
        quote!(stages = 2),
        layers(&quote!(
            fn scaled(x: f32) -> f32 {
                x
            }
        )),
    );
    assert!(text.to_string().contains("on a module takes no keys"), "{text}");
    assert_eq!(
        errors(quote!(
            mod layers;
        )),
        ["`#[gemm]` does not see the items of another file"]
    );
}
