//! What libraries of tensors let their users write, and a body cannot have: it computes one element at a
//! time, of operands whose order is that of their types.

use crate::element::{Element, ScalarType};
use crate::rule::Rule;
use crate::spec::form::tensor;
use crate::spec::{Node, NodeId, OperandKind};

use super::Resolver;
use super::names::Binding;

/// A function of a whole row of the output.
struct OfRow {
    names: &'static [&'static str],
    /// Statistics of a row that it depends on.
    statistics: &'static [&'static str],
    /// Its value, of an element `z` and these.
    value: &'static str,
}

const OF_ROW: [OfRow; 4] = [
    OfRow {
        names: &["softmax"],
        statistics: &["largest", "total"],
        value: "(z - largest).exp() / total",
    },
    OfRow { names: &["log_softmax"], statistics: &["log_total"], value: "z - log_total" },
    OfRow {
        names: &["layer_norm", "layernorm"],
        statistics: &["mean", "deviation"],
        value: "(z - mean) / deviation",
    },
    OfRow {
        names: &["rms_norm", "rmsnorm"],
        statistics: &["mean_square"],
        value: "z / (mean_square + 1e-6).sqrt()",
    },
];

/// Names for the transpose of a matrix.
const TRANSPOSES: [&str; 5] = ["t", "transpose", "transposed", "permute", "swapaxes"];

impl Resolver<'_> {
    /// Whether a call is one of these, which is then reported.
    pub(super) fn is_of_tensors(&mut self, id: NodeId) -> bool {
        let (name, of) = match self.node(id) {
            Node::Method { receiver, method, .. } => (method.as_str(), Some(*receiver)),
            Node::Call { function, arguments } => (function.as_str(), arguments.first().copied()),
            _ => return false,
        };
        if let Some(function) = OF_ROW.iter().find(|function| function.names.contains(&name)) {
            self.report_of_row(id, name, function);
            return true;
        }
        let matrix = of.filter(|_| TRANSPOSES.contains(&name)).and_then(|of| self.matrix(of));
        if let Some(matrix) = matrix {
            self.report_transpose(id, matrix);
        }
        matrix.is_some()
    }

    fn report_of_row(&mut self, id: NodeId, name: &str, OfRow { statistics, value, .. }: &OfRow) {
        let output = &self.spec.outputs[self.spec.leading()];
        let element =
            if self.floats.own() == ScalarType::F64 { Element::F64 } else { Element::F32 };
        let ty = tensor(element, &output.batch, &output.indices.names()[..1]);
        let statistics: Vec<String> = statistics.iter().map(|of| format!("`{of}: {ty}`")).collect();
        let message =
            format!("`{name}` needs a whole row of the output, but a body computes one element");
        let help = format!(
            "use two launches: store the product, compute {} of its rows, and write `{value}` of the \
             product `z` in the body of the second",
            statistics.join(" and ")
        );
        self.report(Rule::BodyFunctions, id, message, help);
    }

    fn report_transpose(&mut self, id: NodeId, matrix: usize) {
        let operand = &self.spec.operands[matrix];
        let OperandKind::Matrix { element, indices: [row, column] } = &operand.kind else { return };
        let name = &operand.name;
        let swapped = tensor(*element, &operand.batch, &[column.clone(), row.clone()]);
        let message =
            format!("`{name}` is not transposed in a body: the order of its indices is its layout");
        let help = format!(
            "declare `{name}: {swapped}` if its rows run along `{row}`, else write `{name}`: operands are \
             combined by their indices, in either order"
        );
        self.report(Rule::BodyFunctions, id, message, help);
    }

    /// The matrix that a node names.
    pub(super) fn matrix(&self, id: NodeId) -> Option<usize> {
        let Node::Name(name) = self.node(id) else { return None };
        let Some(Binding::Operand(operand)) = self.lookup(name) else { return None };
        matches!(self.spec.operands[operand].kind, OperandKind::Matrix { .. }).then_some(operand)
    }
}

#[cfg(test)]
mod tests {
    use crate::body::resolve::tests::check;
    use crate::body::samples;

    #[test]
    fn a_row_and_a_transpose_are_not_of_a_body() {
        check(
            samples::spec,
            "softmax(matmul(x, w))
         => body-functions at softmax(): `softmax` needs a whole row of the output, but a body \
            computes one element; use two launches: store the product, compute `largest: \
            Vector<f32, M>` and `total: Vector<f32, M>` of its rows, and write `(z - largest)\
            .exp() / total` of the product `z` in the body of the second
         matmul(x, w.t())
         => body-functions at .t(): `w` is not transposed in a body: the order of its indices is \
            its layout; declare `w: Mat<f16, K, N>` if its rows run along `N`, else write `w`: \
            operands are combined by their indices, in either order
         matmul(x, w).transpose()
         => body-functions at .transpose(): f32 has no method `transpose` in a body; the methods \
            of f32 are {methods}",
        );
    }
}
