//! Tensors as batches: the values of each batch index.

use candle_core::Layout;
use gemm_runtime::signature::Signature;
use gemm_runtime::{Parameter, ParameterKind};

use crate::error::Error;

/// How many batch indices a parameter has.
pub(crate) fn rank(parameter: &Parameter) -> usize {
    parameter.batch.0.iter().filter(|has| **has).count()
}

/// Rows and columns of each matrix of a batch, the last dimensions of a tensor that has one for each index of its
/// parameter. A vector counts as one row.
///
/// # Errors
/// [`Error::BatchRank`] for another number of dimensions, [`Error::NotRows`].
pub(crate) fn matrix(
    signature: &Signature,
    number: usize,
    layout: &Layout,
) -> Result<[usize; 2], Error> {
    let parameter = &signature.parameters[number];
    let own = match parameter.kind {
        ParameterKind::Vector { .. } => 1,
        _ => 2,
    };
    let (dims, expected) = (layout.dims(), rank(parameter) + own);
    let operand = format!("{}: {}", signature.function, parameter.name);
    if dims.len() != expected {
        return Err(Error::BatchRank {
            operand,
            expected,
            declared: signature.declared[number].text,
            got: dims.to_vec(),
        });
    }
    // Those of the vectors along the last index, too: they are the rows of a matrix.
    let strides = layout.stride();
    let ([.., rows, columns], [.., row, column]) = (dims, strides) else {
        return Err(Error::NotVector { operand: Some(operand), dims: dims.to_vec() });
    };
    let (rows, columns, row, column) = (*rows, *columns, *row, *column);
    let is_read = (columns <= 1 || column == 1) && (rows <= 1 || row >= columns);
    if !is_read && layout.shape().elem_count() > 0 {
        let (dims, strides) = (dims.to_vec(), strides.to_vec());
        return Err(Error::NotRows { operand: Some(operand), dims, strides });
    }
    Ok([if own == 2 { rows } else { 1 }, columns])
}

/// The values of each batch index of the output, of the tensors with the numbers of their parameters.
///
/// # Errors
/// [`Error::BatchIndex`] if two tensors differ along an index.
pub(crate) fn counts(
    signature: &Signature,
    tensors: &[(usize, &Layout)],
) -> Result<Vec<usize>, Error> {
    let indices = signature.parameters.iter().map(|parameter| parameter.batch.0.len()).max();
    let mut known: Vec<Option<(usize, &str)>> = vec![None; indices.unwrap_or(0)];
    for (number, layout) in tensors {
        let parameter = &signature.parameters[*number];
        let has = parameter.batch.0.iter().enumerate().filter(|(_, has)| **has);
        for (place, (index, _)) in has.enumerate() {
            let got = layout.dims().get(place).copied().unwrap_or(1);
            let (expected, given_by) = *known[index].get_or_insert((got, parameter.name.as_ref()));
            if got != expected {
                return Err(Error::BatchIndex {
                    operand: format!("{}: {}", signature.function, parameter.name),
                    index: name(signature.declared[*number].text, place),
                    expected,
                    got,
                    given_by: given_by.to_owned(),
                });
            }
        }
    }
    // Each index of an output is one of an operand.
    Ok(known.into_iter().map(|known| known.map_or(1, |(count, _)| count)).collect())
}

/// The name of a batch index, of those that a type such as `Batched<f16, (B, H), M, K>` has.
fn name(declared: &str, place: usize) -> String {
    let indices = declared.split_once(", ").map_or("", |(_, indices)| indices);
    let indices = match indices.strip_prefix('(').and_then(|of| of.split_once(')')) {
        Some((several, _)) => several,
        None => indices.split(',').next().unwrap_or_default(),
    };
    indices.split(", ").nth(place).unwrap_or("a batch index").to_owned()
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn indices_are_named_as_they_are_written() {
        assert_eq!(name("Batched<f16, B, M, K>", 0), "B");
        assert_eq!(name("gemm_runtime::Batched<T, (B, H), M, K>", 1), "H");
        assert_eq!(name("Batched<f16, (B, H), N>", 0), "B");
    }
}
