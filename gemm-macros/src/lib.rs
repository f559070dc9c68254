//! The `#[gemm]` attribute. Users get it through `gemm_runtime::prelude`.
//!
//! The phases are the modules: `attribute`, `signature` and `body` turn tokens into a
//! `gemm_codegen::Spec` with a place for each of its fields (`spans`); `gemm_codegen::Plan`
//! proves it; `expand` writes the items. Every phase reports all of its errors at once
//! (`errors`), and a later phase runs only if the earlier ones found none.

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
