//! Operands as types of the generated functions.

use gemm_codegen::{Element, ScalarType};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::{Item, borrow, own};
use crate::signature::{Kind, Parameter, Tensor};

/// The type of an element, by its full path.
pub(super) fn element(element: Element) -> TokenStream {
    match element {
        Element::F16 => quote!(::gemm_runtime::f16),
        Element::Bf16 => quote!(::gemm_runtime::bf16),
        Element::F32 => quote!(::core::primitive::f32),
    }
}

/// The type of a scalar, by its full path.
pub(super) fn scalar(scalar: ScalarType) -> TokenStream {
    match scalar {
        ScalarType::F32 => quote!(::core::primitive::f32),
        ScalarType::I32 => quote!(::core::primitive::i32),
        ScalarType::Bool => quote!(::core::primitive::bool),
    }
}

/// Whose tokens name the element types.
#[derive(Clone, Copy)]
pub(super) enum Names {
    /// The user's, where the user's names are in scope: beside the annotated function.
    User,
    /// Full paths.
    Ours,
}

impl<const N: usize> Tensor<N> {
    /// The element type.
    pub(super) fn element(&self, names: Names) -> TokenStream {
        match names {
            Names::User => self.element_type.to_token_stream(),
            Names::Ours => element(self.element),
        }
    }

    /// A constant that compiles only if the user's `Mat` and `f16` are the runtime's. It also
    /// uses the imports of both.
    fn proof(&self) -> TokenStream {
        let Tensor { path, element_type, .. } = self;
        let span = syn::spanned::Spanned::span(element_type);
        let units = [(); N].map(|()| quote!(()));
        let ours = Ident::new(if N == 1 { "Vector" } else { "Mat" }, span);
        let element = element(self.element);
        quote::quote_spanned! {span=>
            const _: ::core::marker::PhantomData<#path<#element_type #(, #units)*>> =
                ::core::marker::PhantomData::<::gemm_runtime::#ours<#element #(, #units)*>>;
        }
    }
}

impl Parameter {
    /// The name; one that could not be read gets one that nobody can use.
    pub(super) fn ident(&self) -> Ident {
        self.name.clone().unwrap_or_else(|| own("operand"))
    }

    /// The type of the argument of a launch.
    pub(super) fn argument_type(&self, names: Names) -> TokenStream {
        let a = borrow();
        match &self.kind {
            Some(Kind::Matrix(matrix)) => {
                let element = matrix.element(names);
                quote!(impl ::gemm_runtime::AsMatrix<#a, #element>)
            }
            Some(Kind::Vector(vector)) => {
                let element = vector.element(names);
                quote!(impl ::gemm_runtime::AsVector<#a, #element>)
            }
            Some(Kind::Scalar(kind)) => scalar(*kind),
            None => quote!(impl ::core::marker::Sized),
        }
    }

    /// The type of the argument of `reference`: dense host memory.
    pub(super) fn host_type(&self) -> TokenStream {
        match &self.kind {
            Some(Kind::Matrix(matrix)) => {
                let element = matrix.element(Names::Ours);
                quote!(&[#element])
            }
            Some(Kind::Vector(vector)) => {
                let element = vector.element(Names::Ours);
                quote!(&[#element])
            }
            Some(Kind::Scalar(kind)) => scalar(*kind),
            None => quote!(impl ::core::marker::Sized),
        }
    }
}

impl Item<'_> {
    /// The proof of each operand's type.
    pub(super) fn proofs(&self) -> TokenStream {
        let operands = self.signature.parameters.iter().filter_map(|p| match &p.kind {
            Some(Kind::Matrix(matrix)) => Some(matrix.proof()),
            Some(Kind::Vector(vector)) => Some(vector.proof()),
            _ => None,
        });
        operands.chain(self.signature.output.as_ref().map(Tensor::proof)).collect()
    }

    /// The element type of the output; if it could not be read, something that compiles.
    pub(super) fn output_element(&self, names: Names) -> TokenStream {
        match &self.signature.output {
            Some(output) => output.element(names),
            None => element(Element::F32),
        }
    }
}
