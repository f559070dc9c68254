//! The items of a legal spec: the function, and the module with its launches.

use gemm_codegen::Plan;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::contents::contents;
use super::declared::declared;
use super::output_form::OutputForm;
use super::{Item, Proved, borrow, erased, generic, own};
use crate::body::Constant;
use crate::signature::{Kind, Parameter};

/// The items of specs that were proved, each with its own or the derived schedule.
pub(crate) fn kernels(item: &Item<'_>, proved: &[Proved<'_>]) -> TokenStream {
    // There are none only where a type parameter has none, which is an error.
    let Some(first) = proved.first() else { return TokenStream::new() };
    let launch = launch(item, &first.plan);
    let (attributes, docs) = (item.module_attributes(), item.module_docs(&first.plan));
    let (visibility, name) = (&item.function.visibility, &item.signature.name);
    let kernels = match item.is_generic() {
        true => generic::items(item, proved),
        false => contents(item, first),
    };
    let (launches, marker) = (launches(item), item.marker());
    let (signature, erased) = (declared(item, &first.plan), erased::function(item, proved));
    let constants = item.is_generic().then(|| item.imports());
    quote! {
        #launch
        #attributes
        #docs
        #visibility mod #name {
            #constants
            #signature
            #erased
            #kernels
            #launches
            #marker
        }
    }
}

/// What a launch is given to run: the kernel, or the one that is chosen for the arguments, which
/// `arguments` names. `path` leads to the module.
fn chosen(item: &Item<'_>, path: &TokenStream, arguments: &Ident) -> TokenStream {
    let (device, kernels) = (own("device"), runnable(item, path));
    match item.schedules.are_several() {
        true => quote!(::gemm_runtime::__private::choose(#device, #kernels, &#arguments)),
        false => kernels,
    }
}

/// The kernel of a function, or the kernels among which a launch chooses. `path` leads to the module.
fn runnable(item: &Item<'_>, path: &TokenStream) -> TokenStream {
    match (item.schedules.are_several(), item.is_generic()) {
        (true, false) => quote!(&#path KERNELS),
        (false, false) => quote!(&#path KERNEL),
        (true, true) => item.of_bound(path, &quote!(kernels())),
        (false, true) => item.of_bound(path, &quote!(kernel())),
    }
}

/// The function: launches and returns new matrices, or nothing where a parameter is written.
fn launch(item: &Item<'_>, plan: &Plan) -> TokenStream {
    let attributes = item.function_attributes();
    let docs = item.function_docs(plan);
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (a, device) = (&borrow(), own("device"));
    let parameters = parameters(item);
    let path = quote!(#name::);
    let arguments = arguments(item, &path);
    let (proofs, calls) = (item.proofs(), item.calls());
    let returned = item.returned();
    let all = own("arguments");
    let chosen = chosen(item, &path, &all);
    let (generics, bounds) = (item.generics(Some(a)), item.bounds(&path));
    let launch = match item.signature.written() {
        Some(_) => quote!(into),
        None => match item.output_forms()[..] {
            [OutputForm::Vector] => quote!(run_reduced),
            [OutputForm::Matrix] => quote!(run),
            [OutputForm::Batch] => quote!(run_batched),
            _ => quote!(run_several),
        },
    };
    quote! {
        #attributes
        #docs
        #visibility fn #name #generics(
            #device: &::gemm_runtime::Device,
            #(#parameters),*
        ) -> ::core::result::Result<#returned, ::gemm_runtime::Error> #bounds {
            #proofs
            #calls
            let #all = [#(#arguments),*];
            ::gemm_runtime::__private::#launch(#device, #chosen, #all)
        }
    }
}

/// `into`, `prepare` and `report`.
fn launches(item: &Item<'_>) -> TokenStream {
    let (a, device, given, here) = (&borrow(), own("device"), own("arguments"), quote!(self::));
    let (all, arguments) = into_outputs(item, &here);
    let (chosen, kernels) = (chosen(item, &here, &given), runnable(item, &here));
    let prepare = match item.schedules.are_several() {
        true => quote!(prepare_chosen),
        false => quote!(prepare),
    };
    let (generics, bounds) = (item.generics(Some(a)), item.bounds(&here));
    let report = report(item);
    quote! {
        /// Launches into memory that exists. Allocates no device memory, but for the workspace
        /// where K is split.
        ///
        /// # Errors
        ///
        /// As the function, and where what is written has another shape than the result.
        pub fn into #generics(
            #all
        ) -> ::core::result::Result<(), ::gemm_runtime::Error> #bounds {
            let #given = #arguments;
            ::gemm_runtime::__private::into(#device, #chosen, #given)
        }

        /// Checks and compiles once, to be launched many times: a prepared launch allocates
        /// nothing, takes no lock and does not wait.
        ///
        /// # Errors
        ///
        /// As `into`.
        pub fn prepare #generics(
            #all
        ) -> ::core::result::Result<::gemm_runtime::Prepared<#a>, ::gemm_runtime::Error> #bounds {
            let #given = #arguments;
            ::gemm_runtime::__private::#prepare(#device, #kernels, #given)
        }

        #report
    }
}

