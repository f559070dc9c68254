//! Which tensors fit together: one rule for the CPU and for GPUs.

use candle_core::{Layout, Result, Shape};
use gemm_runtime::signature::Signature;
use gemm_runtime::{Axis, Parameter, ParameterKind};

use crate::batch;
use crate::error::Error;
use crate::output_shape;
use crate::rows::Rows;

/// M, N and K of a `#[gemm]` function with these tensors: one for each matrix and vector of its
/// [`SIGNATURE`](Signature), operands first, then the output of a function in place. Scalars have
/// none.
///
/// For an operation written by hand, before it calls `reference` or launches: `reference` takes
/// slices, whose lengths alone it can compare.
///
/// # Errors
/// [`Error::Gemm`] with the error of a launch if extents differ along an index,
/// [`Error::LeadingDimensions`] and [`Error::VectorDimensions`] if leading dimensions do,
/// [`Error::NotVector`] for a vector of several rows along an index of columns, [`Error::Batched`]
/// for a `Batched` parameter, and those of [`cpu::matrix`](crate::cpu::matrix) and
/// [`cpu::vector`](crate::cpu::vector).
pub fn extents(signature: &Signature, tensors: &[&Layout]) -> Result<gemm_runtime::Shape> {
    let batched = signature.parameters.iter().find(|parameter| parameter.batch.is_batched());
    if let Some(parameter) = batched {
        return Err(Error::Batched { operand: named(signature, &parameter.name) }.into());
    }
    Ok(bound(signature, tensors)?.0)
}

/// An output of a function.
pub(crate) struct Output {
    /// Rows and columns; a vector has one row.
    pub(crate) extents: [usize; 2],
    /// Its batch indices come first. Otherwise the leading dimensions of a matrix, and the dimensions of a vector
    /// along rows, are the leading ones of the operand that has these rows.
    pub(crate) shape: Shape,
}

/// What tensors are as operands of a function.
pub(crate) struct Extents {
    /// M, N and K.
    pub(crate) shape: gemm_runtime::Shape,
    /// The values of each batch index.
    pub(crate) batch: Vec<usize>,
    pub(crate) outputs: Vec<Output>,
}

/// The extents of a function with these tensors, and what each output is.
///
/// # Errors
/// Those of [`extents`], but for a batch [`Error::BatchRank`] and [`Error::BatchIndex`].
pub(crate) fn outputs(signature: &Signature, tensors: &[&Layout]) -> Result<Extents> {
    let (extents, bound) = bound(signature, tensors)?;
    let extent = |axis| extent_along(&extents, &bound, axis);
    let tensors: Vec<_> = bound.iter().map(|operand| (operand.number, operand.layout)).collect();
    let batch = batch::counts(signature, &tensors)?;
    let with_rows = |axis| bound.iter().find(|operand| operand.rows == Some(axis));
    let outputs = signature.parameters[signature.operands().len()..].iter();
    let outputs = outputs.map(|output| match axes(output) {
        Some((rows, columns)) if output.batch.is_batched() => {
            let [rows, columns] = [rows, Some(columns)].map(|axis| axis.map(extent));
            let dims: Vec<usize> = batch.iter().copied().chain(rows).chain(columns).collect();
            Output { extents: [rows.unwrap_or(1), columns.unwrap_or(1)], shape: dims.into() }
        }
        Some((Some(rows), columns)) => {
            let [m, n] = [rows, columns].map(extent);
            let of = |operand: &Bound<'_>| output_shape(operand.layout, n);
            Output { extents: [m, n], shape: with_rows(rows).map_or_else(|| (m, n).into(), of) }
        }
        Some((None, along)) => {
            let length = extent(along);
            let of = |operand: &Bound<'_>| match operand.layout.dims() {
                [leading @ .., _] => leading.into(),
                [] => Shape::from(length),
            };
            Output {
                extents: [1, length],
                shape: with_rows(along).map_or_else(|| length.into(), of),
            }
        }
        None => Output { extents: [1, 1], shape: ().into() },
    });
    let outputs = outputs.collect();
    Ok(Extents { shape: extents, batch, outputs })
}

