//! What `reference` returns: the values of a body, or what they are reduced to.

use gemm_codegen::body::Reduction;
use gemm_codegen::{Axis, Kernel, Plan, Segment};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::bound::axis;
use super::{Item, in_turn, own};

impl Item<'_> {
    /// What `reference` returns.
    pub(super) fn value(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let elements = |segment: Option<&Segment>| match self.batch_indices() {
            0 => self.elements(plan, kernel, segment),
            _ => self.elements_of_a_batch(plan, kernel, segment),
        };
        if !plan.segments().is_empty() {
            return in_turn::values(plan, |segment| elements(Some(segment)));
        }
        let elements = elements(None);
        let reductions = plan.reductions();
        let values = (0..kernel.outputs).map(|number| own(&format!("values{number}")));
        let all = (0..kernel.outputs).map(|number| self.of_output(plan, kernel, number));
        // The values of one element are a tuple, where there are several outputs.
        match (kernel.outputs, reductions.iter().any(Option::is_some)) {
            (1, false) => elements,
            (1, true) => {
                let values = own("values0");
                quote!({
                    let #values = #elements?;
                    let #values = #(#all)*;
                    ::core::result::Result::Ok(#values)
                })
            }
            (_, false) => quote! {
                ::core::result::Result::Ok(::core::iter::Iterator::collect(
                    ::core::iter::IntoIterator::into_iter(#elements?)
                ))
            },
            (_, true) => {
                let kinds = (0..kernel.outputs).map(|_| quote!(::std::vec::Vec<_>));
                quote!({
                    let (#(#values),*): (#(#kinds),*) = ::core::iter::Iterator::collect(
                        ::core::iter::IntoIterator::into_iter(#elements?)
                    );
                    ::core::result::Result::Ok((#(#all),*))
                })
            }
        }
    }

    /// Those of the output of a number, of all matrices.
    fn of_output(&self, plan: &Plan, kernel: &Kernel, number: usize) -> TokenStream {
        let values = own(&format!("values{number}"));
        let along = plan.problem().stores()[number].reduced_along();
        match (plan.reductions()[number], along) {
            (Some(by), Some(along)) => {
                let over = over(kernel, number, along);
                self.reduced(plan, &values, (by, along), &over)
            }
            _ => quote!(#values),
        }
    }

    /// What all elements, which `values` names, are reduced to along an axis: `over` the other one.
    fn reduced(
        &self,
        plan: &Plan,
        values: &Ident,
        (by, along): (Reduction, Axis),
        over: &TokenStream,
    ) -> TokenStream {
        let (shape, batch) = (own("shape"), own("batch"));
        let by = format_ident!("{by:?}");
        let [rows, columns] = plan.problem().order();
        let of_rows = rows == along;
        let extents = [rows, columns].map(|axis| own(&axis.letter().to_lowercase()));
        let extents = extents.iter().map(|axis| quote!(#shape.#axis));
        let matrices = match self.batch_indices() {
            0 => quote!(1),
            _ => quote!(::gemm_runtime::__private::matrices(#batch)),
        };
        quote! {
            ::gemm_runtime::__private::reduced(
                &#values, ::gemm_runtime::__private::codegen::Reduction::#by, #of_rows,
                (#matrices, [#(#extents),*]), #over,
            )?
        }
    }
}

/// The name of an output of this number, which lies along an axis, with the axis over which it is reduced and that one's
/// name.
fn over(kernel: &Kernel, number: usize, along: Axis) -> TokenStream {
    let first = kernel.parameters.len() - kernel.outputs;
    let output = &kernel.parameters[first + number].name;
    let over = if along == Axis::M { Axis::N } else { Axis::M };
    let (index, over) = (kernel.index_name(over), axis(over));
    quote!((#output, #over, #index))
}
