//! The type parameters of a function, and the element types that the attribute lists for each.

use gemm_codegen::Element;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{GenericParam, Ident, Type};

use super::Signature;
use super::tensor::{ElementType, element, no_element};
use super::types::ungroup;
use crate::errors::Errors;

/// A type parameter.
#[derive(Clone, Debug)]
pub(crate) struct TypeParameter {
    pub(crate) name: Ident,
    /// The types for which there are kernels; none if the list is missing or wrong.
    pub(crate) elements: Vec<Listed>,
    /// Whether the attribute has a list for it.
    pub(crate) is_listed: bool,
}

/// An element type in a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) element: Element,
    /// The type as the user wrote it.
    pub(crate) ty: TokenStream,
}

impl Listed {
    /// The element type that these tokens are, or an error.
    pub(crate) fn new(
        tokens: &impl ToTokens,
        ty: Option<&Type>,
        errors: &mut Errors,
    ) -> Option<Listed> {
        let ty = ty.map(ungroup);
        let element = ty.and_then(element);
        if element.is_none() {
            no_element(tokens, ty, errors);
        }
        element.map(|element| Listed { element, ty: ty.to_token_stream() })
    }
}

/// The names of the type parameters that a signature declares.
pub(crate) fn declared(signature: &syn::Signature) -> Vec<Ident> {
    let names = signature.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.clone()),
        _ => None,
    });
    names.collect()
}

/// Reports type parameters that no tensor has, or that the attribute does not list.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    let used: Vec<ElementType> = signature.element_types().collect();
    for (number, TypeParameter { name, is_listed, .. }) in
        signature.type_parameters.iter().enumerate()
    {
        if !used.contains(&ElementType::Parameter(number)) {
            errors.push(
                name,
                format!("`{name}` is not the type of elements of an operand or output"),
                "remove it: indices such as `M`, `N` and `K` need no declaration",
            );
        } else if !is_listed {
            let name = name.unraw();
            errors.push(
                &name,
                format!("`{name}` has no list of element types"),
                format!("write for example `#[gemm({name} = [f16, bf16, f32])]`"),
            );
        }
    }
}