/// M, N and K, and the rows, the columns and the shape of the first output.
///
/// # Errors
/// Those of [`extents`].
pub fn shapes(
    signature: &Signature,
    tensors: &[&Layout],
) -> Result<(gemm_runtime::Shape, [usize; 2], Shape)> {
    let Extents { shape, outputs, .. } = outputs(signature, tensors)?;
    let first = outputs.into_iter().next().map(|output| (output.extents, output.shape));
    let (extents, of_tensor) =
        first.unwrap_or_else(|| ([shape.m, shape.n], (shape.m, shape.n).into()));
    Ok((shape, extents, of_tensor))
}

/// A tensor with the indices of its parameter.
struct Bound<'a> {
    /// That of the parameter.
    number: usize,
    name: &'static str,
    /// How many of its first dimensions are batch indices.
    batch: usize,
    /// The index of the rows of a matrix.
    rows: Option<Axis>,
    columns: Axis,
    layout: &'a Layout,
}

impl Bound<'_> {
    /// The dimensions along the rows, or those of a vector, but those of 1, which do not change their order.
    fn leading(&self) -> Vec<usize> {
        let dims = match (self.rows, self.layout.dims()) {
            (Some(_), [leading @ .., _]) => leading,
            (_, dims) => dims,
        };
        dims.iter().skip(self.batch).copied().filter(|extent| *extent != 1).collect()
    }
}

fn bound<'a>(
    signature: &Signature,
    tensors: &[&'a Layout],
) -> std::result::Result<(gemm_runtime::Shape, Vec<Bound<'a>>), Error> {
    let (mut left, mut bound, mut arguments) = (tensors.iter(), Vec::new(), Vec::new());
    for (number, parameter) in signature.parameters.iter().enumerate() {
        let Some((rows, columns)) = axes(parameter) else {
            arguments.push([1, 1]);
            continue;
        };
        // The tensors end before an output that is returned.
        let Some(layout) = left.next() else { break };
        let place = |rows: Rows| [rows.rows, rows.columns];
        let batch = batch::rank(parameter);
        let read = || match rows {
            Some(_) => Rows::of(layout),
            None if is_of_rows_alone(signature, columns) => Rows::flat(layout),
            None => Rows::vector(layout),
        };
        let named = |error: Error| error.of_operand(named(signature, &parameter.name));
        arguments.push(match batch {
            0 => place(read().map_err(named)?),
            _ => batch::matrix(signature, number, layout)?,
        });
        bound.push(Bound { number, name: &parameter.name, batch, rows, columns, layout });
    }
    // More tensors than parameters: too many arguments.
    arguments.extend(left.map(|_| [1, 1]));
    let extents = signature.shape(&arguments)?;
    for axis in Axis::ALL.into_iter().chain(FURTHER_COLUMNS) {
        let extent = extent_along(&extents, &bound, axis);
        leading_dimensions_agree(signature, axis, extent, &bound)?;
    }
    Ok((extents, bound))
}

