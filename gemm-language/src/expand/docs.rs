//! Documentation of the generated items: what an editor shows on hover.

use gemm_codegen::Plan;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ReturnType, Signature};

use super::{Item, Schedules};
use crate::errors::list;
use crate::signature::{Instance, text};

/// The longest signature on one line.
const COLUMNS: usize = 96;

impl Item<'_> {
    /// What the documentation of the function ends with.
    pub(super) fn function_docs(&self, plan: &Plan) -> TokenStream {
        let module = &self.signature.name;
        let text = format!(
            "{}{}{}\n\nThe module [`mod@{module}`] has its source, its host reference and \
             forms of the launch that allocate nothing.\n\n\
             # Errors\n\n\
             Shapes that do not agree, an operand of another device, or a kernel that cannot be \
             compiled or launched.",
            self.break_after_own_docs(),
            self.declared(),
            self.plan(plan),
        );
        quote!(#[doc = #text])
    }

    /// What the documentation of the module ends with.
    pub(super) fn module_docs(&self, plan: &Plan) -> TokenStream {
        let (break_, declared) = (self.break_after_own_docs(), self.declared());
        let text = format!("{break_}{declared}{}", self.plan(plan));
        let pictures = pictures(plan);
        quote!(#[doc = #text] #pictures)
    }

    /// The documentation of the module of one kernel of several.
    pub(super) fn instance_docs(&self, instance: &Instance, plan: &Plan) -> TokenStream {
        let types = instance.describe(&self.signature.type_parameters);
        let text = format!("The kernel with {types}.\n\n# Plan\n\n{}", plan.table());
        let pictures = pictures(plan);
        quote!(#[doc = #text] #pictures)
    }

    /// The signature as it was declared: that of the expansion does not say which extent is which.
    fn declared(&self) -> String {
        format!(
            "```text\n{}\n```\n\nEach matrix is stored row by row: the last index of its type is \
             contiguous.\n\n",
            signature(&self.function.signature)
        )
    }

    /// The plan, of several schedules that of the first, and of several kernels too.
    fn plan(&self, plan: &Plan) -> String {
        let schedules = match self.schedules {
            Schedules::Auto => {
                "A launch chooses among several schedules by its shape and the GPU. Each is planned, \
                 proved and compiled when it is first chosen. This one is legal on every target, others \
                 may be on some of them alone. `KERNELS` has all of them.\n\n"
                    .to_owned()
            }
            Schedules::Written { .. } => format!(
                "A launch chooses among several schedules by its shape and the GPU: this one, \
                 and {}. `KERNELS` has all of them.\n\n",
                list(self.schedules.further())
            ),
            Schedules::One => String::new(),
        };
        let instances = self.signature.instances();
        let types = match &instances[..] {
            [first, ..] if self.is_generic() => {
                let first = first.describe(&self.signature.type_parameters);
                let modules = list(instances.iter().map(Instance::name));
                format!(
                    "This is the kernel with {first}; there is a module for each: {modules}.\n\n"
                )
            }
            _ => String::new(),
        };
        format!("# Plan\n\n{types}{schedules}{}", plan.table())
    }

    /// Separates our paragraphs from the user's.
    fn break_after_own_docs(&self) -> &'static str {
        match self.function.attributes.iter().any(|a| a.path().is_ident("doc")) {
            true => "\n",
            false => "A GEMM.\n\n",
        }
    }
}

/// The pictures of a plan, which rustdoc alone sees: in an editor they would be text.
#[cfg(feature = "pictures")]
fn pictures(plan: &Plan) -> TokenStream {
    let html = format!("\n{}", gemm_pictures::rustdoc::figures(plan));
    quote!(#[cfg_attr(doc, doc = #html)])
}

/// No pictures: the feature is off.
#[cfg(not(feature = "pictures"))]
fn pictures(_: &Plan) -> TokenStream {
    TokenStream::new()
}

/// A signature as source text.
fn signature(signature: &Signature) -> String {
    let name = format!("fn {}{}", signature.ident, text(&signature.generics));
    let parameters = signature.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => format!("{}: {}", text(&typed.pat), text(&typed.ty)),
        FnArg::Receiver(receiver) => text(receiver),
    });
    let parameters: Vec<String> = parameters.collect();
    let returned = match &signature.output {
        ReturnType::Default => String::new(),
        ReturnType::Type(_, ty) => format!(" -> {}", text(ty)),
    };
    let line = format!("{name}({}){returned}", parameters.join(", "));
    match line.len() {
        ..=COLUMNS => line,
        _ => format!("{name}(\n    {},\n){returned}", parameters.join(",\n    ")),
    }
}
