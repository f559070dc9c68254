//! Types of operands and outputs as a signature has them.

use crate::element::Element;

/// `Mat<element, I, J>` or `Vector<element, I>`, or `Batched<element, B, ..>` of what has batch indices.
pub(crate) fn tensor(element: Element, batch: &[String], indices: &[String]) -> String {
    let listed = indices.join(", ");
    match (batch, indices) {
        ([], [_]) => format!("Vector<{element}, {listed}>"),
        ([], _) => format!("Mat<{element}, {listed}>"),
        _ => format!("Batched<{element}, {}, {listed}>", batch_indices(batch)),
    }
}

/// `Tiled<element, I, J, rows, columns>`.
pub(crate) fn tiled(element: Element, indices: &[String; 2], extents: [u32; 2]) -> String {
    let ([i, j], [rows, columns]) = (indices, extents);
    format!("Tiled<{element}, {i}, {j}, {rows}, {columns}>")
}

/// Batch indices: `B` or `(B, H)`.
pub(crate) fn batch_indices(indices: &[String]) -> String {
    match indices {
        [index] => index.clone(),
        several => format!("({})", several.join(", ")),
    }
}
