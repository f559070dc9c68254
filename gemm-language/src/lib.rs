//! The language of `#[gemm]`: the tokens of a function → a `gemm_codegen::Spec` → the items that
//! replace the function.
//!
//! [`expand`] is what rustc calls, through `gemm-macros`. [`read`] is for tools: it says what the
//! expansion would have.
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

pub use phases::{Declaration, expand, read};
