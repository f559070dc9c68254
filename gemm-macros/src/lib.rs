//! The `#[gemm]` attribute, exported to users by `gemm_runtime::prelude`.
//!
//! Each phase is a module: `attribute`, `signature` and `body` parse tokens into a
//! `gemm_codegen::Spec` and keep a span for each of its fields (`spans`); `gemm_codegen::Plan` proves
//! it; `expand` writes the items. A phase reports all of its errors at once (`errors`), and the next one
//! runs only if there were none.

#![forbid(unsafe_code)]

mod attribute;
mod body;
mod errors;
mod expand;
mod function;
mod phases;
mod signature;
mod spans;

#[doc = include_str!("../language.md")]
#[proc_macro_attribute]
pub fn gemm(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    phases::run(attribute.into(), item.into()).into()
}
