//! Conversions to the element types of a signature: a body computes with values that have them already.

use gemm_codegen::Element;
use gemm_codegen::body::NodeId;
use syn::{ExprPath, Type};

use super::Reader;
use crate::signature::element;

/// What is said of each.
const REMOVE: &str =
    "remove it: an element is read as an `f32`, and a value is rounded when it is stored";

/// The help for a cast to a type that is not of a body.
pub(super) fn cast(to: &Type) -> &'static str {
    match element(to) {
        Some(of) if of.value().is_float() => REMOVE,
        _ => "cast to `f32`, `f64` or `i32`",
    }
}

impl Reader<'_> {
    /// The error for a function of an element type, such as `f16::from_f32`, if a path names one.
    pub(super) fn conversion(&mut self, path: &ExprPath) -> Option<NodeId> {
        let segments = &path.path.segments;
        let of = segments
            .iter()
            .rev()
            .nth(1)
            .and_then(|of| Element::from_name(&of.ident.to_string()))?;
        let is_conversion =
            segments.last().is_some_and(|last| last.ident.to_string().starts_with("from_f"));
        let is_rounded = of.value().is_float() && !["f32", "f64"].contains(&of.name());
        (is_conversion && is_rounded)
            .then(|| self.fail(path, "a conversion is not supported in a body", REMOVE))
    }
}
