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

mod associated;
mod attribute;
mod body;
mod errors;
mod expand;
mod function;
mod module;
mod own;
mod phases;
mod signature;
mod spans;

use proc_macro2::TokenStream;

use own::Library;
pub use phases::{Declaration, read, read_in_impl, read_in_module};

/// Expands `#[gemm(arguments)] item`, a function, or an `impl` or a module with functions: to the items, or to the
/// errors and items without a kernel.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if module::is_module(&item) {
        module::expand(arguments, item)
    } else if associated::is_impl(&item) {
        associated::expand(arguments, item, &Library::none())
    } else {
        phases::expand(arguments, item, &Library::none())
    }
}