/// Compares the leading dimensions of all matrices whose rows run along an index, and the dimensions of
/// the vectors along it. An index that is also that of columns has one dimension there, so that nothing
/// can be flattened to it.
fn leading_dimensions_agree(
    signature: &Signature,
    axis: Axis,
    extent: usize,
    bound: &[Bound<'_>],
) -> std::result::Result<(), Error> {
    let one = || [extent].into_iter().filter(|extent| *extent != 1).collect::<Vec<_>>();
    let is_column = |operand: &&Bound<'_>| operand.rows.is_some() && operand.columns == axis;
    let mut expected = match bound.iter().find(is_column) {
        _ if is_column_of_output(signature, axis) => Some((one(), "the output")),
        Some(operand) => Some((one(), operand.name)),
        None => None,
    };
    for operand in bound.iter().filter(|operand| operand.rows == Some(axis)) {
        let got = operand.leading();
        let (expected, given_by) = expected.get_or_insert_with(|| (got.clone(), operand.name));
        if got != *expected {
            return Err(Error::LeadingDimensions {
                operand: named(signature, operand.name),
                axis,
                index: signature.index_name(axis),
                expected: expected.clone(),
                got,
                rows: extent,
                columns: operand.layout.dims().last().copied().unwrap_or(1),
                given_by,
            });
        }
    }
    expected.map_or(Ok(()), |expected| vectors_agree(signature, axis, expected, bound))
}

/// Compares the dimensions of the vectors along an index with the leading ones of a matrix of this name.
fn vectors_agree(
    signature: &Signature,
    axis: Axis,
    (expected, given_by): (Vec<usize>, &'static str),
    bound: &[Bound<'_>],
) -> std::result::Result<(), Error> {
    let is_vector = |of: &&Bound<'_>| of.rows.is_none() && of.columns == axis && of.batch == 0;
    for operand in bound.iter().filter(is_vector) {
        let got = operand.leading();
        // One dimension has the rows in their order.
        if got.len() > 1 && got != expected {
            let (operand, index) = (named(signature, operand.name), signature.index_name(axis));
            return Err(Error::VectorDimensions { operand, index, expected, got, given_by });
        }
    }
    Ok(())
}

/// The indices of the rows and columns of a matrix, or that of a vector.
fn axes(parameter: &Parameter) -> Option<(Option<Axis>, Axis)> {
    match parameter.kind {
        ParameterKind::Matrix { rows, columns, .. } => Some((Some(rows), columns)),
        ParameterKind::Vector { length, .. } => Some((None, length)),
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            None
        }
    }
}

/// Whether the rows of an operand run along an index, and no columns: its vectors may have leading dimensions.
fn is_of_rows_alone(signature: &Signature, axis: Axis) -> bool {
    let matrices = || signature.operands().iter().filter_map(axes);
    let is_rows = matrices().any(|(rows, _)| rows == Some(axis));
    let is_column = matrices().any(|(rows, columns)| rows.is_some() && columns == axis);
    is_rows && !is_column && !is_column_of_output(signature, axis)
}

/// Whether an output has this index along its columns.
fn is_column_of_output(signature: &Signature, axis: Axis) -> bool {
    let outputs = &signature.parameters[signature.operands().len()..];
    let is_column = |output: &Parameter| matches!(output.kind, ParameterKind::Matrix { columns, .. } if columns == axis);
    let has_matrix = outputs.iter().any(|of| matches!(of.kind, ParameterKind::Matrix { .. }));
    outputs.iter().any(is_column) || !has_matrix && axis == Axis::N
}

/// The columns of products in turn that have other ones than the first.
const FURTHER_COLUMNS: [Axis; 3] = [Axis::N1, Axis::N2, Axis::N3];

/// The extent along an index: of columns of a product in turn, those of an operand that has them.
fn extent_along(shape: &gemm_runtime::Shape, bound: &[Bound<'_>], axis: Axis) -> usize {
    if !FURTHER_COLUMNS.contains(&axis) {
        return shape.extent(axis);
    }
    let last = |of: &Bound<'_>| of.layout.dims().last().copied();
    let of = |of: &Bound<'_>| match of.rows {
        _ if of.columns == axis => last(of),
        Some(rows) if rows == axis => {
            let leading = of.layout.dims().iter().rev().skip(1);
            Some(leading.take(of.layout.dims().len() - 1 - of.batch).product())
        }
        _ => None,
    };
    bound.iter().find_map(of).unwrap_or(0)
}

/// An operand as messages name it.
fn named(signature: &Signature, operand: &str) -> String {
    format!("{}: {operand}", signature.function)
}
