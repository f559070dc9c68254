//! Which scales, and offsets, of a factor's tiles a lane loads: the structs that say so in the text.

use crate::axis::Side;
use crate::element::Element;
use crate::problem::{Scale, ScaleOffset};
use crate::text::wrap::wrap_lines;

/// The lines of a side whose scales a lane has.
pub(super) struct OfLane<'a> {
    /// The atoms of the side, and the line of scale i.
    pub(super) place: [&'a str; 2],
    /// Whose first line it is counted from.
    pub(super) who: &'a str,
}

impl OfLane<'_> {
    /// The structs that say which scales of a side, and which offsets, the lane has.
    pub(super) fn structs(&self, side: Side, scale: &Scale) -> String {
        let letter = side.letter().to_uppercase();
        let Scale { element, lines, k, k_contiguous, offset, .. } = scale;
        let OfLane { place: [atoms, line], who } = self;
        let lines_of = |name: &str, element: Element, k_contiguous: bool| {
            format!(
                "struct {name}{letter} {{\n    \
                 typedef {element} Element;\n    \
                 static constexpr int LINES = {lines}, K = {k}, COUNT = 2 * {atoms};\n    \
                 static constexpr bool K_CONTIGUOUS = {k_contiguous};\n    \
                 // The line of a lane's scale i, from the first of the {who} on.\n    \
                 static __device__ __forceinline__ int line(int i) {{ return {line}; }}\n\
                 }};\n"
            )
        };
        let scales = lines_of("ScaledLines", *element, *k_contiguous);
        let offsets = offset.map(|ScaleOffset { element, k_contiguous, .. }| {
            let offsets = lines_of("OffsetLines", element, k_contiguous);
            format!("\n// The offsets of {letter}, of the same tiles.\n{offsets}")
        });
        wrap_lines(&format!(
            "// The scales of {letter}: one for {lines} x {k} of its lines and of k.\n\
             {scales}{}",
            offsets.unwrap_or_default()
        ))
    }
}
