//! [`Operand`]: what an [`Error`] calls an argument.

use std::fmt;

use gemm_codegen::Axis;

use super::{BatchError, Error, TileError};

/// An operand or output, by the name of its parameter and of the function that declares it:
/// `linear_gelu: w` in a message. A slice that is not an argument of a function has none.
///
/// It compares equal to the name of its parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    function: Option<String>,
    name: String,
}

impl Operand {
    /// The operand of this name, of a function that [`Error::of_function`] adds.
    pub(crate) fn new(name: &str) -> Operand {
        Operand { function: None, name: name.to_owned() }
    }

    /// The name of the function.
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// The name of the parameter.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl PartialEq<str> for Operand {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

impl PartialEq<&str> for Operand {
    fn eq(&self, name: &&str) -> bool {
        self == *name
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "{function}: {}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl Error {
    /// The error with the name of the function whose argument or launch it is about.
    pub(crate) fn of_function(mut self, function: &str) -> Error {
        if let Some(operand) = self.subject() {
            operand.function = Some(function.to_owned());
        }
        if let Some(kernel) = self.kernel() {
            *kernel = Some(function.to_owned());
        }
        self
    }

    /// The error with the names that a signature gives the indices.
    pub(crate) fn with_indices<'n>(mut self, name: impl Fn(Axis) -> &'n str) -> Error {
        match &mut self {
            Error::ShapeMismatch { axis, index, .. }
            | Error::DimensionTooLarge { axis, index, .. }
            | Error::NothingToReduce { over: axis, index, .. }
            | Error::Tiles(TileError::Count { axis, index, .. }) => *index = name(*axis).into(),
            Error::Tiles(TileError::Part { index, .. }) => *index = name(Axis::K).into(),
            _ => {}
        }
        self
    }

    /// The kernel of a launch that failed in the device.
    fn kernel(&mut self) -> Option<&mut Option<String>> {
        match self {
            Error::OutOfMemory { kernel, .. } | Error::Driver { kernel, .. } => Some(kernel),
            #[cfg(feature = "emulator")]
            Error::Memory { kernel, .. } => Some(kernel),
            _ => None,
        }
    }

    /// The argument that is wrong.
    fn subject(&mut self) -> Option<&mut Operand> {
        match self {
            Error::ShapeMismatch { operand, .. }
            | Error::Tiles(TileError::Count { operand, .. } | TileError::Part { operand, .. })
            | Error::HostLength { operand, .. }
            | Error::DeviceMismatch { operand, .. }
            | Error::StreamMismatch { operand }
            | Error::Misaligned { operand, .. }
            | Error::ElementMismatch { operand, .. }
            | Error::NothingToReduce { output: operand, .. }
            | Error::KindMismatch { operand, .. }
            | Error::Overlap { output: operand, .. }
            | Error::OutputsOverlap { output: operand, .. }
            | Error::Batch(
                BatchError::Count { operand, .. } | BatchError::Indices { operand, .. },
            ) => Some(operand),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use cudarc::driver::DriverError;
    use cudarc::driver::sys::CUresult;

    use super::super::{Dimension, Origin};
    use super::*;

    #[test]
    fn an_argument_is_named_with_its_function() {
        let error =
            Error::HostLength { operand: Operand::new("w"), expected: 4, extents: vec![4], got: 3 };
        assert_eq!(error.to_string(), "w: expected 4 elements, got 3");
        let error = error.of_function("linear");
        assert_eq!(error.to_string(), "linear: w: expected 4 elements, got 3");
    }

    #[test]
    fn a_launch_that_fails_in_the_device_names_its_function() {
        let full = Error::OutOfMemory { kernel: None, bytes: 64, limit: None };
        assert_eq!(full.to_string(), "64 B of device memory cannot be allocated: it is full");
        assert_eq!(
            full.of_function("linear").to_string(),
            "linear: 64 B of device memory cannot be allocated: it is full"
        );
        // Its text is the driver's, which a machine may lack.
        let lost = Error::from(DriverError(CUresult::CUDA_ERROR_ECC_UNCORRECTABLE));
        let lost = lost.of_function("linear");
        assert!(matches!(lost, Error::Driver { kernel: Some(kernel), .. } if kernel == "linear"));
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_not_out_of_range() {
        let rows =
            |start, end| Error::OutOfRange { dimension: Dimension::Rows, start, end, extent: 8 };
        assert_eq!(rows(5, 2).to_string(), "rows 5..2 end before they begin");
        assert_eq!(rows(5, 9).to_string(), "rows 5..9 are out of range, the limit is 8");
    }

    #[test]
    fn a_kernel_of_one_architecture_tells_what_other_devices_take() {
        let error = |lowest| {
            let (kernel, device) = ("linear".to_owned(), (8, 0));
            Error::UnsupportedArchitecture { kernel, device, lowest }.to_string()
        };
        assert_eq!(
            error(gemm_codegen::Target::Sm90a),
            "linear requires sm_90a, but the device is sm_80; a further `#[gemm(derived)]` on its \
             function has a schedule for other devices"
        );
    }

    #[test]
    fn one_is_not_several() {
        let error = |expected| Error::ShapeMismatch {
            operand: Operand::new("bias"),
            dimension: Dimension::Elements,
            axis: Axis::N,
            index: "N".into(),
            expected,
            got: 4,
            given_by: Origin::Operand("w".to_owned()),
        };
        assert_eq!(error(1).to_string(), "bias: expected 1 element (N of w), got 4");
        assert_eq!(error(2).to_string(), "bias: expected 2 elements (N of w), got 4");
        assert_eq!(Dimension::Matrices.counted(1), "1 matrix");
    }

    #[test]
    fn main_shows_an_error_as_text() {
        let error =
            Error::HostLength { operand: Operand::new("w"), expected: 4, extents: vec![4], got: 3 };
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