/// The parameters of a launch into memory that exists, and its arguments.
fn into_outputs(item: &Item<'_>, here: &TokenStream) -> (TokenStream, TokenStream) {
    let (device, parameters) = (own("device"), parameters(item));
    let all = item.output_parameters();
    let outputs: Vec<_> = all.iter().map(|(out, _, ty)| quote!(#out: #ty)).collect();
    let last = all.iter().map(|(out, of, _)| quote!(::gemm_runtime::#of::argument(#out)));
    let arguments = arguments(item, here).chain(last);
    (
        quote!(#device: &::gemm_runtime::Device, #(#parameters,)* #(#outputs),*),
        quote!([#(#arguments),*]),
    )
}

/// `report`.
fn report(item: &Item<'_>) -> TokenStream {
    let (device, here) = (own("device"), quote!(self::));
    let (generics, bounds) = (item.generics(None), item.bounds(&here));
    let kernel = match (item.schedules.are_several(), item.is_generic()) {
        (true, false) => quote!(KERNELS.first_on(#device)),
        (false, false) => quote!(&KERNEL),
        (true, true) => {
            let kernels = item.of_bound(&here, &quote!(kernels()));
            quote!(#kernels.first_on(#device))
        }
        (false, true) => item.of_bound(&here, &quote!(kernel())),
    };
    quote! {
        /// What the compiled kernel takes of the device: registers, spills, shared memory, blocks
        /// per multiprocessor. Of several kernels it is the first one that the device can run.
        ///
        /// # Errors
        ///
        /// What kept the kernel from being compiled or loaded.
        pub fn report #generics(
            #device: &::gemm_runtime::Device,
        ) -> ::core::result::Result<::gemm_runtime::Report, ::gemm_runtime::Error> #bounds {
            ::gemm_runtime::__private::report(#device, #kernel)
        }
    }
}

/// `name: type` of each operand of a launch.
fn parameters<'a>(item: &'a Item<'_>) -> impl Iterator<Item = TokenStream> + 'a {
    item.signature.parameters.iter().map(|parameter| {
        let (name, ty) = (parameter.ident(), parameter.argument_type(item.names));
        quote!(#name: #ty)
    })
}

/// Each parameter as the runtime's type-erased argument: constants, in the module that `path` leads
/// to, follow the operands, and what is written comes last.
fn arguments<'a>(
    item: &'a Item<'_>,
    path: &'a TokenStream,
) -> impl Iterator<Item = TokenStream> + 'a {
    let parameters = &item.signature.parameters;
    let operands = parameters.iter().filter(|parameter| !parameter.written);
    let argument = |parameter: &Parameter| {
        let name = parameter.ident();
        match &parameter.kind {
            Some(Kind::Matrix(_) | Kind::Vector(_) | Kind::Tiled(..)) => {
                let r#trait = parameter.argument_trait(Span::call_site());
                quote!(::gemm_runtime::#r#trait::argument(#name))
            }
            Some(Kind::DeviceScalar(_)) => quote!(::gemm_runtime::AsScalar::argument(#name)),
            _ => quote!(::gemm_runtime::Argument::from(#name)),
        }
    };
    let constants = item
        .constants
        .iter()
        .map(move |Constant { name, .. }| quote!(::gemm_runtime::Argument::from(#path #name)));
    operands.map(argument).chain(constants).chain(item.signature.written().map(argument))
}
