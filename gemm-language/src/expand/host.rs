//! The body as Rust: type-checked at the user's tokens, run by `reference`.

use gemm_codegen::body::Coordinate;
use gemm_codegen::{Kernel, ParameterKind, Plan, Segment};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::bound::{binding, order};
use super::in_turn::{is_of_others, product_in_turn, shape_of_columns};
use super::products::number_of_sum;
use super::types;
use super::wrapping::wrapping;
use super::{Item, own};
use crate::signature::Parameter;

impl Item<'_> {
    /// `reference`, and the function that holds the body.
    pub(super) fn host(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (shape, batch) = (own("shape"), own("batch"));
        let paired = self.paired(kernel);
        let names = paired.iter().map(|(parameter, _)| parameter.ident());
        let host_types = paired.iter().map(|(parameter, _)| parameter.host_type(self.names));
        let bindings = paired.iter().map(|(parameter, p)| binding(&parameter.ident(), p));
        let term = self.shape_of_term(plan, kernel);
        let columns = self.shapes_of_columns(plan, kernel);
        let (body, result) = (self.body(plan, kernel), self.referenced(plan.results()));
        let extent = self.batch_type().map(|ty| quote!(#batch: #ty,));
        let (mark, function) = (self.mark(), &kernel.name);
        let (dense, value) = (self.order_of_elements(), self.value(plan, kernel));
        quote! {
            /// The same GEMM on the host: floats are summed in `f64`, the body is computed in its
            /// own types, and the result is not rounded to the elements of the output.
            ///
            #[doc = #dense]
            ///
            /// # Errors
            ///
            /// An operand has another number of elements than `shape` asks for.
            pub fn reference(
                #extent
                #shape: ::gemm_runtime::Shape,
                #(#names: #host_types),*
            ) -> ::core::result::Result<#result, ::gemm_runtime::Error> {
                #mark;
                ::gemm_runtime::__private::of_function(#function, || {
                    #term
                    #columns
                    #(#bindings)*
                    #value
                })
            }

            #body
        }
    }

    /// Which elements `reference` takes and returns, in words.
    fn order_of_elements(&self) -> String {
        let of_a_batch = match self.batch_indices() {
            0 => "",
            _ => {
                " Those of a batch follow each other, those of the innermost index first; `batch` has \
                 the values of each index."
            }
        };
        let in_place = match self.signature.written().is_some() {
            false => "",
            true => {
                " Of what the function writes it takes the old elements, and returns the new ones."
            }
        };
        format!(
            " Matrices are dense, row by row as in the signature, and so is the result.{of_a_batch}{in_place}"
        )
    }

    /// Proves that the functions which the body calls are the built-in ones, in a block of the function
    /// that launches: an import of a name that both this block and a scope around it have is ambiguous,
    /// unless both mean the same.
    pub(super) fn calls(&self) -> Option<TokenStream> {
        proof_of_calls(self.calls)
    }

    /// The elements of one matrix of the output, each a value of the body.
    pub(super) fn elements(
        &self,
        plan: &Plan,
        kernel: &Kernel,
        segment: Option<&Segment>,
    ) -> TokenStream {
        let (sums, m, n) = (own("sums"), own("m"), own("n"));
        let shape = segment.map_or(own("shape"), |of| shape_of_columns(of.columns()));
        let paired = self.paired(kernel);
        let named = |operand: usize| {
            let operands = paired.iter().filter(|(parameter, _)| !parameter.written);
            operands.clone().nth(operand).map(|(parameter, _)| parameter.ident())
        };
        let products = match segment {
            None => self.products(plan, named),
            Some(segment) => product_in_turn(plan, segment, named),
        };
        let output = order(plan);
        let old = own("old");
        let passed = paired.iter().map(|(parameter, p)| {
            let is_named = |operand| named(operand) == Some(parameter.ident());
            let sum = segment.map_or_else(|| number_of_sum(plan, is_named), |_| 0);
            passed(parameter, p.kind, sum, segment)
        });
        let sum = types::scalar(plan.mma().accumulator.value());
        // By its path: an operand may be named `body`.
        let coordinates = self.coordinates(plan);
        let value = quote!(self::body(#(#passed,)* #(#coordinates),*));
        // In place, a body changes the old element and returns nothing.
        let value = match self.signature.written().map(Parameter::ident) {
            Some(name) => quote!({ let mut #old = #name.at(#m, #n); #value; #old }),
            None => value,
        };
        quote! {
            ::gemm_runtime::__private::reference_of(
                #shape, #products, #output,
                |#sums: &[#sum], #m, #n| #value,
            )
        }
    }

    /// The functions of the coordinates that the body calls, for the element (m, n) of the matrix of a number.
    fn coordinates(&self, plan: &Plan) -> Vec<TokenStream> {
        let [m, n, number] = ["m", "n", "number"].map(own);
        let [row, column] = if plan.problem().n_contiguous() { [m, n] } else { [n, m] };
        let index = |name: &Ident| match Coordinate::from_name(&name.unraw().to_string()) {
            Some(Coordinate::Column) => &column,
            Some(Coordinate::Batch) => &number,
            _ => &row,
        };
        let indices = self.coordinates.iter().map(index);
        indices.map(|index| quote!(|| ::gemm_runtime::__private::coordinate(#index))).collect()
    }

    /// The elements of all matrices of the output: each is made of the operands' of its number,
    /// which have the names of their batches.
    pub(super) fn elements_of_a_batch(
        &self,
        plan: &Plan,
        kernel: &Kernel,
        segment: Option<&Segment>,
    ) -> TokenStream {
        let (batch, number) = (own("batch"), own("number"));
        let paired = self.paired(kernel);
        let is_read = |number: usize| segment.is_none_or(|of| of.operands().contains(&number));
        let batched = paired.iter().enumerate().filter(|(_, (_, p))| p.batch.is_batched());
        let names = batched.filter(|(number, _)| is_read(*number));
        let names = names.map(|(_, (parameter, _))| parameter.ident());
        let elements = self.elements(plan, kernel, segment);
        quote! {
            ::gemm_runtime::__private::batched(#batch, |#number| {
                #(let #names = #names.at(#number);)*
                #elements
            })
        }
    }

    /// The user's tokens, untouched where nothing can panic, over one element of the output: a multiplied operand is a
    /// value that only `matmul` takes, every other one its element.
    fn body(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let sum = types::scalar(plan.mma().accumulator.value());
        let results = plan.results().map(types::scalar).zip(plan.reductions());
        let result = types::one_or_tuple(results.map(|(ty, by)| match by {
            None => ty,
            Some(_) => quote!(::gemm_runtime::__private::Reduced<#ty>),
        }));
        let (attributes, own) = (self.body_attributes(), self.own_imports());
        let parameters = self.paired(kernel).into_iter().map(|(parameter, p)| {
            let name = parameter.ident();
            let ty = match p.kind {
                _ if parameter.written => quote!(&mut #result),
                kind if kind.is_multiplied() => {
                    quote!(::gemm_runtime::__private::Factor<#sum>)
                }
                ParameterKind::Tiled { .. } => quote!(::gemm_runtime::__private::Scales),
                kind => types::scalar(kind.value()),
            };
            quote!(#name: #ty)
        });
        // Parameters, so that a `let` of the name hides one and no item of the user does.
        let coordinates = self.coordinates;
        // Without the braces, which rustc would find unnecessary on one line.
        let statements = match plan.may_panic() {
            true => wrapping(&self.function.block),
            false => self.function.block.stmts.clone(),
        };
        let returned = match self.signature.written() {
            Some(_) => TokenStream::new(),
            None => quote!(-> #result),
        };
        quote! {
            // Not inside the function, where it would hide an operand of the name of a function.
            #[allow(unused_imports, clippy::wildcard_imports)]
            use ::gemm_runtime::body::*;
            #(#attributes)*
            fn body(
                #(#parameters,)*
                #(#coordinates: impl ::core::ops::Fn() -> ::core::primitive::i32),*
            ) #returned {
                #own
                #(#statements)*
            }
        }
    }

    /// Each parameter with that of the kernel, whose last one is what is written in place.
    pub(super) fn paired<'k>(
        &self,
        kernel: &'k Kernel,
    ) -> Vec<(&Parameter, &'k gemm_codegen::Parameter)> {
        let (mut operands, output) = (kernel.parameters.iter(), kernel.parameters.last());
        let parameters = self.signature.parameters.iter();
        let of_kernel = parameters.map(|parameter| match parameter.written {
            true => Some((parameter, output?)),
            false => Some((parameter, operands.next()?)),
        });
        of_kernel.flatten().collect()
    }

    /// `reference` of a function without a kernel, with these generics and bounds.
    pub(super) fn no_host(
        &self,
        [generics, bounds]: [TokenStream; 2],
        result: &TokenStream,
    ) -> TokenStream {
        let types = self.signature.parameters.iter().map(|p| p.host_type(self.names));
        let batch = self.batch_type().map(|ty| quote!(_: #ty,));
        quote! {
            /// There is no kernel.
            pub fn reference #generics(
                #batch
                _: ::gemm_runtime::Shape,
                #(_: #types),*
            ) -> ::core::result::Result<#result, ::gemm_runtime::Error> #bounds {
                ::core::unreachable!()
            }
        }
    }
}

/// What the body takes for a parameter of this kind: that of a factor of the sum of this number.
fn passed(
    parameter: &Parameter,
    kind: ParameterKind,
    sum: usize,
    segment: Option<&Segment>,
) -> TokenStream {
    let ([sums, m, n, old], name) = (["sums", "m", "n", "old"].map(own), parameter.ident());
    match kind {
        _ if parameter.written => quote!(&mut #old),
        kind if kind.is_multiplied() => quote!(::gemm_runtime::__private::Factor(#sums[#sum])),
        ParameterKind::Tiled { .. } => quote!(::gemm_runtime::__private::Scales),
        // What only another product reads has other columns.
        kind if segment.is_some_and(|of| is_of_others(kind, of)) => {
            quote!(::core::default::Default::default())
        }
        ParameterKind::DeviceScalar(_) => quote!(::gemm_runtime::Element::to_value(#name)),
        ParameterKind::Scalar(_) => quote!(#name),
        _ => quote!(#name.at(#m, #n)),
    }
}

/// A block that compiles if these are the built-in functions.
pub(super) fn proof_of_calls(names: &[Ident]) -> Option<TokenStream> {
    (!names.is_empty()).then(|| {
        quote! {
            {
                #[allow(clippy::wildcard_imports)]
                use ::gemm_runtime::body::*;
                #(#[allow(unused_imports)] use #names as _;)*
            }
        }
    })
}
