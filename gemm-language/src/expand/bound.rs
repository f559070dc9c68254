//! The operands of `reference` as matrices and vectors of their axes.

use gemm_codegen::{Axis, ParameterKind, Plan};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::in_turn::{own_columns, shape_of_columns};
use super::own;

/// The slice of an operand as the matrices and vectors that it has.
pub(super) fn binding(name: &Ident, parameter: &gemm_codegen::Parameter) -> TokenStream {
    let (shape, batch) = (own("shape"), own("batch"));
    let (text, kind) = (&parameter.name, parameter.kind);
    let host = match kind {
        ParameterKind::Matrix { .. } => quote!(::gemm_runtime::__private::HostMatrix),
        ParameterKind::Tiled { extents: [rows, columns], .. } => {
            let (axes, extents) = (axes(kind), [rows as usize, columns as usize]);
            let shape = own_columns(kind).map_or(shape, shape_of_columns);
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
    let shape = match own_columns(kind) {
        _ if kind.summed_over() == Some(Axis::R) => own("term"),
        Some(columns) => shape_of_columns(columns),
        None => shape,
    };
    let axes = axes(kind);
    if !parameter.batch.is_batched() {
        return quote!(let #name = #host::new(#text, #name, #axes, #shape)?;);
    }
    let has = parameter.batch.0.iter();
    quote!(let #name = #host::batched(#text, #name, (#batch, &[#(#has),*]), #axes, #shape)?;)
}

/// An axis; what a term sums over is the K of its own shape, and the columns of a product in turn the N of its own.
pub(super) fn axis(axis: Axis) -> TokenStream {
    let axis = match axis {
        Axis::R => Axis::K,
        Axis::N1 | Axis::N2 | Axis::N3 => Axis::N,
        axis => axis,
    };
    let axis = format_ident!("{axis:?}");
    quote!(::gemm_runtime::__private::codegen::Axis::#axis)
}

/// The axes of the rows and the columns of what a plan stores.
pub(super) fn order(plan: &Plan) -> TokenStream {
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
