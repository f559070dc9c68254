//! The items of a legal spec.

use gemm_codegen::{Plan, Spec, emit};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::constant::Constant as _;
use super::{Item, borrow, own};
use crate::signature::Kind;

/// The items of a spec that was proved with its own or the derived schedule.
pub(crate) fn kernel(item: &Item<'_>, spec: &Spec, plan: &Plan) -> TokenStream {
    let launch = launch(item, plan);
    let module = module(item, spec, plan);
    quote!(#launch #module)
}

/// What a launch is given to run: the kernel, or the one that is chosen for the arguments, which
/// `arguments` names. `path` leads to the module.
fn chosen(item: &Item<'_>, path: &TokenStream, arguments: &Ident) -> TokenStream {
    let device = own("device");
    match item.auto {
        true => quote! {
            ::gemm_runtime::__private::choose(#device, &#path KERNELS, &#arguments)
        },
        false => quote!(&#path KERNEL),
    }
}

/// The function: launches and returns new matrices, or nothing where a parameter is written.
fn launch(item: &Item<'_>, plan: &Plan) -> TokenStream {
    let attributes = item.function_attributes();
    let docs = item.function_docs(plan);
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (a, device) = (borrow(), own("device"));
    let parameters = parameters(item);
    let arguments = arguments(item);
    let proofs = item.proofs();
    let returned = item.returned();
    let all = own("arguments");
    let chosen = chosen(item, &quote!(#name::), &all);
    let launch = match item.signature.written() {
        Some(_) => quote!(into),
        None if item.signature.returned.len() > 1 => quote!(run_several),
        None if item.batched() => quote!(run_batched),
        None => quote!(run),
    };
    quote! {
        #attributes
        #docs
        #visibility fn #name<#a>(
            #device: &::gemm_runtime::Device,
            #(#parameters),*
        ) -> ::core::result::Result<#returned, ::gemm_runtime::Error> {
            #proofs
            let #all = [#(#arguments),*];
            ::gemm_runtime::__private::#launch(#device, #chosen, #all)
        }
    }
}

/// The module: constants, and the other ways to run it.
fn module(item: &Item<'_>, spec: &Spec, plan: &Plan) -> TokenStream {
    let attributes = item.module_attributes();
    let docs = item.module_docs(plan);
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (kernel, table) = (&emit(plan), plan.table());
    let (text, constant) = (&kernel.text, kernel.tokens());
    let kernels = item.auto.then(|| kernels(spec));
    let launches = launches(item);
    let host = item.host(plan, kernel);
    quote! {
        #attributes
        #docs
        #visibility mod #name {
            /// The CUDA C++ text of the kernel.
            pub const SOURCE: &::core::primitive::str = #text;
            /// The plan as a Markdown table.
            pub const PLAN: &::core::primitive::str = #table;
            /// The text and what a launch has to know about it.
            pub static KERNEL: ::gemm_runtime::Kernel = #constant;
            #kernels
            #launches
            #host
        }
    }
}

/// `KERNELS`; the first of them is `KERNEL`.
fn kernels(spec: &Spec) -> TokenStream {
    let spec = spec.tokens();
    quote! {
        /// The kernels among which a launch chooses by its shape; the first one is `KERNEL`.
        pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> = {
            fn spec() -> ::gemm_runtime::__private::codegen::Spec {
                #spec
            }
            ::gemm_runtime::launch::Kernels::planned(&KERNEL, spec)
        };
    }
}

/// `into`, `prepare` and `report`.
fn launches(item: &Item<'_>) -> TokenStream {
    let (a, device) = (borrow(), own("device"));
    let parameters: Vec<_> = parameters(item).collect();
    let of_output = item.output_trait();
    let (outputs, types): (Vec<_>, Vec<_>) = item.output_parameters().into_iter().unzip();
    let last = outputs.iter().map(|out| quote!(#of_output::argument(#out)));
    let arguments: Vec<_> = arguments(item).chain(last).collect();
    let all = quote!(#device: &::gemm_runtime::Device, #(#parameters,)* #(#outputs: #types),*);
    let given = own("arguments");
    let chosen = chosen(item, &TokenStream::new(), &given);
    quote! {
        /// Launches into memory that exists. Allocates no device memory, but for the workspace
        /// where K is split.
        ///
        /// # Errors
        ///
        /// As the function, and where what is written has another shape than the result.
        pub fn into<#a>(#all) -> ::core::result::Result<(), ::gemm_runtime::Error> {
            let #given = [#(#arguments),*];
            ::gemm_runtime::__private::into(#device, #chosen, #given)
        }

        /// Checks and compiles once, to be launched many times: a prepared launch allocates
        /// nothing, takes no lock and does not wait.
        ///
        /// # Errors
        ///
        /// As `into`.
        pub fn prepare<#a>(
            #all
        ) -> ::core::result::Result<::gemm_runtime::Prepared<#a>, ::gemm_runtime::Error> {
            let #given = [#(#arguments),*];
            ::gemm_runtime::__private::prepare(#device, #chosen, #given)
        }

        /// What the compiled kernel takes of the device: registers, spills, shared memory, blocks
        /// per multiprocessor.
        ///
        /// # Errors
        ///
        /// What kept the kernel from being compiled or loaded.
        pub fn report(
            #device: &::gemm_runtime::Device,
        ) -> ::core::result::Result<::gemm_runtime::Report, ::gemm_runtime::Error> {
            ::gemm_runtime::__private::report(#device, &KERNEL)
        }
    }
}

/// `name: type` of each operand of a launch.
fn parameters<'a>(item: &'a Item<'_>) -> impl Iterator<Item = TokenStream> + 'a {
    item.signature.parameters.iter().map(|parameter| {
        let (name, ty) = (parameter.ident(), parameter.argument_type());
        quote!(#name: #ty)
    })
}

/// Each parameter as the runtime's type-erased argument: what is written comes last.
fn arguments<'a>(item: &'a Item<'_>) -> impl Iterator<Item = TokenStream> + 'a {
    let parameters = &item.signature.parameters;
    let operands = parameters.iter().filter(|parameter| !parameter.written);
    operands.chain(item.signature.written()).map(|parameter| {
        let name = parameter.ident();
        match &parameter.kind {
            Some(Kind::Matrix(_) | Kind::Vector(_)) => {
                let r#trait = parameter.argument_trait(Span::call_site());
                quote!(::gemm_runtime::#r#trait::argument(#name))
            }
            Some(Kind::DeviceScalar(_)) => quote!(::gemm_runtime::AsScalar::argument(#name)),
            _ => quote!(::gemm_runtime::Argument::from(#name)),
        }
    })
}
