//! The choice of a kernel by the dtypes of tensors.

use candle_core::DType;
use gemm_runtime::__private::codegen::ScalarType;
use gemm_runtime::erased::{Function, Instance};
use gemm_runtime::signature::Signature;
use gemm_runtime::{Parameter, ParameterKind};

use super::given::Given;
use crate::element::dtype_of;
use crate::error::Error;

/// The first kernel of the function whose elements are those of the tensors.
///
/// # Errors
/// Those of an operation, but for the extents of its tensors.
pub(super) fn choose<S>(
    function: &'static Function,
    given: &[Given<'_, S>],
    dtype: impl Fn(&S) -> DType,
) -> Result<&'static Instance, Error> {
    let signature = function.signature;
    check_signature(signature, given.len())?;
    let mut kernels: Vec<&'static Instance> = function.kernels.iter().collect();
    for (number, (parameter, given)) in signature.parameters.iter().zip(given).enumerate() {
        let named = || format!("{}: {}", signature.function, parameter.name);
        if let Some(expected) = expected_in_words(parameter, given) {
            return Err(other_operand(named(), parameter, expected, given, &dtype));
        }
        let Given::Tensor(storage, _) = given else { continue };
        let (got, listed) = (dtype(storage), kernels.clone());
        let of = |kernel: &Instance| kernel.element(signature, number).and_then(dtype_of);
        kernels.retain(|kernel| of(kernel) == Some(got));
        if kernels.is_empty() {
            let mut dtypes: Vec<DType> = listed.into_iter().filter_map(of).collect();
            dtypes.dedup();
            let names: Vec<_> = dtypes.iter().map(|dtype| format!("{dtype:?}")).collect();
            return Err(Error::Dtype { operand: named(), expected: list(&names, "or"), got });
        }
    }
    // There are none only of a function with an error, which does not compile.
    kernels.first().copied().ok_or(Error::InPlace { function: signature.function.to_owned() })
}

/// Proves that a function is an operation, of this number of operands.
fn check_signature(signature: &Signature, got: usize) -> Result<(), Error> {
    if signature.in_place {
        return Err(Error::InPlace { function: signature.function.to_owned() });
    }
    let is_scales = |of: &&Parameter| matches!(of.kind, ParameterKind::Tiled { .. });
    if let Some(scales) = signature.parameters.iter().find(is_scales) {
        let operand = format!("{}: {}", signature.function, scales.name);
        return Err(Error::Scales { operand });
    }
    let expected = signature.operands().len();
    if expected != got {
        let function = signature.function.to_owned();
        let names: Vec<_> = signature.operands().iter().map(|of| of.name.to_string()).collect();
        let operands = list(&names, "and");
        return Err(Error::OperandCount { function, expected, operands, got });
    }
    Ok(())
}

/// What a parameter is, if it is not what is given.
fn expected_in_words<S>(parameter: &Parameter, given: &Given<'_, S>) -> Option<String> {
    let words = match (parameter.kind, given) {
        // Refused with the signature.
        (ParameterKind::Tiled { .. }, _) => return None,
        (ParameterKind::Matrix { .. } | ParameterKind::Vector { .. }, Given::Tensor(..))
        | (ParameterKind::Scalar(ScalarType::F32), Given::F32(_))
        | (ParameterKind::Scalar(ScalarType::F64), Given::F64(_))
        | (ParameterKind::Scalar(ScalarType::I32), Given::I32(_)) => return None,
        (ParameterKind::DeviceScalar(_), Given::Tensor(_, layout))
            if layout.shape().elem_count() == 1 =>
        {
            return None;
        }
        (ParameterKind::Matrix { .. } | ParameterKind::Vector { .. }, _) => "a tensor",
        (ParameterKind::DeviceScalar(_), _) => "a tensor of one element",
        (ParameterKind::Scalar(scalar), _) => return Some(format!("a value of {}", name(scalar))),
    };
    Some(words.to_owned())
}

/// The error of an operand that is not what is expected: of a scalar by value, the literal to write.
fn other_operand<S>(
    operand: String,
    parameter: &Parameter,
    expected: String,
    given: &Given<'_, S>,
    dtype: impl Fn(&S) -> DType,
) -> Error {
    let got = given.words(dtype);
    match (parameter.kind, given) {
        (ParameterKind::Scalar(scalar), Given::F32(_) | Given::F64(_) | Given::I32(_)) => {
            let (expected, literal) = (name(scalar), given.literal(scalar));
            Error::ScalarType { operand, expected, got, literal }
        }
        _ => Error::Operand { operand, expected, got },
    }
}

/// `f32`.
fn name(scalar: ScalarType) -> String {
    format!("{scalar:?}").to_lowercase()
}

/// `F16, BF16 or F32`, with `or` as the last word between.
fn list(names: &[String], last_word: &str) -> String {
    match names {
        [] => "elements that candle has".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {last_word} {last}", first.join(", ")),
    }
}
