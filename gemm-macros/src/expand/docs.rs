//! Documentation of the generated items: what an editor shows on hover.

use gemm_codegen::Plan;
use proc_macro2::TokenStream;
use quote::quote;

use super::Item;

impl Item<'_> {
    /// What the documentation of the function ends with.
    pub(super) fn function_docs(&self, plan: &Plan) -> TokenStream {
        let module = &self.signature.name;
        let text = format!(
            "{}# Plan\n\n{}\n\nThe module [`mod@{module}`] has its source, its host reference and \
             forms of the launch that allocate nothing.\n\n\
             # Errors\n\n\
             Shapes that do not agree, an operand of another device, or what kept the kernel from \
             being compiled or launched.",
            self.break_after_own_docs(),
            plan.table(),
        );
        quote!(#[doc = #text])
    }

    /// What the documentation of the module ends with.
    pub(super) fn module_docs(&self, plan: &Plan) -> TokenStream {
        let text = format!("{}# Plan\n\n{}", self.break_after_own_docs(), plan.table());
        quote!(#[doc = #text])
    }

    /// Separates our paragraphs from the user's.
    fn break_after_own_docs(&self) -> &'static str {
        match self.function.attributes.iter().any(|a| a.path().is_ident("doc")) {
            true => "\n",
            false => "A GEMM.\n\n",
        }
    }
}
