//! [`Value`]: an operand of the body in the text.

use super::reading::Reading;
use crate::level::epilogue::operand::{Access, BodyOperand, access, out_columns};
use crate::problem::{Axes, ParameterKind};

/// An operand of the body.
pub(super) struct Value<'a> {
    pub(super) operand: &'a BodyOperand,
    pub(super) access: Access,
    reading: Reading,
}

impl<'a> Value<'a> {
    pub(super) fn new(operand: &'a BodyOperand, axes: &Axes, reading: Reading) -> Value<'a> {
        Value { operand, access: access(operand.kind, out_columns(axes)), reading }
    }

    /// The file of its struct template.
    pub(super) fn template(&self) -> Option<&'static str> {
        Some(match (self.access, self.operand.is_matrix(), self.reading) {
            (Access::Scalar, ..) => return None,
            (Access::Run, true, _) => include_str!("../operands/matrix_run.cuh"),
            (Access::Strided, ..) => include_str!("../operands/matrix_strided.cuh"),
            (Access::Run, false, Reading::Each) => include_str!("../operands/vector_run.cuh"),
            (Access::Run, false, Reading::Together) => {
                include_str!("../operands/vector_run_together.cuh")
            }
            (Access::Run, false, _) => include_str!("../operands/vector_run_bounded.cuh"),
            (Access::Constant, _, Reading::Each) => include_str!("../operands/vector_same.cuh"),
            (Access::Constant, _, Reading::Together) => {
                include_str!("../operands/vector_same_together.cuh")
            }
            (Access::Constant, _, _) => include_str!("../operands/vector_same_bounded.cuh"),
        })
    }

    /// The type of its elements.
    pub(super) fn element(&self) -> String {
        self.operand.kind.element().map_or_else(String::new, |element| element.to_string())
    }

    /// Its type as a member of `Values`.
    pub(super) fn ty(&self) -> String {
        let (element, name) = (self.element(), &self.operand.name);
        let value = self.operand.kind.value().cuda();
        match (self.access, self.operand.kind, self.reading) {
            (Access::Scalar, ..) => value.to_owned(),
            (Access::Run, ParameterKind::Matrix { .. }, _) => {
                format!("MatrixRun<{element}, ALIGN_{name}>")
            }
            (Access::Strided, ..) => format!("MatrixStrided<{element}>"),
            (Access::Run, _, Reading::Each) => {
                format!("VectorRun<{element}, {value}, ALIGN_{name}>")
            }
            (Access::Run, _, Reading::Together) => format!("VectorRun<{element}, ALIGN_{name}>"),
            (Access::Run, ..) => format!("VectorRun<{element}, {value}>"),
            (Access::Constant, _, Reading::Together) => format!("VectorSame<{element}>"),
            (Access::Constant, ..) => format!("VectorSame<{element}, {value}>"),
        }
    }

    /// What `read` of it returns for COUNT elements.
    pub(super) fn elements(&self) -> String {
        let of = match self.reading {
            Reading::Together => self.element(),
            _ => self.operand.kind.value().cuda().to_owned(),
        };
        match self.access {
            Access::Constant => format!("Same<{of}>"),
            _ => format!("Elements<{of}, COUNT>"),
        }
    }

    /// The statement that reads it: by `read` to a member of what is read together, else to a constant.
    pub(super) fn read(&self, tile: Option<usize>) -> String {
        let (element, name) = (self.element(), &self.operand.name);
        let (value, guard) = (self.operand.kind.value().cuda(), self.operand.guard.as_ref());
        if let Some(number) = tile {
            let is_read = guard.map_or(String::new(), |guard| format!(", {guard}"));
            let tile = in_stage(number);
            return format!(
                "const auto at_{name} = in_tile<{element}, {value}, COUNT>({tile}{is_read});"
            );
        }
        // A launch that does not read it has no elements that are valid.
        let end = |bound: &str| self.operand.end(bound);
        match (self.reading, self.access) {
            (Reading::Together, Access::Constant) => {
                let read = format!("{name}.read(read.{name}, row, col, valid);");
                guard.map_or(read.clone(), |guard| {
                    format!("if ({guard}) {read}\n        else read.{name} = {{}};")
                })
            }
            (Reading::Together, _) => {
                format!("{name}.read(read.{name}, row, col, {});", end("valid"))
            }
            (Reading::Each, Access::Constant) => {
                let read = format!("{name}.read<COUNT>(row, col, valid)");
                let read = guard.map_or(read.clone(), |guard| {
                    format!("{guard} ? {read} : {}{{}}", self.elements())
                });
                format!("const auto at_{name} = {read};")
            }
            (reading, access) => {
                let ends = match (reading, access) {
                    (Reading::Each, _) => end("valid"),
                    (_, Access::Constant) => format!("{}, cols", end("rows")),
                    _ => format!("rows, {}", end("cols")),
                };
                format!("const auto at_{name} = {name}.read<COUNT>(row, col, {ends});")
            }
        }
    }

    /// What the body takes of it for element `i`.
    pub(super) fn argument(&self) -> String {
        let name = &self.operand.name;
        match (self.access, self.reading) {
            (Access::Scalar, _) => name.clone(),
            (_, Reading::Together) => format!("to_value(read.{name}[i])"),
            _ => format!("at_{name}[i]"),
        }
    }
}

/// The epilogue tile of this number, given the first one.
pub(super) fn in_stage(number: usize) -> String {
    match number {
        0 => "at".to_owned(),
        1 => "at + EPILOGUE_TILE".to_owned(),
        _ => format!("at + {number} * EPILOGUE_TILE"),
    }
}
