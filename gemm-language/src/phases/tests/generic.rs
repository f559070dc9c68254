//! Functions with type parameters.

use quote::quote;

use super::{assert_has, expand};
use crate::phases::read;

fn generic() -> proc_macro2::TokenStream {
    quote! {
        pub fn linear<T, U>(
            x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<U, N>, alpha: f32,
        ) -> Mat<U, M, N> {
            alpha * matmul(x, w) + bias
        }
    }
}

#[test]
fn a_kernel_for_each_choice_of_the_type_parameters() {
    let lists = quote!(T = [f16, bf16], U = [f32, f16], stages = 3);
    let expansion = expand(lists.clone(), generic());
    assert_has(
        &expansion,
        &[
            "fn linear<T, U>(\n    x: Mat<T, M, K>,",
            "pub fn linear<'a, T, U>(",
            "x: impl ::gemm_runtime::AsMatrix<'a, T>",
            "bias: impl ::gemm_runtime::AsVector<'a, U>",
            "-> ::core::result::Result<::gemm_runtime::Matrix<U>",
            "T: linear::Element<U>,\n    U: ::gemm_runtime::Element,",
            "<T as linear::Element<U>>::kernel()",
            "pub trait Element<U: ::gemm_runtime::Element>: ::gemm_runtime::Element {",
            "pub mod f16_f32 {",
            "pub mod bf16_f16 {",
            "impl self::Element<::core::primitive::f32> for ::gemm_runtime::bf16 {",
            "const _: fn(bf16) -> ::gemm_runtime::bf16",
            "name: ::std::borrow::Cow::Borrowed(\"linear_bf16_f32\")",
        ],
    );
    assert_eq!(expansion.matches("pub const SOURCE").count(), 4);
    assert!(!expansion.contains("compile_error"), "{expansion}");

    let read = read(lists, generic()).expect("it is legal");
    let paths = ["f16_f32", "f16_f16", "bf16_f32", "bf16_f16"];
    assert!(read.iter().map(|one| &one.path).eq(&paths.map(|path| format!("linear::{path}"))));
}

#[test]
fn precision_is_for_the_kernels_of_f32() {
    let kernels = |elements: proc_macro2::TokenStream| {
        let lists = quote!(T = #elements, U = [f32], precision = tf32);
        read(lists, generic()).map(|kernels| kernels.len())
    };
    assert!(kernels(quote!([f16, f32, bf16])).is_ok_and(|count| count == 3));
    assert!(kernels(quote!([f16, bf16])).is_err(), "there is no f32");
}

#[test]
fn a_mistake_of_some_kernels_names_their_elements() {
    let lists =
        quote!(T = [f16, f32], U = [f32, f16], mma = m16n8k16, stages = 9, swizzle = [2, 3, 3]);
    let expansion = expand(lists, generic());
    assert_has(&expansion, &["with `T = f32`, `U = f32` or `T = f32`, `U = f16`: "]);
    // The items are still there.
    assert_has(
        &expansion,
        &["impl<T: ::gemm_runtime::Element", "pub mod f16_f16 {", "pub fn into<"],
    );
    let all = expand(quote!(T = [f16, bf16], U = [f32], warps = [3, 7]), generic());
    assert!(all.contains("compile_error") && !all.contains("with `T = bf16`"), "{all}");
}
