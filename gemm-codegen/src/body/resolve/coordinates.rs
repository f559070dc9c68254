//! Calls of coordinates: `row()`, `column()` and, where the output is batched, `batch()`.

use crate::body::coordinate::Coordinate;
use crate::element::ScalarType::I32;
use crate::rule::Rule;
use crate::spec::NodeId;
use crate::spec::form::tensor;

use super::{Checked, ExprKind, Resolver};

impl Resolver<'_> {
    pub(super) fn coordinate(
        &mut self,
        id: NodeId,
        of: Coordinate,
        arguments: &[NodeId],
    ) -> Checked {
        self.check_all(arguments);
        let name = of.name();
        if !self.has(of) {
            let message = format!("`{name}` is {}, which is not batched", of.said());
            let help = self.without_batch();
            self.report(Rule::BodyFunctions, id, message, help);
            return Checked::wrong(Some(I32));
        }
        if !arguments.is_empty() {
            let message = format!("`{name}` takes no arguments, got {}", arguments.len());
            self.report(
                Rule::BodyFunctions,
                id,
                message,
                format!("write `{name}()`, {}", of.said()),
            );
            return Checked::wrong(Some(I32));
        }
        self.coordinates.insert(of);
        Checked::new(ExprKind::Coordinate(of), I32)
    }

    /// Whether the elements of the output have it.
    pub(super) fn has(&self, of: Coordinate) -> bool {
        let operands = self.spec.operands.iter().map(|operand| &operand.batch);
        // An output that lacks the batch of an operand is a mistake of its own.
        let mut all = operands.chain(self.spec.outputs.iter().map(|output| &output.batch));
        of != Coordinate::Batch || all.any(|batch| !batch.is_empty())
    }

    /// What to write where a number of a matrix is read and there is no batch.
    fn without_batch(&self) -> String {
        let output = &self.spec.outputs[self.spec.leading()];
        let indices = output.indices.names();
        let is_free = |index: &&str| !indices.iter().any(|other| other == index);
        let batch = ["B", "H", "Batch"].into_iter().find(is_free).unwrap_or("B").to_owned();
        format!(
            "write `row()` or `column()`, or batch the output and a factor of `matmul`: `-> {}`",
            tensor(output.element, &[batch], indices)
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::body::Coordinate;
    use crate::body::resolve;
    use crate::body::resolve::tests::check;
    use crate::body::samples::{self, batched};
    use crate::element::Element;

    #[test]
    fn a_matrix_has_a_number_in_a_batch_alone() {
        check(
            |body| batched(&["B"], body),
            "matmul(x, w) * batch() as f32
             { let batch = batch(); if batch == count { matmul(x, w) } else { alpha } }
             matmul(x, w) * batch(0) as f32
             => body-functions at batch(): `batch` takes no arguments, got 1; write `batch()`, the \
                number of the element's matrix in the output
             matmul(x, w) * batch as f32
             => body-names at batch: unknown name `batch`; call it: `batch()` is the number of the \
                element's matrix in the output
             matmul(x, w) * batch()
             => body-types at *: `*` takes two values of the same type, got f32 and i32; convert \
                the i32 with `as f32`
             matmul(x, w) * b
             => body-names at b: `b` is an index, not a value; pass its extent as a parameter; `batch()` is the \
                number of the element's matrix in the output, an `i32`; pass what depends on it as an operand \
                `Batched<T, B, I>`",
        );
        check(
            samples::spec,
            "matmul(x, w) * batch(row(1)) as f32
             => body-functions at row(): `row` takes no arguments, got 1; write `row()`, the row of \
                the element in the output
             => body-functions at batch(): `batch` is the number of the element's matrix in the \
                output, which is not batched; write `row()` or `column()`, or batch the output and a \
                factor of `matmul`: `-> Batched<f16, B, M, N>`
             matmul(x, w) * batch as f32
             => body-names at batch: unknown name `batch`; {names}{capitals}",
        );
    }

    #[test]
    fn matrices_are_numbered_in_the_order_of_the_indices() {
        check(
            |body| batched(&["B", "H"], body),
            "matmul(x, w) * h
             => body-names at h: `h` is an index, not a value; pass its extent as a parameter; `batch()` is the \
                number of the element's matrix in the output, in row-major order of `(B, H)`, an `i32`; \
                pass what depends on it as an operand `Batched<T, H, I>`",
        );
        let resolved = resolve(&batched(&["B", "H"], "matmul(x, w) * (batch() - row()) as f32"));
        assert_eq!(resolved.body.unwrap().coordinates, [Coordinate::Row, Coordinate::Batch]);
    }

    #[test]
    fn an_output_without_the_batch_of_an_operand_is_one_mistake() {
        let mut spec = samples::product(Element::F16, "matmul(x, w) * batch() as f32");
        spec.operands[0].batch.push("B".to_owned());
        assert!(resolve(&spec).body.is_ok());
    }
}
