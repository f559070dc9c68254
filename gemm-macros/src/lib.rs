//! The `#[gemm]` attribute, exported to users by `gemm_runtime::prelude`.
//!
//! All that it does is in `gemm-language`, an ordinary library that tools can call as well.

#![forbid(unsafe_code)]

#[doc = include_str!("../language.md")]
#[proc_macro_attribute]
pub fn gemm(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    gemm_language::expand(attribute.into(), item.into()).into()
}
