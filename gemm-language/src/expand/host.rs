//! The body as Rust: type-checked at the user's tokens, run by `reference`.

use gemm_codegen::body::Coordinate;
use gemm_codegen::{Axis, Factor, Kernel, ParameterKind, Plan, Side};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::factors::multiplied;
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
        format!(
            " Matrices are dense, row by row as in the signature, and so is the result.{of_a_batch}"
        )
    }

    /// Proves that the functions which the body calls are the built-in ones, in a block of the function
    /// that launches: an import of a name that both this block and a scope around it have is ambiguous,
    /// unless both mean the same.
    pub(super) fn calls(&self) -> Option<TokenStream> {
        proof_of_calls(self.calls)
    }

    /// The elements of one matrix of the output, each a value of the body.
    pub(super) fn elements(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (shape, sums, m, n) = (own("shape"), own("sums"), own("m"), own("n"));
        let paired = self.paired(kernel);
        let named = |operand: usize| {
            let operands = paired.iter().filter(|(parameter, _)| !parameter.written);
            operands.clone().nth(operand).map(|(parameter, _)| parameter.ident())
        };
        let of_b = plan.problem().factors(Side::B);
        let multiplied = |of: &Factor| multiplied(plan, of, named);
        let (a, b) = (multiplied(plan.problem().factor(Side::A)), of_b.iter().map(multiplied));
        let output = order(plan);
        let old = own("old");
        let passed = paired.iter().map(|(parameter, p)| {
            let name = parameter.ident();
            match p.kind {
                _ if parameter.written => quote!(&mut #old),
                kind if kind.is_multiplied() => {
                    let product =
                        of_b.iter().position(|of| named(of.operand).as_ref() == Some(&name));
                    let product = product.unwrap_or_default();
                    quote!(::gemm_runtime::__private::Factor(#sums[#product]))
                }
                ParameterKind::Tiled { .. } => quote!(::gemm_runtime::__private::Scales),
                ParameterKind::DeviceScalar(_) => quote!(::gemm_runtime::Element::to_value(#name)),
                ParameterKind::Scalar(_) => quote!(#name),
                _ => quote!(#name.at(#m, #n)),
            }
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
            ::gemm_runtime::__private::reference(
                #shape, #a, &[#(#b),*], #output,
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
    pub(super) fn elements_of_a_batch(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (batch, number) = (own("batch"), own("number"));
        let paired = self.paired(kernel);
        let batched = paired.iter().filter(|(_, p)| p.batch.is_batched());
        let names = batched.map(|(parameter, _)| parameter.ident());
        let elements = self.elements(plan, kernel);
        quote! {
            ::gemm_runtime::__private::batched(#batch, |#number| {
                #(let #names = #names.at(#number);)*
                #elements
            })
        }
    }

    /// The user's tokens, untouched where no integer can overflow, over one element of the output: a multiplied operand is a
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
        let statements = match plan.has_integer_arithmetic() {
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

/// The slice of an operand as the matrices and vectors that it has.
fn binding(name: &Ident, parameter: &gemm_codegen::Parameter) -> TokenStream {
    let (shape, batch) = (own("shape"), own("batch"));
    let (text, kind) = (&parameter.name, parameter.kind);
    let host = match kind {
        ParameterKind::Matrix { .. } => quote!(::gemm_runtime::__private::HostMatrix),
        ParameterKind::Tiled { extents: [rows, columns], .. } => {
            let (axes, extents) = (axes(kind), [rows as usize, columns as usize]);
            let [rows, columns] = extents;
            return quote! {
                let #name = ::gemm_runtime::__private::HostTiles::new(
                    #text, #name, #axes, [#rows, #columns], #shape,
                )?;
            };
        }
        ParameterKind::Vector { .. } => quote!(::gemm_runtime::__private::HostVector),
        ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => return TokenStream::new(),
    };
    let axes = axes(kind);
    if !parameter.batch.is_batched() {
        return quote!(let #name = #host::new(#text, #name, #axes, #shape)?;);
    }
    let has = parameter.batch.0.iter();
    quote!(let #name = #host::batched(#text, #name, (#batch, &[#(#has),*]), #axes, #shape)?;)
}

/// An axis.
fn axis(axis: Axis) -> TokenStream {
    let axis = format_ident!("{axis:?}");
    quote!(::gemm_runtime::__private::codegen::Axis::#axis)
}

/// The axes of the rows and the columns of what a plan stores.
fn order(plan: &Plan) -> TokenStream {
    let [rows, columns] = plan.problem().order().map(axis);
    quote!([#rows, #columns])
}

/// The axes of an operand: one for a vector, an array of two for a matrix.
fn axes(kind: ParameterKind) -> TokenStream {
    match kind {
        ParameterKind::Matrix { rows, columns, .. }
        | ParameterKind::Tiled { rows, columns, .. } => {
            let (rows, columns) = (axis(rows), axis(columns));
            quote!([#rows, #columns])
        }
        ParameterKind::Vector { length, .. } => axis(length),
        ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => TokenStream::new(),
    }
}
