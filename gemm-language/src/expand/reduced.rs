//! What `reference` returns: the values of a body, or what they are reduced to.

use gemm_codegen::body::Reduction;
use gemm_codegen::{Axis, Kernel, Plan, Segment, Store};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

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
        let reduced = |(number, (by, store)): (usize, (&Option<Reduction>, &Store))| {
            let values = own(&format!("values{number}"));
            match (by, store.reduced_along()) {
                (Some(by), Some(along)) => self.reduced(plan, &values, *by, along),
                _ => quote!(#values),
            }
        };
        let values = (0..kernel.outputs).map(|number| own(&format!("values{number}")));
        let all = reductions.iter().zip(plan.problem().stores()).enumerate().map(reduced);
        // The values of one element are a tuple, where there are several outputs.
        match (kernel.outputs, reductions.iter().any(Option::is_some)) {
            (1, false) => elements,
            (1, true) => quote!({
                let #(#values)* = #elements?;
                ::core::result::Result::Ok(#(#all)*)
            }),
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

    /// What the elements of all matrices, which `values` names, are reduced to.
    fn reduced(&self, plan: &Plan, values: &Ident, by: Reduction, along: Axis) -> TokenStream {
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
                (#matrices, [#(#extents),*]),
            )
        }
    }
}
