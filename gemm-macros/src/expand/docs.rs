//! Documentation of the generated items: what an editor shows on hover.

use gemm_codegen::{Kernel, Plan};
use proc_macro2::TokenStream;
use quote::quote;

use super::Item;

impl Item<'_> {
    /// What the documentation of the function ends with.
    pub(super) fn function_docs(&self, proved: &[(Plan, Kernel)]) -> TokenStream {
        let module = &self.signature.name;
        let text = format!(
            "{}{}\n\nThe module [`mod@{module}`] has its source, its host reference and \
             forms of the launch that allocate nothing.\n\n\
             # Errors\n\n\
             Shapes that do not agree, an operand of another device, or what kept the kernel from \
             being compiled or launched.",
            self.break_after_own_docs(),
            self.plans(proved),
        );
        quote!(#[doc = #text])
    }

    /// What the documentation of the module ends with.
    pub(super) fn module_docs(&self, proved: &[(Plan, Kernel)]) -> TokenStream {
        let text = format!("{}{}", self.break_after_own_docs(), self.plans(proved));
        quote!(#[doc = #text])
    }

    /// The plan, or what a launch chooses among and the plan of the first.
    fn plans(&self, proved: &[(Plan, Kernel)]) -> String {
        let first = proved.first().map(|(plan, _)| plan.table()).unwrap_or_default();
        if !self.auto {
            return format!("# Plan\n\n{first}");
        }
        let line = |(plan, _): &(Plan, Kernel)| {
            let shape = |extents: [u32; 3]| extents.map(|extent| extent.to_string()).join(" × ");
            let splits = plan.split_k().map_or("1".to_owned(), |split_k| split_k.name());
            let targets: Vec<&str> = plan.targets().iter().map(|target| target.name()).collect();
            format!(
                "| {} | {} | {} | {splits} | {} |\n",
                shape(plan.warps().block),
                shape(plan.warps().grid),
                plan.mainloop().stages,
                targets.join(", ")
            )
        };
        let lines: String = proved.iter().map(line).collect();
        format!(
            "# Schedules\n\nA launch chooses one of these by its shape and the GPU. Each is compiled \
             when it is first chosen.\n\n\
             | block tile | warps | stages | splits of K | targets |\n\
             | --- | --- | --- | --- | --- |\n{lines}\n\
             # Plan of the first\n\n{first}"
        )
    }

    /// Separates our paragraphs from the user's.
    fn break_after_own_docs(&self) -> &'static str {
        match self.function.attributes.iter().any(|a| a.path().is_ident("doc")) {
            true => "\n",
            false => "A GEMM.\n\n",
        }
    }
}
