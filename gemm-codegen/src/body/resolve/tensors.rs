//! What libraries of tensors let their users write, and a body cannot have: it computes one element at a
//! time, of operands whose order is that of their types.

mod elsewhere;

use crate::element::{Element, ScalarType};
use crate::rule::Rule;
use crate::spec::form::tensor;
use crate::spec::{Node, NodeId, OperandKind};

use super::Resolver;
use super::names::Binding;
use elsewhere::Elsewhere;

/// A function of a whole row of the output, which takes two launches.
struct OfRow {
    names: &'static [&'static str],
    /// What the first one returns of the product `z`.
    returned: &'static str,
    /// The reductions among it.
    reductions: &'static [&'static str],
    /// What the body of the second one computes from them.
    next: &'static str,
}

const OF_ROW: [OfRow; 4] = [
    OfRow {
        names: &["softmax"],
        returned: "`(e, sum(e))` with `let e = z.exp();`",
        reductions: &["total"],
        next: "`matmul(e, v) / total`",
    },
    OfRow {
        names: &["log_softmax"],
        returned: "`(z, sum(z.exp()))`",
        reductions: &["total"],
        next: "`z - total.ln()`",
    },
    OfRow {
        names: &["layer_norm", "layernorm"],
        returned: "`(z, sum(z), sum(z * z))`",
        reductions: &["total", "squares"],
        next: "`(z - total / n) / (squares / n - (total / n).powi(2) + 1e-5).sqrt()` for rows of `n` elements",
    },
    OfRow {
        names: &["rms_norm", "rmsnorm"],
        returned: "`(z, sum(z * z))`",
        reductions: &["squares"],
        next: "`matmul(z, w) / (squares / n + 1e-6).sqrt()` for rows of `n` elements",
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
        if let Some(function) = Elsewhere::find(name) {
            let message = function.message(name);
            self.report(Rule::BodyFunctions, id, message, function.help.to_owned());
            return true;
        }
        match of.filter(|_| TRANSPOSES.contains(&name)).map(|of| self.matrix(of)) {
            Some(Some(matrix)) => self.report_transpose(id, matrix),
            Some(None) => return self.report_transposed_value(id),
            None => return false,
        }
        true
    }

    fn report_of_row(&mut self, id: NodeId, name: &str, function: &OfRow) {
        let OfRow { returned, reductions, next, .. } = function;
        let output = &self.spec.outputs[self.spec.leading()];
        let statistic =
            if self.floats.own() == ScalarType::F64 { Element::F64 } else { Element::F32 };
        let names = output.indices.names();
        let vector = tensor(statistic, &output.batch, &names[..1]);
        let types = vec![vector.clone(); reductions.len()].join(", ");
        // Of one index are what is reduced already: the product itself is not stored.
        let stored = match names {
            [_, _] => tensor(output.element, &output.batch, names),
            _ => "Mat<_, M, N>".to_owned(),
        };
        let passed: Vec<String> = reductions.iter().map(|of| format!("`{of}: {vector}`")).collect();
        let message =
            format!("`{name}` needs a whole row of the output, but a body computes one element");
        let help = format!(
            "use two launches, as reductions are outputs: return {returned} of the product `z` for \
             `-> ({stored}, {types})`, and write {next} in the body of the second, which takes {}",
            passed.join(" and ")
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

    /// Reports the transpose of what a body computes, unless the output has one index.
    fn report_transposed_value(&mut self, id: NodeId) -> bool {
        let output = &self.spec.outputs[self.spec.leading()];
        let [row, column] = output.indices.names() else { return false };
        let swapped = tensor(output.element, &output.batch, &[column.clone(), row.clone()]);
        let message =
            "a value is not transposed in a body: the order of the output's indices is its layout";
        let help =
            format!("return `{swapped}`: operands are combined by their indices, in either order");
        self.report(Rule::BodyFunctions, id, message.to_owned(), help);
        true
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
            computes one element; use two launches, as reductions are outputs: return `(e, sum(e))` \
            with `let e = z.exp();` of the product `z` for `-> (Mat<f16, M, N>, Vector<f32, M>)`, and \
            write `matmul(e, v) / total` in the body of the second, which takes `total: Vector<f32, M>`
         mean(matmul(x, w))
         => body-functions at mean(): unknown function `mean`; return `sum(z)` as an output \
            `Vector<f32, M>`, and divide it by the number of its terms
         matmul(x, w.t())
         => body-functions at .t(): `w` is not transposed in a body: the order of its indices is \
            its layout; declare `w: Mat<f16, K, N>` if its rows run along `N`, else write `w`: \
            operands are combined by their indices, in either order
         matmul(x, w).transpose()
         => body-functions at .transpose(): a value is not transposed in a body: the order of the \
            output's indices is its layout; return `Mat<f16, N, M>`: operands are combined by their \
            indices, in either order",
        );
    }
}
