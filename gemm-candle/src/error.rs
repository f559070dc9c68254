//! [`Error`]: why a tensor cannot be an operand.

use candle_core::DType;
use gemm_runtime::Axis;

use crate::quantized::QuantizedError;

/// Why a tensor cannot be an operand, or what a launch reported.
///
/// Inside [`candle_core::Error`], where [`Error::of`] finds it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum Error {
    /// The last dimension of a tensor is not contiguous, or its rows are not evenly spaced, or they
    /// overlap. Strides are in elements. The operand is `None` where only a layout is known.
    #[error(
        "{}a tensor of dimensions {dims:?} and strides {strides:?} is not stored row by row\n{}",
        prefix(.operand), help(.dims, .strides)
    )]
    NotRows { operand: Option<String>, dims: Vec<usize>, strides: Vec<usize> },

    /// A tensor has more than one row, where a vector is expected.
    #[error("{}expected a vector, got a tensor of dimensions {dims:?}", prefix(.operand))]
    NotVector { operand: Option<String>, dims: Vec<usize> },

    /// A tensor that is read as one vector has gaps between its elements, or another order.
    #[error(
        "{}a vector of dimensions {dims:?} and strides {strides:?} is not contiguous\n\
         help: call `contiguous()` on it",
        prefix(.operand)
    )]
    NotContiguous { operand: Option<String>, dims: Vec<usize>, strides: Vec<usize> },

    /// A tensor has another dtype than the function or another operand has.
    #[error("{operand}: expected {expected}, got {got:?}")]
    Dtype { operand: String, expected: String, got: DType },

    /// An operand of an operation is of another kind than its parameter, such as a scalar in the place of a tensor.
    #[error("{operand}: expected {expected}, got {got}")]
    Operand { operand: String, expected: String, got: String },

    /// An operand is scales of tiles, which no tensor is read as.
    #[error(
        "{operand}: an operation reads no scales of tiles (`Tiled`)\n\
         help: `QuantizedLinear` is a layer of such weights; write another operation by hand, of `quantized::Weights` and \
         the functions of `gemm_candle::cpu` and `gemm_candle::cuda`"
    )]
    Scales { operand: String },

    /// A scalar by value is of another type than its parameter.
    #[error("{operand}: expected a value of {expected}, got {got}{}", literal_help(.literal))]
    ScalarType { operand: String, expected: String, got: String, literal: Option<String> },

    /// An operation has another number of operands than its function, whose operands are named in their order.
    #[error("{function} takes {expected} arguments, {operands}, got {got}")]
    OperandCount { function: String, expected: usize, operands: String, got: usize },

    /// An operation of one output was asked for of a function that has several.
    #[error("{function}: expected one output, got {got}\nhelp: call `apply_all`")]
    OutputCount { function: String, got: usize },

    /// A function in place is not an operation of this crate.
    #[error(
        "{function}: expected a function that returns its outputs, got one in place\nhelp: write an `InplaceOp` of the \
         functions of `gemm_candle::cpu` and `gemm_candle::cuda`"
    )]
    InPlace { function: String },

    /// A tensor has other leading dimensions than the one of `given_by`, which has the same index
    /// along its rows, or has leading dimensions where that index is of columns. Dimensions of 1 are
    /// left out.
    #[error(
        "{operand}: expected leading dimensions {expected:?} ({index} of {given_by}), got {got:?}, which \
         are flattened to {rows} rows\nhelp: give it the dimensions {:?}, such as by `reshape`",
        [&.expected[..], &[*.columns]].concat()
    )]
    LeadingDimensions {
        operand: String,
        axis: Axis,
        index: &'static str,
        expected: Vec<usize>,
        got: Vec<usize>,
        rows: usize,
        columns: usize,
        given_by: &'static str,
    },

    /// A vector along the rows of the matrix `given_by` has several dimensions, which are not the leading ones of
    /// that matrix. Dimensions of 1 are left out.
    #[error(
        "{operand}: expected the dimensions {expected:?} ({index} of {given_by}) or [{}], got {got:?}\n\
         help: give it those dimensions, such as by `reshape`",
        expected.iter().product::<usize>()
    )]
    VectorDimensions {
        operand: String,
        index: &'static str,
        expected: Vec<usize>,
        got: Vec<usize>,
        given_by: &'static str,
    },

    /// A tensor of a `Batched` has not one dimension for each of its indices.
    #[error(
        "{operand}: expected {expected} dimensions, one for each index of `{declared}`, got {got:?}"
    )]
    BatchRank { operand: String, expected: usize, declared: &'static str, got: Vec<usize> },

    /// Two tensors differ along a batch index.
    #[error("{operand}: expected {expected} along {index} (by {given_by}), got {got}")]
    BatchIndex { operand: String, index: String, expected: usize, got: usize, given_by: String },

    /// A parameter is a `Batched`, as which [`extents`](crate::extents()) reads no tensor.
    #[error("{operand}: a batch of matrices cannot be read from a tensor")]
    Batched { operand: String },

    /// Quantised weights are not read, or their layer does not run.
    #[error(transparent)]
    Quantized(#[from] QuantizedError),

    /// The arguments do not fit together, or the launch failed.
    #[error(transparent)]
    Gemm(#[from] gemm_runtime::Error),
}

impl Error {
    /// The error of this crate from which candle's was made, if there is one.
    pub fn of(error: &candle_core::Error) -> Option<&Error> {
        use candle_core::Error as E;
        match error {
            E::Cuda(source) => source.downcast_ref(),
            E::Context { inner, .. }
            | E::WithPath { inner, .. }
            | E::WithBacktrace { inner, .. } => Error::of(inner),
            _ => None,
        }
    }

    /// The error of a layout as that of an operand, such as `linear: bias`.
    pub(crate) fn of_operand(mut self, name: String) -> Error {
        if let Error::NotRows { operand, .. }
        | Error::NotVector { operand, .. }
        | Error::NotContiguous { operand, .. } = &mut self
        {
            operand.get_or_insert(name);
        }
        self
    }
}

impl From<Error> for candle_core::Error {
    /// By the only variant of candle's that keeps the type of what it wraps.
    fn from(error: Error) -> candle_core::Error {
        candle_core::Error::Cuda(Box::new(error)).bt()
    }
}

impl From<QuantizedError> for candle_core::Error {
    fn from(error: QuantizedError) -> candle_core::Error {
        Error::from(error).into()
    }
}

/// What comes before the message of an operand that is known.
fn prefix(operand: &Option<String>) -> String {
    operand.as_ref().map_or_else(String::new, |operand| format!("{operand}: "))
}

fn literal_help(literal: &Option<String>) -> String {
    literal.as_ref().map_or_else(String::new, |literal| format!("\nhelp: write `{literal}`"))
}

fn help(dims: &[usize], strides: &[usize]) -> &'static str {
    match (dims, strides) {
        ([.., rows, _], [.., 1, column]) if column >= rows => {
            "help: its last two dimensions are transposed: call `t()` on it and pass that to a \
             function that declares the operand with its indices swapped, or call `contiguous()`"
        }
        _ => "help: call `contiguous()` on it",
    }
}
