//! The items without a kernel, next to the errors: uses of the function elsewhere stay what they
//! are, so that one mistake is one error.

use gemm_codegen::auto::Footprint;
use proc_macro2::TokenStream;
use quote::quote;

use super::constant::Constant as _;
use super::declared::unknown;
use super::generic::module_name;
use super::{Item, Names, borrow, erased};
use crate::errors::Errors;
use crate::signature::hides_a_type;

/// The errors, and the items without a kernel.
pub(crate) fn fallback(item: &Item<'_>, errors: &Errors) -> TokenStream {
    let errors = errors.to_compile_errors();
    let (name, types) = (&item.signature.name, item.signature.type_names());
    // A function with `self` stands where no module can stand; one may hide the types of signatures.
    let has_module = item.function.signature.receiver().is_none() && !hides_a_type(name);
    let bounds = match has_module {
        true => item.bounds(&quote!(#name::)),
        false => quote!(where #(#types: ::gemm_runtime::Element),*),
    };
    let function = function(item, &bounds);
    let module = has_module.then(|| module(item));
    quote!(#errors #function #module)
}

fn function(item: &Item<'_>, bounds: &TokenStream) -> TokenStream {
    let attributes = item.function_attributes();
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let generics = item.generics(Some(&borrow()));
    let receiver = item.function.signature.receiver().map(|receiver| quote!(#receiver,));
    let parameters = item.signature.parameters.iter().skip(usize::from(receiver.is_some()));
    let types = parameters.map(|p| p.argument_type(item.names));
    let proofs = item.proofs();
    let returned = item.returned();
    quote! {
        #attributes
        #[allow(missing_docs)]
        #visibility fn #name #generics(
            #receiver
            _: &::gemm_runtime::Device,
            #(_: #types),*
        ) -> ::core::result::Result<#returned, ::gemm_runtime::Error> #bounds {
            #proofs
            ::core::unreachable!()
        }
    }
}

fn module(item: &Item<'_>) -> TokenStream {
    let attributes = item.module_attributes();
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (signature, erased) = (unknown(), erased::unknown());
    let launches = launches(item);
    let kernels = match item.is_generic() {
        true => generic_items(item),
        false => contents(item),
    };
    quote! {
        #attributes
        #[allow(missing_docs, dead_code)]
        #visibility mod #name {
            #signature
            #erased
            #kernels
            #launches
        }
    }
}

/// The trait, which every element type implements, and a module for each kernel that was asked for.
fn generic_items(item: &Item<'_>) -> TokenStream {
    let bound = item.bound(&TokenStream::new());
    let names = item.signature.type_names();
    let (first, others) = (names.first(), names.iter().skip(1));
    let every = quote!(<#(#names: ::gemm_runtime::Element),*>);
    let here = quote!(self::);
    let result = item.of_bound(&here, &quote!(Reference));
    let host = item.no_host([item.generics(None), item.bounds(&here)], &result);
    let likely = item.referenced(item.likely_results());
    let modules = item.signature.instances().into_iter().map(|instance| {
        let module = module_name(&instance);
        let contents = contents(&Item { names: Names::Of(&instance), ..*item });
        quote!(pub mod #module { #contents })
    });
    quote! {
        #bound
        impl #every self::Element<#(#others),*> for #first {
            type Reference = #likely;
        }
        #host
        #(#modules)*
    }
}

/// What there would be of one kernel.
fn contents(item: &Item<'_>) -> TokenStream {
    let no_generics = [TokenStream::new(), TokenStream::new()];
    let reference = item.no_host(no_generics, &item.referenced(item.likely_results()));
    let footprint = Footprint::default().tokens();
    let kernels = item.schedules.are_several().then(|| {
        quote! {
            pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> =
                ::gemm_runtime::launch::Kernels::new(&KERNEL, &[]);
        }
    });
    let reported = cfg!(feature = "report").then(|| {
        quote! {
            pub static REPORTED: ::gemm_runtime::ReportedFunction =
                ::gemm_runtime::ReportedFunction::new(
                    || ::core::unreachable!(), ::std::vec::Vec::new, false,
                );
        }
    });
    quote! {
        pub const SOURCE: &::core::primitive::str = "";
        pub const PLAN: &::core::primitive::str = "";
        pub static KERNEL: ::gemm_runtime::Kernel = ::gemm_runtime::Kernel {
            name: ::std::borrow::Cow::Borrowed(""),
            entry: ::std::borrow::Cow::Borrowed(""),
            text: ::std::borrow::Cow::Borrowed(SOURCE),
            parameters: ::std::borrow::Cow::Borrowed(&[]),
            abi: ::gemm_runtime::abi::Abi(::std::borrow::Cow::Borrowed(&[])),
            outputs: 0,
            factors: ::gemm_runtime::Factors::Exact,
            reads_output: false,
            launch: ::gemm_runtime::LaunchShape::new([1, 1, 1], 1, &[]),
            footprint: #footprint,
            facts: ::core::option::Option::None,
        };
        #kernels
        #reported
        #reference
    }
}

/// `into`, `prepare` and `report`.
fn launches(item: &Item<'_>) -> TokenStream {
    let (a, here) = (&borrow(), quote!(self::));
    let types = item.signature.parameters.iter().map(|p| p.argument_type(item.names));
    let outputs = item.output_parameters().into_iter().map(|(_, _, ty)| ty);
    let all = quote!(_: &::gemm_runtime::Device, #(_: #types,)* #(_: #outputs),*);
    let (generics, bounds) = (item.generics(Some(a)), item.bounds(&here));
    let of_report = item.generics(None);
    quote! {
        pub fn into #generics(
            #all
        ) -> ::core::result::Result<(), ::gemm_runtime::Error> #bounds {
            ::core::unreachable!()
        }
        pub fn prepare #generics(
            #all
        ) -> ::core::result::Result<::gemm_runtime::Prepared<#a>, ::gemm_runtime::Error> #bounds {
            ::core::unreachable!()
        }
        pub fn report #of_report(
            _: &::gemm_runtime::Device,
        ) -> ::core::result::Result<::gemm_runtime::Report, ::gemm_runtime::Error> #bounds {
            ::core::unreachable!()
        }
    }
}
