//! Several `#[gemm]` on one function.

use proc_macro2::TokenStream;
use quote::quote;

use super::{assert_has, expand};
use crate::phases::read;

/// A product with these attributes after the first.
fn function(further: TokenStream) -> TokenStream {
    quote! {
        #further
        fn f(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
            matmul(a, b)
        }
    }
}

#[test]
fn a_kernel_for_each_attribute() {
    let further = quote! {
        #[gemm_runtime::gemm(mma = wgmma, tile = [128, 128, 64], targets = [sm_90a])]
        #[gemm(derived)]
    };
    let expansion = expand(quote!(tile = [64, 64, 32]), function(further.clone()));
    assert!(!expansion.contains("compile_error"), "{expansion}");
    assert_has(
        &expansion,
        &[
            "pub mod schedule_2 {",
            "pub mod schedule_3 {",
            "static OTHERS: [::gemm_runtime::launch::Choice<'static>; 2usize]",
            "Choice::new(\"schedule_3\", &schedule_3::KERNEL)",
            "choose(device, &f::KERNELS, &arguments)",
            "report(device, KERNELS.first_on(device))",
            "this one, and `schedule_2` and `schedule_3`",
        ],
    );
    assert_eq!(expansion.matches("pub static KERNEL:").count(), 3);
    assert_eq!(expansion.matches("pub fn reference").count(), 1);

    let [read] = &read(quote!(tile = [64, 64, 32]), function(further)).expect("legal")[..] else {
        panic!("one declaration")
    };
    let tiles = std::iter::once(&read.plan).chain(&read.others).map(|plan| plan.warps().block);
    let tiles: Vec<_> = tiles.collect();
    assert_eq!(tiles[..2], [[64, 64, 32], [128, 128, 64]]);
    assert!(tiles.len() == 3 && !read.auto);
}

#[test]
fn a_kernel_for_each_attribute_and_each_type() {
    let generic = quote! {
        #[gemm(tile = [128, 64, 32])]
        fn f<T>(a: Mat<T, M, K>, b: Mat<T, N, K>) -> Mat<T, M, N> {
            matmul(a, b)
        }
    };
    let expansion = expand(quote!(T = [f16, bf16], tile = [64, 64, 32]), generic);
    assert!(!expansion.contains("compile_error"), "{expansion}");
    assert_has(
        &expansion,
        &["<T as f::Element>::kernels()", "<T as self::Element>::kernels().first_on(device)"],
    );
    assert_eq!(expansion.matches("pub static KERNEL:").count(), 4);
}

/// What is wrong, in its order.
fn errors(first: TokenStream, further: TokenStream) -> Vec<String> {
    let errors = read(first, function(further)).expect_err("it is wrong");
    let first_line =
        |error: syn::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    errors.into_iter().map(first_line).collect()
}

#[test]
fn an_attribute_that_fixes_nothing_is_none_of_several() {
    let nothing =
        "each of several `#[gemm]` must fix a schedule, but this one has no key that does";
    assert_eq!(errors(quote!(), quote!(#[gemm])), [nothing, nothing]);
    assert_eq!(errors(quote!(derived), quote!(#[gemm(targets = [sm_90a])])), [nothing]);
    assert_eq!(
        errors(quote!(derived), quote!(#[gemm(stages = 3, crate = other)])),
        ["`crate` holds for all schedules, but is not in the first `#[gemm]`"]
    );
    assert_eq!(
        errors(quote!(derived), quote!(#[gemm = "x"])),
        ["expected `#[gemm]` or `#[gemm(..)]`"]
    );
    // A key that was not understood may be one that does.
    let unknown = errors(quote!(derived), quote!(#[gemm(tiles = [64, 64, 32])]));
    assert_eq!(unknown, ["unknown key `tiles`"]);
    let [unreadable, unknown] =
        [quote!(#[gemm([64, 64, 32])]), quote!(#[gemm(tiles = [64, 64, 32])])]
            .map(|further| errors(quote!(stage = 3), further).len());
    assert_eq!([unreadable, unknown], [2, 2]);
}

#[test]
fn mistakes_of_each_schedule_are_reported_together() {
    let wrong = quote!(#[gemm(tile = [100, 64, 32], warps = [3, 2])]);
    let alone = errors(quote!(tile = [100, 64, 32], warps = [3, 2]), quote!());
    assert_eq!(errors(quote!(derived), wrong.clone()), alone);
    assert_eq!(errors(quote!(stages = 900), wrong).len(), alone.len() + 1);
}

#[test]
fn what_is_wrong_with_the_function_is_said_once() {
    let wrong = quote! {
        #[gemm(stages = 3)]
        fn f(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
            matmul(a, b) + missing
        }
    };
    let errors = read(quote!(derived), wrong).expect_err("it is wrong");
    assert_eq!(errors.into_iter().count(), 1);
}

#[test]
fn all_schedules_compute_the_same() {
    assert_eq!(
        errors(quote!(derived), quote!(#[gemm(acc = f16, stages = 3)])),
        ["`acc` is f16 here and f32 in the first `#[gemm]`: the result would depend on the \
          schedule that a launch chooses"]
    );
    let singles = quote! {
        #[gemm(stages = 3, precision = tf32)]
        fn f(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
            matmul(a, b)
        }
    };
    let errors_of_singles = read(quote!(derived), singles).expect_err("it is wrong").to_string();
    assert!(
        errors_of_singles.starts_with("`precision` is tf32 here and f32"),
        "{errors_of_singles}"
    );
    assert_eq!(
        errors(quote!(stages = 3), quote!(#[gemm(stages = 4)] #[gemm(stages = 3)])),
        ["the same schedule as that of an earlier `#[gemm]`"]
    );
}
