//! The items without a kernel, next to the errors: uses of the function elsewhere stay what they
//! are, so that one mistake is one error.

use gemm_codegen::auto::Footprint;
use proc_macro2::TokenStream;
use quote::quote;

use super::constant::Constant as _;
use super::{Item, borrow};
use crate::errors::Errors;
use crate::signature::hides_a_type;

/// The errors, and the items without a kernel.
pub(crate) fn fallback(item: &Item<'_>, errors: &Errors) -> TokenStream {
    let errors = errors.to_compile_errors();
    let function = function(item);
    // A function with `self` stands where no module can stand; one may hide the types of signatures.
    let has_module =
        item.function.signature.receiver().is_none() && !hides_a_type(&item.signature.name);
    let module = has_module.then(|| module(item));
    quote!(#errors #function #module)
}

fn function(item: &Item<'_>) -> TokenStream {
    let attributes = item.function_attributes();
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let a = borrow();
    let receiver = item.function.signature.receiver().map(|receiver| quote!(#receiver,));
    let parameters = item.signature.parameters.iter().skip(usize::from(receiver.is_some()));
    let types = parameters.map(|p| p.argument_type());
    let proofs = item.proofs();
    let returned = item.returned();
    quote! {
        #attributes
        #[allow(missing_docs)]
        #visibility fn #name<#a>(
            #receiver
            _: &::gemm_runtime::Device,
            #(_: #types),*
        ) -> ::core::result::Result<#returned, ::gemm_runtime::Error> {
            #proofs
            ::core::unreachable!()
        }
    }
}

fn module(item: &Item<'_>) -> TokenStream {
    let attributes = item.module_attributes();
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let a = borrow();
    let types: Vec<_> = item.signature.parameters.iter().map(|p| p.argument_type()).collect();
    let outputs = item.output_parameters().into_iter().map(|(_, ty)| ty);
    let all = quote!(_: &::gemm_runtime::Device, #(_: #types,)* #(_: #outputs),*);
    let reference = item.no_host();
    let footprint = Footprint::default().tokens();
    let kernels = item.auto.then(|| {
        quote! {
            pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> =
                ::gemm_runtime::launch::Kernels::new(&KERNEL, &[]);
        }
    });
    quote! {
        #attributes
        #[allow(missing_docs)]
        #visibility mod #name {
            pub const SOURCE: &::core::primitive::str = "";
            pub const PLAN: &::core::primitive::str = "";
            pub static KERNEL: ::gemm_runtime::Kernel = ::gemm_runtime::Kernel {
                name: ::std::borrow::Cow::Borrowed(""),
                entry: ::std::borrow::Cow::Borrowed(""),
                text: ::std::borrow::Cow::Borrowed(SOURCE),
                parameters: ::std::borrow::Cow::Borrowed(&[]),
                outputs: 0,
                reads_output: false,
                launch: ::gemm_runtime::LaunchShape::new([1, 1, 1], 1, &[]),
                footprint: #footprint,
            };
            #kernels
            pub fn into<#a>(#all) -> ::core::result::Result<(), ::gemm_runtime::Error> {
                ::core::unreachable!()
            }
            pub fn prepare<#a>(
                #all
            ) -> ::core::result::Result<::gemm_runtime::Prepared<#a>, ::gemm_runtime::Error> {
                ::core::unreachable!()
            }
            pub fn report(
                _: &::gemm_runtime::Device,
            ) -> ::core::result::Result<::gemm_runtime::Report, ::gemm_runtime::Error> {
                ::core::unreachable!()
            }
            #reference
        }
    }
}
