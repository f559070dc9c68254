//! The NVRTC that an element needs.

use gemm_codegen::{Element, Parameter, ParameterKind};

use crate::error::{Error, Operand};
use crate::version::Version;

/// Fails unless this NVRTC compiles the conversions and products of a kernel's parameters.
pub(super) fn check(parameters: &[Parameter], nvrtc: Version) -> Result<(), Error> {
    for parameter in parameters {
        let Some((element, needed)) = oldest(&parameter.kind) else { continue };
        if nvrtc < needed {
            let operand = Operand::new(&parameter.name);
            return Err(Error::NvrtcTooOld { operand, element, needed, nvrtc });
        }
    }
    Ok(())
}

/// The oldest NVRTC that compiles the conversions and products of a parameter's elements; `None` if
/// every supported one does.
///
/// NVRTC 12.1 is the first to convert 8-bit floats on sm_89 (PTX ISA 8.1, "cvt"), 12.4 the first to
/// multiply them (PTX ISA 8.4, "mma").
fn oldest(kind: &ParameterKind) -> Option<(Element, Version)> {
    let element = kind.element()?;
    match element {
        Element::E4m3 | Element::E5m2 => {
            let minor = if kind.is_multiplied() { 4 } else { 1 };
            Some((element, Version { major: 12, minor }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gemm_codegen::Axis;

    use super::*;

    fn matrix(element: Element, axes: [Axis; 2]) -> Parameter {
        let kind = ParameterKind::Matrix { rows: axes[0], columns: axes[1], element };
        Parameter {
            name: "x".into(),
            kind,
            batch: gemm_codegen::Batching::None,
            align_macro: None,
            tensor: None,
            slab: None,
        }
    }

    #[test]
    fn eight_bit_floats_need_a_newer_nvrtc_to_be_multiplied_than_to_be_converted() {
        let oldest = |element, axes| {
            let parameters = [matrix(element, axes)];
            let minor = (0..10)
                .find(|minor| check(&parameters, Version { major: 12, minor: *minor }).is_ok());
            minor.expect("a version of CUDA 12")
        };
        for element in [Element::E4m3, Element::E5m2] {
            assert_eq!(oldest(element, [Axis::M, Axis::K]), 4);
            assert_eq!(oldest(element, [Axis::M, Axis::N]), 1);
        }
        assert_eq!(oldest(Element::F16, [Axis::M, Axis::K]), 0);
    }

    #[test]
    fn an_nvrtc_that_is_too_old_names_the_operand_and_the_version() {
        let parameters = [matrix(Element::E4m3, [Axis::M, Axis::K])];
        let error = check(&parameters, Version { major: 12, minor: 0 }).expect_err("12.0 cannot");
        assert_eq!(error.to_string(), "x: e4m3 needs NVRTC 12.4 or newer, found NVRTC 12.0");
    }
}
