//! What a launch promises of the alignment of operands and outputs, as constants.

use super::Parameters;
use crate::body::name::are_exponents;
use crate::element::Element;
use crate::parameter::{MAX_ALIGN, Parameter};
use crate::problem::ParameterKind;
use crate::variant;

impl Parameters {
    /// The constants that promise alignments.
    pub(crate) fn alignments(&self, batched: bool) -> String {
        // Exponents begin where the launch has allocated them; of a batch one for each row follow each other.
        let promised = |parameter: &Parameter| match are_exponents(&parameter.name) {
            true if parameter.batch.is_batched() => Element::I32.bytes(),
            _ => MAX_ALIGN,
        };
        let lines = self.list[..self.own].iter().filter_map(|parameter| {
            Some(variant::line(parameter.align_constant.as_ref()?, promised(parameter)))
        });
        let bytes = self.list.iter().filter_map(|parameter| parameter.kind.element());
        let least = match bytes.map(Element::bytes).min() {
            Some(1) => "4, 2 or 1",
            _ => "4 or 2",
        };
        let is_scale = |one: &Parameter| {
            one.align_constant.is_some() && matches!(one.kind, ParameterKind::Tiled { .. })
        };
        let has_scales = self.list.iter().any(is_scale);
        let of_whom = match (batched, has_scales) {
            (false, false) => {
                "the distance of its rows and, for A and B, of\n\
                 // their length"
            }
            (false, true) => {
                "the distance of its rows and, for A, B and scales,\n\
                 // of their length"
            }
            (true, false) => {
                "the distances of its rows and matrices and,\n\
                 // for A and B, of the length of a row"
            }
            (true, true) => {
                "the distances of its rows and matrices and,\n\
                 // for A, B and scales, of a row's length"
            }
        };
        let head = format!(
            "// Alignment in bytes of an operand's address, of {of_whom}: 16, 8, {least}. \
             Lower if the launch guarantees less.\n"
        );
        head + &lines.collect::<String>()
    }
}
