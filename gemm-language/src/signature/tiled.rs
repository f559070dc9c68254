//! `Tiled<T, I, J, 1, 128>`: the scales of a factor.

use syn::{Expr, ExprLit, GenericArgument, Lit, Type};

use super::Reader;
use super::parameter::Kind;
use super::tensor::{TensorFields, arguments, of_arguments};
use super::types::text;
use crate::errors::Errors;
use crate::spans::TokenRange;

/// Reads `Tiled<T, I, J, 1, 128>`, whose name was checked.
pub(super) fn tiled(ty: &Type, at: &TensorFields, reader: &mut Reader<'_>) -> Option<Kind> {
    let arguments = arguments(ty);
    if arguments.len() != 5 {
        let message =
            format!("`Tiled<T, I, J, 1, 128>` takes 5 parameters, got {}", arguments.len());
        let help = "give an element type, the two indices of a factor, then the rows and columns of a tile";
        reader.errors.push(ty, message, help);
        return None;
    }
    let (of_tensor, extents) = arguments.split_at(3);
    for (place, extent) in extents.iter().enumerate() {
        reader.spans.set((at.index)(at.number, 2 + place), TokenRange::of(extent));
    }
    let tensor = of_arguments(ty, of_tensor, at, reader);
    // Collected first, so that each wrong extent is reported.
    let extents: Vec<_> = extents.iter().map(|argument| extent(argument, reader.errors)).collect();
    let extents: Option<Vec<u32>> = extents.into_iter().collect();
    Some(Kind::Tiled(tensor?, extents?.try_into().ok()?))
}

/// Rows or columns of a tile.
fn extent(argument: &GenericArgument, errors: &mut Errors) -> Option<u32> {
    if let GenericArgument::Const(Expr::Lit(ExprLit { lit: Lit::Int(literal), .. })) = argument
        && let Ok(extent @ 1..=65535) = literal.base10_parse::<u32>()
    {
        return Some(extent);
    }
    let message = format!("`{}` is not an extent of a tile", text(argument));
    errors.push(argument, message, "write a number from 1 to 65535, such as 128");
    None
}
