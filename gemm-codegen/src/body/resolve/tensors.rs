//! What libraries of tensors let their users write, and a body cannot have: it computes one element at a
//! time, of operands whose order is that of their types.

mod elsewhere;

use crate::rule::Rule;
use crate::spec::form::tensor;
use crate::spec::{Node, NodeId, OperandKind};

use super::Resolver;
use super::names::Binding;
use super::rows::OfRow;
use elsewhere::{Elsewhere, PRODUCTS};

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
        if let Some(function) = OfRow::find(name) {
            self.report_of_row(id, name, function);
            return true;
        }
        if PRODUCTS.contains(&name) {
            self.report_product(id, name);
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

    /// A product by another name, or as a method.
    fn report_product(&mut self, id: NodeId, name: &str) {
        let message = match name {
            "matmul" => "`matmul` is a function, not a method".to_owned(),
            _ => format!("unknown function `{name}`"),
        };
        let called = self.called_with(id);
        // They are factors of what is meant.
        self.uses.retain(|(_, at)| !called.contains(at));
        self.is_clear &= !self.takes_matrices(id);
        let help = match called[..] {
            [x, w] if self.takes_matrices(id) => {
                format!("write `matmul({})`", self.quoted_all(&[x, w]))
            }
            _ => "the product of two matrices is `matmul(a, b)`".to_owned(),
        };
        self.report(Rule::BodyFunctions, id, message, help);
    }

    /// Reports a factor that is a product itself.
    pub(super) fn report_chain(&mut self, id: NodeId) {
        let message = "a product is not a factor of `matmul`: a body computes products of operands";
        let help = "a chain of products takes two functions: return the first product, and pass it to the second \
                    function as a parameter `h: Mat<T, M, N>`, which multiplies it, `matmul(h, v)`";
        self.report(Rule::Matmul, id, message, help);
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

    /// Whether a call has two matrices.
    pub(super) fn takes_matrices(&self, id: NodeId) -> bool {
        let taken = self.called_with(id);
        taken.into_iter().filter(|argument| self.matrix(*argument).is_some()).count() == 2
    }

    /// The arguments of a call, and before them the receiver of a method.
    fn called_with(&self, id: NodeId) -> Vec<NodeId> {
        match self.node(id) {
            Node::Call { arguments, .. } => arguments.clone(),
            Node::Method { receiver, arguments, .. } => [&[*receiver], &arguments[..]].concat(),
            _ => Vec::new(),
        }
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
            computes one element; use three launches, as reductions are outputs, with `let z = ..;` \
            for the argument of `softmax` in each that has `z`: return `max(z)` for `-> Vector<f32, \
            M>`; then `(e, sum(e))` with `let e = (z - largest).exp();` for `-> (Mat<f16, M, N>, \
            Vector<f32, M>)`, given `largest: Vector<f32, M>`; then `matmul(e, v) / total`, given \
            `total: Vector<f32, M>`; `examples/transformer.rs` has such launches
         mean(matmul(x, w))
         => body-functions at mean(): unknown function `mean`; return `sum(z)` as an output \
            `Vector<f32, M>`, and divide it by the number of its terms
         matmul(x, w.t())
         => body-functions at .t(): `w` is not transposed in a body: the order of its indices is \
            its layout; declare `w: Mat<f16, K, N>` if its rows run along `N`, else write `w`: \
            operands are combined by their indices, in either order
         x.matmul(w)
         => body-functions at .matmul(): `matmul` is a function, not a method; write `matmul(x, w)`
         matmul(x, w) + mm(x, w)
         => body-functions at mm(): unknown function `mm`; write `matmul(x, w)`
         matmul(matmul(x, w), residual)
         => matmul at matmul(): {chain}
         { let h = matmul(x, w); matmul(h, residual) }
         => matmul at h: {chain}
         matmul(x, w).transpose()
         => body-functions at .transpose(): a value is not transposed in a body: the order of the \
            output's indices is its layout; return `Mat<f16, N, M>`: operands are combined by their \
            indices, in either order",
        );
    }
}
