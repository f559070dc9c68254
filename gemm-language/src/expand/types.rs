//! Operands as types of the generated functions.

use std::collections::HashSet;

use gemm_codegen::{Element, ScalarType};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::output_form::OutputForm;
use super::{Item, borrow, own};
use crate::signature::{ElementType, Instance, Kind, Listed, OutputType, Parameter, Tensor};

/// The names that an item of the expansion has for the element types of the signature.
#[derive(Clone, Copy)]
pub(crate) enum Names<'a> {
    /// Those of one kernel.
    Of(&'a Instance),
    /// For each type parameter this name.
    Parameters(&'a [Ident]),
}

impl Names<'_> {
    /// The type of elements.
    pub(super) fn ty(self, ty: ElementType) -> TokenStream {
        match (self, ty) {
            (_, ElementType::Is(of)) => element(of),
            (Names::Of(instance), of) => element(instance.element(of)),
            (Names::Parameters(names), ElementType::Parameter(number)) => {
                let name = names.get(number);
                quote!(#name)
            }
        }
    }
}

/// The type of an element, by its full path.
pub(super) fn element(element: Element) -> TokenStream {
    let name = Ident::new(element.name(), Span::call_site());
    match element.is_primitive() {
        true => quote!(::core::primitive::#name),
        false => quote!(::gemm_runtime::#name),
    }
}

/// The type of a scalar, by its full path.
pub(super) fn scalar(scalar: ScalarType) -> TokenStream {
    match scalar {
        ScalarType::F32 => quote!(::core::primitive::f32),
        ScalarType::F64 => quote!(::core::primitive::f64),
        ScalarType::I32 => quote!(::core::primitive::i32),
        ScalarType::Bool => quote!(::core::primitive::bool),
    }
}

impl<const N: usize> Tensor<N> {
    /// The place of the name, in the scope of the macro.
    fn span(&self) -> Span {
        Span::mixed_site().located_at(self.path.span())
    }

    /// As [`proof`](Self::proof), of a `Tiled` with tiles of these extents.
    fn proof_of_tiles(&self, rows: u32, columns: u32) -> TokenStream {
        let Tensor { path, element_type, .. } = self;
        let (span, rows, columns) = (element_type.span(), rows as usize, columns as usize);
        let [element_type, element] = match self.element {
            ElementType::Is(of) => [quote!(#element_type), element(of)],
            ElementType::Parameter(_) => [quote!(()), quote!(())],
        };
        quote_spanned! {span=>
            #[allow(clippy::type_complexity)]
            const _: fn(
                #path<#element_type, (), (), #rows, #columns>
            ) -> ::gemm_runtime::Tiled<#element, (), (), #rows, #columns> = |operand| operand;
        }
    }

    /// A constant that compiles only if the user's `Mat` and `f16` are the runtime's. It also
    /// uses the imports of both.
    fn proof(&self) -> TokenStream {
        let Tensor { path, element_type, batch, .. } = self;
        let span = element_type.span();
        // Of a type parameter, only the tensor's own type is to be proved.
        let [element_type, element] = match self.element {
            ElementType::Is(of) => [quote!(#element_type), element(of)],
            ElementType::Parameter(_) => [quote!(()), quote!(())],
        };
        let units = vec![quote!(()); N + usize::from(!batch.is_empty())];
        let ours = match (batch.is_empty(), N) {
            (false, _) => "Batched",
            (true, 0) => "Scalar",
            (true, 1) => "Vector",
            (true, _) => "Mat",
        };
        let ours = Ident::new(ours, span);
        quote_spanned! {span=>
            #[allow(clippy::type_complexity)]
            const _: fn(
                #path<#element_type #(, #units)*>
            ) -> ::gemm_runtime::#ours<#element #(, #units)*> = |operand| operand;
        }
    }
}

impl Listed {
    /// A constant that compiles only if the user's `f16` is the runtime's.
    fn proof(&self) -> TokenStream {
        let (ty, ours) = (&self.ty, element(self.element));
        quote_spanned!(ty.span()=> const _: fn(#ty) -> #ours = |element| element;)
    }
}

impl Parameter {
    /// The name; one that could not be read gets one that nobody can use.
    pub(super) fn ident(&self) -> Ident {
        self.name.clone().unwrap_or_else(|| own("operand"))
    }

    /// The type of the argument of a launch, at the place of the user's type: rustc points there
    /// when a call passes something else.
    pub(super) fn argument_type(&self, names: Names<'_>) -> TokenStream {
        let a = borrow();
        match &self.kind {
            Some(Kind::Matrix(matrix) | Kind::Tiled(matrix, _)) => {
                let (span, element) = (matrix.span(), names.ty(matrix.element));
                let r#trait = self.argument_trait(span);
                quote_spanned!(span=> impl ::gemm_runtime::#r#trait<#a, #element>)
            }
            Some(Kind::Vector(vector)) => {
                let (span, element) = (vector.span(), names.ty(vector.element));
                let r#trait = self.argument_trait(span);
                quote_spanned!(span=> impl ::gemm_runtime::#r#trait<#a, #element>)
            }
            Some(Kind::DeviceScalar(scalar)) => {
                let (span, element) = (scalar.span(), names.ty(scalar.element));
                quote_spanned!(span=> impl ::gemm_runtime::AsScalar<#a, #element>)
            }
            Some(Kind::Scalar(kind)) => scalar(*kind),
            None => quote!(impl ::core::marker::Sized),
        }
    }

    /// The trait of what a launch takes for a matrix or vector. A batch of vectors is a matrix, or over
    /// several indices a batch of matrices.
    pub(super) fn argument_trait(&self, span: Span) -> Ident {
        let name = match (&self.kind, self.batch().len(), self.written) {
            (Some(Kind::Vector(_)), 0, _) => "AsVector",
            (Some(Kind::Vector(_)), 1, _) | (_, 0, false) => "AsMatrix",
            (_, 0, true) => "AsMatrixMut",
            (_, _, false) => "AsBatched",
            (_, _, true) => "AsBatchedMut",
        };
        Ident::new(name, span)
    }

    /// The type of the argument of `reference`: dense host memory, or a value.
    pub(super) fn host_type(&self, names: Names<'_>) -> TokenStream {
        match &self.kind {
            Some(Kind::Matrix(matrix) | Kind::Tiled(matrix, _)) => {
                let element = names.ty(matrix.element);
                quote!(&[#element])
            }
            Some(Kind::Vector(vector)) => {
                let element = names.ty(vector.element);
                quote!(&[#element])
            }
            Some(Kind::DeviceScalar(scalar)) => names.ty(scalar.element),
            Some(Kind::Scalar(kind)) => scalar(*kind),
            None => quote!(impl ::core::marker::Sized),
        }
    }
}

impl Item<'_> {
    /// The proof of each type of the signature; of what is written alike, of the first.
    pub(super) fn proofs(&self) -> TokenStream {
        let operands = self.signature.parameters.iter().filter_map(|p| match &p.kind {
            Some(Kind::Matrix(matrix)) => Some(matrix.proof()),
            Some(Kind::Tiled(tiled, [rows, columns])) => {
                Some(tiled.proof_of_tiles(*rows, *columns))
            }
            Some(Kind::Vector(vector)) => Some(vector.proof()),
            Some(Kind::DeviceScalar(scalar)) => Some(scalar.proof()),
            _ => None,
        });
        let returned =
            self.signature.returned.iter().flatten().map(|returned| match returned.ty() {
                OutputType::Matrix(tensor) => tensor.proof(),
                OutputType::Reduced(tensor) => tensor.proof(),
            });
        let listed = self.signature.type_parameters.iter().flat_map(|of| &of.elements);
        let all = operands.chain(returned).chain(listed.map(Listed::proof));
        let mut seen = HashSet::new();
        all.filter(|proof| seen.insert(proof.to_string())).collect()
    }

    /// The element type of each output; of one that could not be read, something that compiles.
    fn output_elements(&self) -> Vec<ElementType> {
        let unknown = ElementType::Is(Element::F32);
        let outputs = self.signature.outputs();
        outputs.iter().map(|output| output.map_or(unknown, OutputType::element)).collect()
    }

    /// How many batch indices the outputs have.
    pub(super) fn batch_indices(&self) -> usize {
        let outputs = self.signature.outputs();
        outputs.into_iter().flatten().map(|output| output.batch().len()).max().unwrap_or(0)
    }

    /// The type of the argument `batch` of `reference`: the number of matrices, or the values of each
    /// of several indices.
    pub(super) fn batch_type(&self) -> Option<TokenStream> {
        match self.batch_indices() {
            0 => None,
            1 => Some(quote!(::core::primitive::usize)),
            indices => Some(quote!([::core::primitive::usize; #indices])),
        }
    }

    /// How each output is allocated.
    pub(super) fn output_forms(&self) -> Vec<OutputForm> {
        let outputs = self.signature.outputs();
        outputs
            .into_iter()
            .map(|output| output.map_or(OutputForm::Matrix, OutputForm::of))
            .collect()
    }

    /// What the function returns on success: a matrix, a batch of them, a vector, a tuple of these, or nothing
    /// where a parameter is written.
    pub(super) fn returned(&self) -> TokenStream {
        if self.signature.written().is_some() {
            return quote!(());
        }
        let outputs = self.output_elements().into_iter().zip(self.output_forms());
        one_or_tuple(outputs.map(|(output, form)| {
            let (element, of) = (self.names.ty(output), form.owned());
            quote!(::gemm_runtime::#of<#element>)
        }))
    }

    /// What `reference` returns on success, where the values of the body have these types.
    pub(super) fn referenced(&self, results: impl Iterator<Item = ScalarType>) -> TokenStream {
        one_or_tuple(results.map(|result| {
            let result = scalar(result);
            quote!(::std::vec::Vec<#result>)
        }))
    }

    /// The types of a body's values where there is no plan to say them.
    pub(super) fn likely_results(&self) -> impl Iterator<Item = ScalarType> {
        self.output_elements().into_iter().map(|output| match (self.names, output) {
            (_, ElementType::Is(element)) => element.stored_from()[0],
            (Names::Of(instance), of) => instance.element(of).stored_from()[0],
            (Names::Parameters(_), _) => ScalarType::F32,
        })
    }

    /// The parameters of `into` and `prepare` that are written, with their names and the traits that they
    /// implement; a function in place has its own.
    pub(super) fn output_parameters(&self) -> Vec<(Ident, Ident, TokenStream)> {
        if self.signature.written().is_some() {
            return Vec::new();
        }
        let (a, forms) = (borrow(), self.output_forms());
        let elements = self.output_elements();
        let name = |number: usize| match elements.len() {
            1 => own("out"),
            _ => own(&format!("out{number}")),
        };
        let parameter = |(number, output): (usize, &ElementType)| {
            let (element, of) = (self.names.ty(*output), forms[number].argument());
            (name(number), of.clone(), quote!(impl ::gemm_runtime::#of<#a, #element>))
        };
        elements.iter().enumerate().map(parameter).collect()
    }
}

/// The one, or a tuple of several.
pub(super) fn one_or_tuple(types: impl Iterator<Item = TokenStream>) -> TokenStream {
    let types: Vec<TokenStream> = types.collect();
    match &types[..] {
        [one] => one.clone(),
        several => quote!((#(#several),*)),
    }
}
