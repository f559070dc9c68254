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
