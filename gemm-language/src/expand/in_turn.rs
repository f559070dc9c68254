//! What `reference` computes of several products whose columns differ: the output of each by itself.

use gemm_codegen::{Axis, Kernel, ParameterKind, Plan, Segment, Side};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Index;

use super::factors::multiplied;
use super::{Item, own};

/// The values of all outputs, from the elements of each product: these are tuples of a value for each output, and one of
/// them is the product's.
pub(super) fn values(plan: &Plan, elements: impl Fn(&Segment) -> TokenStream) -> TokenStream {
    let value = own("value");
    let outputs = plan.segments().iter().enumerate().map(|(number, segment)| {
        let (elements, number) = (elements(segment), Index::from(number));
        quote! {
            ::core::iter::Iterator::collect(::core::iter::Iterator::map(
                ::core::iter::IntoIterator::into_iter(#elements?),
                |#value| #value.#number,
            ))
        }
    });
    quote!(::core::result::Result::Ok((#(#outputs),*)))
}

/// The product of a segment, whose operands have these names.
pub(super) fn product_in_turn(
    plan: &Plan,
    segment: &Segment,
    named: impl Fn(usize) -> Option<Ident> + Copy,
) -> TokenStream {
    let factor = |side: Side| {
        let of = segment.problem().factor(side);
        multiplied(plan, of, |operand| named(segment.operands()[operand]))
    };
    let [a, b] = Side::BOTH.map(factor);
    quote!(::gemm_runtime::__private::HostProducts {
        a: #a, b: &[#b], term: ::core::option::Option::None,
    })
}

/// The columns of an operand, if these are others than N.
pub(super) fn own_columns(kind: ParameterKind) -> Option<Axis> {
    let axes = match kind {
        ParameterKind::Matrix { rows, columns, .. }
        | ParameterKind::Tiled { rows, columns, .. } => [rows, columns],
        ParameterKind::Vector { length, .. } => [length; 2],
        ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => return None,
    };
    axes.into_iter().find(|axis| Axis::COLUMNS[1..].contains(axis))
}

/// Whether an operand has the columns of other products.
pub(super) fn is_of_others(kind: ParameterKind, segment: &Segment) -> bool {
    let axes = match kind {
        ParameterKind::Matrix { rows, columns, .. } => [rows, columns],
        ParameterKind::Vector { length, .. } => [length; 2],
        _ => return false,
    };
    let is_other = |axis: &Axis| Axis::COLUMNS.contains(axis) && *axis != segment.columns();
    axes.iter().any(is_other)
}

/// The name of the shape of a product with these columns.
pub(super) fn shape_of_columns(columns: Axis) -> Ident {
    match columns {
        Axis::N => own("shape"),
        other => own(&format!("shape_{}", other.letter().to_lowercase())),
    }
}

impl Item<'_> {
    /// The shapes of products with other columns than N, from the lengths of the operands that have these.
    pub(super) fn shapes_of_columns(&self, plan: &Plan, kernel: &Kernel) -> TokenStream {
        let (shape, mut known) = (own("shape"), Vec::new());
        let shapes = plan.segments().iter().filter_map(|segment| {
            let columns = segment.columns();
            if columns == Axis::N || known.contains(&columns) {
                return None;
            }
            known.push(columns);
            let (own, lengths) = (shape_of_columns(columns), self.lengths(segment, kernel));
            Some(quote! {
                let #own = ::gemm_runtime::Shape {
                    n: ::gemm_runtime::__private::columns(&[#(#lengths),*]), ..#shape
                };
            })
        });
        shapes.collect()
    }

    /// The lengths of the operands that have the columns of a product, its second factor first; how many matrices or vectors
    /// each has, and how many elements for each column.
    fn lengths(&self, segment: &Segment, kernel: &Kernel) -> Vec<TokenStream> {
        let (shape, batch) = (own("shape"), own("batch"));
        let operands = self.paired(kernel).into_iter().filter(|(parameter, _)| !parameter.written);
        let operands: Vec<_> = operands.collect();
        let factor = segment.problem().factor(Side::B).operand;
        let slots = [factor].into_iter().chain(0..segment.operands().len());
        let length = |slot: usize| {
            let (parameter, p) = operands.get(segment.operands()[slot])?;
            let each = match (p.kind, segment.problem().operands()[slot]) {
                (_, ParameterKind::Vector { length: Axis::N, .. }) => quote!(1),
                (ParameterKind::Matrix { element, .. }, _) if element.is_several() => return None,
                (_, ParameterKind::Matrix { rows: Axis::N, columns: other, .. })
                | (_, ParameterKind::Matrix { rows: other, columns: Axis::N, .. }) => {
                    let other = own(&other.letter().to_lowercase());
                    quote!(#shape.#other)
                }
                _ => return None,
            };
            let (name, has) = (parameter.ident(), p.batch.0.iter());
            let matrices = match p.batch.is_batched() {
                true => quote!(::gemm_runtime::__private::parts(#batch, &[#(#has),*])),
                false => quote!(1),
            };
            Some(quote!((#name.len(), #matrices, #each)))
        };
        slots.filter_map(length).collect()
    }
}
