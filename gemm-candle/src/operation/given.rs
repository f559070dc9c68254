//! [`Given`]: an operand with its storage.

use candle_core::{DType, Layout};
use gemm_runtime::__private::codegen::ScalarType;
use gemm_runtime::{Parameter, ParameterKind};

/// An operand on a device.
#[derive(Clone, Copy)]
pub(super) enum Given<'a, S> {
    Tensor(&'a S, &'a Layout),
    F32(f32),
    F64(f64),
    I32(i32),
}

/// The operands, if the storage of every tensor is one of a device; none without a tensor.
pub(super) fn all<'a, S, D>(
    given: &[Given<'a, S>],
    of_device: impl Fn(&'a S) -> Option<&'a D>,
) -> Option<Vec<Given<'a, D>>> {
    let given = given.iter().map(|given| {
        Some(match *given {
            Given::Tensor(storage, layout) => Given::Tensor(of_device(storage)?, layout),
            Given::F32(value) => Given::F32(value),
            Given::F64(value) => Given::F64(value),
            Given::I32(value) => Given::I32(value),
        })
    });
    given.collect()
}

impl<'a, S> Given<'a, S> {
    /// As messages call it; `dtype` is that of a storage.
    pub(super) fn words(&self, dtype: impl Fn(&S) -> DType) -> String {
        match self {
            Given::Tensor(storage, layout) => {
                format!("a tensor of {:?} and dimensions {:?}", dtype(storage), layout.dims())
            }
            Given::F32(value) => format!("{value} of f32"),
            Given::F64(value) => format!("{value} of f64"),
            Given::I32(value) => format!("{value} of i32"),
        }
    }

    /// The value as a literal of this type; `None` for a tensor and for a value that the type has not.
    pub(super) fn literal(&self, scalar: ScalarType) -> Option<String> {
        let (text, value) = match *self {
            Given::Tensor(..) => return None,
            Given::F32(value) => (value.to_string(), f64::from(value)),
            Given::F64(value) => (value.to_string(), value),
            Given::I32(value) => (value.to_string(), f64::from(value)),
        };
        let suffix = match scalar {
            ScalarType::F32 if value.is_finite() => "f32",
            ScalarType::F64 if value.is_finite() => "f64",
            ScalarType::I32 if f64::from(value as i32) == value => "i32",
            _ => return None,
        };
        Some(format!("{text}{suffix}"))
    }

    /// The layouts of the tensors that are matrices and vectors.
    pub(super) fn layouts(parameters: &[Parameter], given: &[Given<'a, S>]) -> Vec<&'a Layout> {
        let layouts = parameters.iter().zip(given).filter_map(|(parameter, given)| {
            match (parameter.kind, given) {
                (
                    ParameterKind::Matrix { .. } | ParameterKind::Vector { .. },
                    Given::Tensor(_, layout),
                ) => Some(*layout),
                _ => None,
            }
        });
        layouts.collect()
    }
}
