//! What a `reference` multiplies: the products, and the term that is added to the first one.

use gemm_codegen::{Axis, Factor, Kernel, PerSide, Plan, Side};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::factors::multiplied;
use super::{Item, own};

/// The number of the sum of the product whose second factor it is; the sum of a term follows those of the products.
pub(super) fn number_of_sum(plan: &Plan, is_named: impl Fn(usize) -> bool) -> usize {
    let problem = plan.problem();
    let of_term = problem.added().map(|added| &added.factors.b);
    let mut second = problem.factors(Side::B).iter().chain(of_term);
    second.position(|of| is_named(of.operand)).unwrap_or_default()
}

impl Item<'_> {
    /// The products, whose operands have these names.
    pub(super) fn products(
        &self,
        plan: &Plan,
        named: impl Fn(usize) -> Option<Ident> + Copy,
    ) -> TokenStream {
        let problem = plan.problem();
        let multiplied = |of: &Factor| multiplied(plan, of, named);
        let (a, b) = (multiplied(problem.factor(Side::A)), problem.factors(Side::B));
        let b = b.iter().map(multiplied);
        let term = match problem.added() {
            None => quote!(::core::option::Option::None),
            Some(added) => {
                let PerSide { a, b } = added.factors.map(|of| multiplied(&of));
                let shape = own(if added.along == Axis::R { "term" } else { "shape" });
                quote!(::core::option::Option::Some(::gemm_runtime::__private::HostTerm {
                    a: #a, b: #b, shape: #shape,
                }))
            }
        };
        quote!(::gemm_runtime::__private::HostProducts { a: #a, b: &[#(#b),*], term: #term })
    }

    /// The shape of a term that is summed over an index of its own, from the lengths of its factors.
    pub(super) fn shape_of_term(&self, plan: &Plan, kernel: &Kernel) -> Option<TokenStream> {
        let added = plan.problem().added().filter(|added| added.along == Axis::R)?;
        let (shape, term, batch) = (own("shape"), own("term"), own("batch"));
        let operands: Vec<_> =
            self.paired(kernel).into_iter().filter(|(parameter, _)| !parameter.written).collect();
        let lengths = Side::BOTH.map(|side| {
            let (parameter, p) = operands.get(added.factors.get(side).operand)?;
            let (name, has) = (parameter.ident(), p.batch.0.iter());
            Some(match p.batch.is_batched() {
                true => {
                    quote!((#name.len(), ::gemm_runtime::__private::parts(#batch, &[#(#has),*])))
                }
                false => quote!((#name.len(), 1)),
            })
        });
        let [a, b] = lengths;
        let (a, b) = (a?, b?);
        Some(quote! {
            let #term = ::gemm_runtime::__private::shape_of_term(#shape, [#a, #b]);
        })
    }
}
