//! The factors of a `reference`.

use gemm_codegen::{Element, Factor, Plan, ScaleOffset};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A factor as the kernel multiplies it, where operands have these names.
pub(super) fn multiplied(
    plan: &Plan,
    of: &Factor,
    named: impl Fn(usize) -> Option<Ident>,
) -> TokenStream {
    // Variants of codegen's enums are named in the expansion as they are in codegen.
    let (name, rounding) = (named(of.operand), plan.factors());
    let rounding = format_ident!("{rounding:?}");
    let rounding = quote!(::gemm_runtime::__private::codegen::Factors::#rounding);
    let scaled = of.scale.map(|scale| {
        let offsets = match scale.offset {
            None => quote!(::core::option::Option::None),
            Some(ScaleOffset { applied, operand, .. }) => {
                let (applied, offset) = (format_ident!("{applied:?}"), named(operand));
                let applied = quote!(::gemm_runtime::__private::codegen::Offset::#applied);
                quote!(::core::option::Option::Some((#applied, &#offset)))
            }
        };
        let scales = named(scale.operand);
        let rounded = plan.scaled_factors().map(|element| match element {
            Element::F16 => quote!(.rounded_to::<::gemm_runtime::f16>()),
            _ => quote!(.rounded_to::<::gemm_runtime::bf16>()),
        });
        quote! {
            .scaled_by(::gemm_runtime::__private::HostScales {
                scales: &#scales, offsets: #offsets, rounded: ::core::option::Option::None
            } #rounded)
        }
    });
    quote!(#name.with_factors(#rounding) #scaled)
}
