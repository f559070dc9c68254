//! The body as Rust: type-checked at the user's tokens, run by `reference`.

use gemm_codegen::{Axis, Element, Kernel, ParameterKind, Plan};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::types;
use super::{Item, own};
use crate::signature::Parameter;

impl Item<'_> {
    /// `reference`, and the function that holds the body.
    pub(super) fn host(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (shape, accumulator) = (own("shape"), own("accumulator"));
        let (m, n) = (own("m"), own("n"));
        let parameters = &self.signature.parameters;
        let names: Vec<_> = parameters.iter().map(|p| p.ident()).collect();
        let host_types = parameters.iter().map(|p| p.host_type());
        let paired = self.paired(kernel);
        let [a, b] = [Axis::M, Axis::N].map(|axis| {
            let mut operands = names.iter().zip(&paired);
            operands.find(|(_, (_, p))| multiplied(p.kind) == Some(axis)).map(|(name, _)| name)
        });
        let bindings = names.iter().zip(&paired).map(|(name, (_, parameter))| {
            let (text, kind) = (&parameter.name, parameter.kind);
            let host = match kind {
                ParameterKind::Matrix { .. } => quote!(HostMatrix),
                ParameterKind::Vector { .. } => quote!(HostVector),
                ParameterKind::Scalar(_) => return TokenStream::new(),
            };
            let axes = axes(kind);
            quote! {
                let #name = ::gemm_runtime::__private::#host::new(#text, #name, #axes, #shape)?;
            }
        });
        let old = own("old");
        let passed = names.iter().zip(&paired).map(|(name, (declared, p))| match p.kind {
            _ if declared.written => quote!(&mut #old),
            kind if multiplied(kind).is_some() => {
                quote!(::gemm_runtime::__private::Factor(#accumulator))
            }
            ParameterKind::Scalar(_) => quote!(#name),
            _ => quote!(#name.at(#m, #n)),
        });
        let output = kernel.parameters().last().map(|output| axes(output.kind));
        let (body, result) = (self.body(plan, kernel), types::scalar(plan.result()));
        let value = quote!(body(#(#passed),*));
        // In place, a body changes the old element and returns nothing.
        let value = match self.signature.written().map(Parameter::ident) {
            Some(name) => quote!({ let mut #old = #name.at(#m, #n); #value; #old }),
            None => value,
        };
        quote! {
            /// The same GEMM on the host: floats are summed in `f64`, the body is computed in its
            /// own types, and the result is not rounded to the elements of the output.
            ///
            /// Matrices are dense, row by row as in the signature, and so is the result.
            ///
            /// # Errors
            ///
            /// An operand has another number of elements than `shape` asks for.
            pub fn reference(
                #shape: ::gemm_runtime::Shape,
                #(#names: #host_types),*
            ) -> ::core::result::Result<::std::vec::Vec<#result>, ::gemm_runtime::Error> {
                #(#bindings)*
                ::gemm_runtime::__private::reference(
                    #shape, #a, #b, #output,
                    |#accumulator, #m, #n| #value,
                )
            }

            #body
        }
    }

    /// The user's tokens, untouched, over one element of the output: a multiplied operand is a
    /// value that only `matmul` takes, every other one its element.
    fn body(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (sum, result) = (plan.mma().accumulator.value(), types::scalar(plan.result()));
        let sum = types::scalar(sum);
        let attributes = self.body_attributes();
        let parameters = self.paired(kernel).into_iter().map(|(parameter, p)| {
            let name = parameter.ident();
            let ty = match p.kind {
                _ if parameter.written => quote!(&mut #result),
                kind if multiplied(kind).is_some() => {
                    quote!(::gemm_runtime::__private::Factor<#sum>)
                }
                kind => types::scalar(kind.value()),
            };
            quote!(#name: #ty)
        });
        // Without the braces, which rustc would find unnecessary on one line.
        let statements = &self.function.block.stmts;
        let returned = match self.signature.written() {
            Some(_) => TokenStream::new(),
            None => quote!(-> #result),
        };
        quote! {
            #(#attributes)*
            fn body(#(#parameters),*) #returned {
                #[allow(unused_imports, clippy::wildcard_imports)]
                use ::gemm_runtime::body::*;
                #(#statements)*
            }
        }
    }

    /// Each parameter with that of the kernel, whose last one is the output.
    fn paired<'k>(&self, kernel: &'k Kernel) -> Vec<(&Parameter, &'k gemm_codegen::Parameter)> {
        let (mut operands, output) = (kernel.parameters().iter(), kernel.parameters().last());
        let parameters = self.signature.parameters.iter();
        let of_kernel = parameters.map(|parameter| match parameter.written {
            true => Some((parameter, output?)),
            false => Some((parameter, operands.next()?)),
        });
        of_kernel.flatten().collect()
    }

    /// `reference` where there is no kernel.
    pub(super) fn no_host(&self) -> TokenStream {
        let types = self.signature.parameters.iter().map(|p| p.host_type());
        let output = self.signature.output().map_or(Element::F32, |output| output.element);
        let result = types::scalar(output.stored_from()[0]);
        quote! {
            /// There is no kernel.
            pub fn reference(
                _: ::gemm_runtime::Shape,
                #(_: #types),*
            ) -> ::core::result::Result<::std::vec::Vec<#result>, ::gemm_runtime::Error> {
                ::core::unreachable!()
            }
        }
    }
}

/// The axis other than K of a multiplied operand: only those run along K.
fn multiplied(kind: ParameterKind) -> Option<Axis> {
    match kind {
        ParameterKind::Matrix { rows: Axis::K, columns: other, .. }
        | ParameterKind::Matrix { rows: other, columns: Axis::K, .. } => Some(other),
        _ => None,
    }
}

/// The axes of an operand: one for a vector, an array of two for a matrix.
fn axes(kind: ParameterKind) -> TokenStream {
    let axis = |axis: Axis| {
        let axis = format_ident!("{axis:?}");
        quote!(::gemm_runtime::__private::Axis::#axis)
    };
    match kind {
        ParameterKind::Matrix { rows, columns, .. } => {
            let (rows, columns) = (axis(rows), axis(columns));
            quote!([#rows, #columns])
        }
        ParameterKind::Vector { length, .. } => axis(length),
        ParameterKind::Scalar(_) => TokenStream::new(),
    }
}
