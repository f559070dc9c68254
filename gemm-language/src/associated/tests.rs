use quote::quote;

use super::*;

/// The expansion as formatted source text.
fn expanded(arguments: TokenStream, item: TokenStream) -> String {
    let expansion = crate::expand(arguments, item);
    prettyplease::unparse(&syn::parse2(expansion).expect("an expansion is a list of items"))
}

#[test]
fn the_function_stays_in_the_block_and_its_module_follows() {
    let text = expanded(
        quote!(),
        quote! {
            #[cfg(all())]
            impl<T> Layer<T> {
                const SIZE: usize = 4;
                /// y = x · wᵀ
                #[inline]
                #[gemm_runtime::gemm(tile = [64, 64, 32])]
                pub fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                    matmul(x, w)
                }
                fn other(&self) {}
            }
        },
    );
    let (block, module) = text.split_once("\n}\n").expect("a block, then a module");
    for part in ["const SIZE: usize = 4;", "pub fn linear<'a>(", "fn other(&self) {}", "y = x · wᵀ"]
    {
        assert!(block.contains(part), "no `{part}` in\n{block}");
    }
    assert!(block.starts_with("#[cfg(all())]\nimpl<T> Layer<T> {"), "{block}");
    assert!(module.starts_with("#[cfg(all())]\n/// y = x · wᵀ"), "{module}");
    assert!(module.contains("pub mod linear {"), "{module}");
    assert!(module.contains("static KERNEL"), "{module}");
    assert!(!text.contains("compile_error"), "{text}");
}

#[test]
fn the_functions_keep_their_uses_where_there_are_errors() {
    let text = expanded(
        quote!(auto),
        quote! {
            impl Layers for Layer {
                #[gemm]
                fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                    matmul(x, x)
                }
            }
        },
    );
    let block = "impl Layers for Layer {\n    #[allow(";
    for part in [
        block,
        "mod linear {",
        "cannot implement a function of a trait",
        "on an `impl` takes no keys",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert_eq!(text.matches("compile_error").count(), 3, "{text}");
}

#[test]
fn a_block_without_a_kernel_is_kept() {
    let block = quote!(impl Layer { fn other() {} });
    let text = expanded(quote!(), block);
    assert!(text.starts_with("impl Layer {\n    fn other() {}\n}\n"), "{text}");
    assert!(text.contains("has no `#[gemm]` function"), "{text}");
}

#[test]
fn a_function_of_a_block_may_have_several_schedules() {
    let text = expanded(
        quote!(),
        quote! {
            impl Layer {
                #[gemm(tile = [64, 64, 32])]
                #[gemm(tile = [128, 64, 32])]
                fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                    matmul(x, w)
                }
            }
        },
    );
    assert!(text.contains("static KERNELS") && !text.contains("compile_error"), "{text}");
}

/// The first line of each error.
fn errors(item: TokenStream) -> Vec<String> {
    let text = expanded(quote!(), item);
    let messages = text.split("compile_error").skip(1);
    let first = |rest: &str| {
        rest.split('"').nth(1).and_then(|text| text.split("\\n").next()).map(str::to_owned)
    };
    messages.map(|rest| first(rest).expect("a message")).collect()
}

/// A block with these functions and a kernel with this body.
fn layer(functions: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        impl Layer {
            #functions
            #[gemm(tile = [64, 64, 32])]
            fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>, scaled: f32) -> Mat<f16, M, N> {
                #body
            }
            fn forward(&self) -> f32 { other(&self.values) }
        }
    }
}

#[test]
fn a_body_calls_functions_of_the_block() {
    let functions = quote! {
        fn scaled(z: f32, by: f32) -> f32 { gelu(Self::halved(z)) * by }
        fn halved(z: f32) -> f32 { 0.5 * z }
        fn r#static(i: i32) -> i32 { i * 2 }
        fn any(&self, of: &[f32]) -> usize { of.len() }
    };
    let body = quote!(Self::scaled(matmul(x, w), scaled) * Self::r#static(row()) as f32);
    let text = expanded(quote!(), layer(&functions, &body));
    assert!(!text.contains("compile_error"), "{text}");
    let (block, module) = text.split_once("\n}\n").expect("a block, then a module");
    for part in
        ["gelu(Self::halved(z)) * by", "wrapping::mul(i, 2)", "fn any(&self, of: &[f32]) -> usize"]
    {
        assert!(block.contains(part), "no `{part}` in\n{block}");
    }
    for part in [
        "fn __of_impl_scaled(z: f32, by: f32) -> f32 {",
        "gelu(__of_impl_halved(z)) * by",
        "__of_impl_scaled(matmul(x, w), scaled)",
        "namespace of_type {",
        "float scaled(const float z, const float by)",
        "of_type::scaled(",
    ] {
        assert!(module.contains(part), "no `{part}` in\n{module}");
    }
    // A spec that is kept for reports has the names as written, in its strings.
    let code: String = module.split('"').step_by(2).collect();
    assert!(!code.contains("Self::") && !text.contains("__of_impl_any"), "{text}");
}

#[test]
fn functions_of_the_module_and_of_the_block_may_have_one_name() {
    let block = layer(
        &quote!(
            fn halved(z: f32) -> f32 {
                0.25 * halved(z)
            }
        ),
        &quote!(Self::halved(halved(matmul(x, w))) * scaled),
    );
    let text = expanded(
        quote!(),
        quote! {
            mod layers {
                fn halved(z: f32) -> f32 { 0.5 * z }
                /// Only `forward` calls it, which is not a kernel.
                fn other(values: &[f32]) -> f32 { values[0] }
                #[gemm]
                #block
            }
        },
    );
    assert!(!text.contains("compile_error"), "{text}");
    for part in ["of_type::halved(own::halved(", "use super::halved;", "__of_impl_halved(halved("] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

fn halved() -> TokenStream {
    "fn halved(z: f32) -> f32 { 0.5 * z }".parse().expect("tokens")
}

#[test]
fn mistakes_in_calls_of_functions_of_the_block_are_reported_once() {
    let of = |body: &str| errors(layer(&halved(), &body.parse().expect("tokens")));
    for (body, error) in [
        ("halved(matmul(x, w))", "`halved` is a function of the `impl`, not of its module"),
        ("Self::halfed(matmul(x, w))", "unknown function `Self::halfed`"),
        ("Self::gelu(matmul(x, w))", "unknown function `Self::gelu`"),
        ("Self::halved(matmul(x, w), 1.0)", "`Self::halved` takes 1 argument, got 2"),
    ] {
        assert_eq!(of(body), [error], "{body}");
    }
}

#[test]
fn mistakes_in_functions_of_the_block_are_reported_once() {
    let of = |functions: &str, body: &str| {
        errors(layer(&functions.parse().expect("tokens"), &body.parse().expect("tokens")))
    };
    let functions =
        "fn even(z: f32) -> f32 { Self::odd(z) } fn odd(z: f32) -> f32 { Self::even(z) }";
    assert_eq!(
        of(functions, "Self::even(matmul(x, w))"),
        ["`Self::even` calls itself through `Self::odd`"]
    );
    assert_eq!(
        of("fn scaled(&self, z: f32) -> f32 { z }", "Self::scaled(matmul(x, w))"),
        ["a function that a body calls cannot have `self`"]
    );
}

#[test]
fn functions_of_a_block_that_is_not_annotated_are_not_seen() {
    let text = expanded(
        quote!(),
        quote! {
            fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
                Self::halved(matmul(x, w))
            }
        },
    );
    assert!(text.contains("write `#[gemm]` on the `impl`, too"), "{text}");
}
