//! Factors that are multiplied by what is not declared as their scales.

use super::Resolver;
use super::names::Binding;
use crate::element::ScalarType;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::{tensor, tiled};
use crate::spec::{BinaryOp, Node, NodeId, OperandKind};

/// The length of a tile that a help declares: the group of most quantised weights.
const GROUP: u32 = 128;

impl Resolver<'_> {
    /// Whether a part of an argument of `matmul` is a matrix that is scaled by something else than tiles, which is then
    /// reported.
    pub(super) fn is_scaled_untiled(
        &mut self,
        id: NodeId,
        (op, parts): (BinaryOp, [NodeId; 2]),
        arguments: &[NodeId],
    ) -> bool {
        let matrices = parts.map(|part| self.matrix(part));
        let is_right = match matrices {
            [Some(_), None] => false,
            [None, Some(_)] => true,
            // One of them may be its scales: a factor has an index of the other factor.
            [Some(x), Some(y)] => {
                !self.is_contracted(x, arguments) && self.is_contracted(y, arguments)
            }
            [None, None] => return false,
        };
        let (factor, by) = if is_right { (matrices[1], parts[0]) } else { (matrices[0], parts[1]) };
        let Some(factor) = factor else { return false };
        let scales = match self.node(by) {
            Node::Name(name) => self.lookup(name),
            _ if self.literal(by).is_some() => None,
            _ => return false,
        };
        match (op, scales) {
            (BinaryOp::Mul, Some(Binding::Operand(scales))) if self.is_tensor(scales) => {
                return self.report_scales(factor, scales, arguments);
            }
            (BinaryOp::Mul, _) => {}
            (BinaryOp::Div, _) if !is_right => {}
            _ => return false,
        }
        let message =
            "an argument of `matmul` must be the name of a matrix, or one times its scales";
        let product = self.product_of(&self.multiplied(None, factor, arguments));
        let help = format!(
            "apply the computation to the product: `{product} {} {}`",
            op.symbol(),
            self.quoted(by)
        );
        self.report(Rule::Matmul, id, message, help);
        true
    }

    /// Reports scales that are a matrix or a vector, where the index that is summed over is known.
    fn report_scales(&mut self, factor: usize, scales: usize, arguments: &[NodeId]) -> bool {
        let OperandKind::Matrix { indices, .. } = &self.spec.operands[factor].kind else {
            return false;
        };
        let stored = self.spec.outputs[self.spec.leading()].indices.names();
        let others = self.indices_of_others(factor, arguments);
        let is_summed = |index: &&String| others.contains(index) && !stored.contains(index);
        let Some(summed) = indices.iter().find(is_summed) else { return false };
        let declared = &self.spec.operands[scales];
        let (element, kind) = match &declared.kind {
            OperandKind::Matrix { element, .. } => (*element, "a matrix"),
            OperandKind::Vector { element, .. } => (*element, "a vector"),
            _ => return false,
        };
        let name = &declared.name;
        let extents = indices.each_ref().map(|index| if index == summed { GROUP } else { 1 });
        let tiles = tiled(element, indices, extents);
        let multiplied = self.multiplied(Some(scales), factor, arguments);
        let product = self.product_of(&multiplied);
        let row = indices.iter().find(|index| *index != summed).unwrap_or(summed);
        let vector = tensor(element, &declared.batch, std::slice::from_ref(row));
        let message =
            format!("`{name}` is {kind}, but the scales of a factor are tiles of its indices");
        let folded = self.folded(scales, summed, &multiplied, &tiles);
        let help = match (self.sum_of(&multiplied), folded) {
            (_, Some(folded)) => folded,
            (Some(ScalarType::I32), None) => format!(
                "sums of i32 are not scaled by tiles: with a scale for each `{row}`, `{name}: {vector}`, multiply \
                 the product: `{product} as f32 * {name}`"
            ),
            (_, None) => format!(
                "declare `{name}: {tiles}` for a scale for each {GROUP} elements along `{summed}`; with one for \
                 each `{row}`, `{name}: {vector}`, multiply the product: `{product} * {name}`"
            ),
        };
        let other = declared.kind.indices().iter().position(|index| !indices.contains(index));
        let at = Field::OperandIndex(scales, other.unwrap_or_default());
        self.diagnostics.push(Diagnostic::new(Rule::ScaledFactor, at, message, help));
        true
    }

    /// The help for a vector along the index that is summed over, such as the gains of a norm.
    fn folded(
        &self,
        scales: usize,
        summed: &String,
        multiplied: &[Option<usize>],
        tiles: &str,
    ) -> Option<String> {
        let declared = &self.spec.operands[scales];
        let OperandKind::Vector { index, .. } = &declared.kind else { return None };
        let weights = multiplied.iter().flatten().last().filter(|_| index == summed)?;
        let (name, weights) = (&declared.name, &self.spec.operands[*weights].name);
        Some(format!(
            "a vector along `{summed}` is folded into the weights once: multiply `{weights}` by it before the \
             launches, and write `{}`; the scales that a kernel applies are `{name}: {tiles}`, one for each {GROUP} \
             elements along `{summed}`",
            self.product_of(multiplied)
        ))
    }

    /// The matrices that are multiplied once nothing is applied to this factor.
    fn multiplied(
        &self,
        scales: Option<usize>,
        factor: usize,
        arguments: &[NodeId],
    ) -> Vec<Option<usize>> {
        let matrices = arguments.iter().map(|argument| self.matrix_in(*argument));
        matrices.map(|of| if of.is_some() && of == scales { Some(factor) } else { of }).collect()
    }

    /// The call of `matmul` with these.
    fn product_of(&self, multiplied: &[Option<usize>]) -> String {
        let name = |of: &Option<usize>| of.map_or("..", |of| &self.spec.operands[of].name);
        format!("matmul({})", multiplied.iter().map(name).collect::<Vec<_>>().join(", "))
    }

    /// The type of its sums.
    fn sum_of(&self, multiplied: &[Option<usize>]) -> Option<ScalarType> {
        let values = multiplied.iter().flatten().map(|of| self.spec.operands[*of].kind.value());
        values.reduce(ScalarType::times)
    }

    /// Whether an argument other than that of this matrix has an index of it that the output lacks.
    fn is_contracted(&self, matrix: usize, arguments: &[NodeId]) -> bool {
        let stored = self.spec.outputs[self.spec.leading()].indices.names();
        let others = self.indices_of_others(matrix, arguments);
        let indices = self.spec.operands[matrix].kind.indices();
        indices.iter().any(|index| others.contains(&index) && !stored.contains(index))
    }

    /// The indices of the arguments that do not name this matrix.
    fn indices_of_others(&self, matrix: usize, arguments: &[NodeId]) -> Vec<&String> {
        let others = arguments.iter().filter(|argument| !self.names(**argument, matrix));
        let others = others.filter_map(|argument| self.matrix_in(*argument));
        others.flat_map(|other| self.spec.operands[other].kind.indices()).collect()
    }

    /// Whether a part of an argument is this matrix.
    fn names(&self, id: NodeId, matrix: usize) -> bool {
        match self.node(id) {
            Node::Binary(_, x, y) => self.names(*x, matrix) || self.names(*y, matrix),
            _ => self.matrix(id) == Some(matrix),
        }
    }

    /// The first matrix in an argument.
    fn matrix_in(&self, id: NodeId) -> Option<usize> {
        match self.node(id) {
            Node::Binary(_, x, y) => self.matrix_in(*x).or_else(|| self.matrix_in(*y)),
            _ => self.matrix(id),
        }
    }

    fn is_tensor(&self, operand: usize) -> bool {
        let kind = &self.spec.operands[operand].kind;
        matches!(kind, OperandKind::Matrix { .. } | OperandKind::Vector { .. })
    }
}

#[cfg(test)]
mod tests {
    use crate::body::resolve::tests::check;
    use crate::body::samples;
    use crate::element::Element;
    use crate::spec::{OperandKind, Spec};

    /// A spec whose `residual` is a matrix of `N` and `G`.
    fn grouped(body: &str) -> Spec {
        let mut spec = samples::spec(body);
        let indices = ["N", "G"].map(str::to_owned);
        spec.operands[3].kind = OperandKind::Matrix { element: Element::Bf16, indices };
        spec
    }

    #[test]
    fn sums_of_integers_are_scaled_in_the_body() {
        let integers = |body: &str| {
            let mut spec = samples::product(Element::I8, body);
            let kind = OperandKind::Vector { element: Element::F32, index: "N".to_owned() };
            spec.operands.push(samples::operand("s", kind));
            spec
        };
        check(
            integers,
            "matmul(x, w * s)
         => scaled-factor at OperandIndex(2, 0): `s` is a vector, but the scales of a factor are tiles \
            of its indices; sums of i32 are not scaled by tiles: with a scale for each `N`, `s: \
            Vector<f32, N>`, multiply the product: `matmul(x, w) as f32 * s`",
        );
    }

    #[test]
    fn scales_of_a_factor_are_declared_as_tiles() {
        check(
            grouped,
            "matmul(x, w * residual)
         => scaled-factor at OperandIndex(3, 1): `residual` is a matrix, but the scales of a factor \
            are tiles of its indices; declare `residual: Tiled<bf16, N, K, 1, 128>` for a scale for \
            each 128 elements along `K`; with one for each `N`, `residual: Vector<bf16, N>`, multiply \
            the product: `matmul(x, w) * residual`
         matmul(x, residual * w)
         => scaled-factor at OperandIndex(3, 1): `residual` is a matrix, but the scales of a factor \
            are tiles of its indices; declare `residual: Tiled<bf16, N, K, 1, 128>` for a scale for \
            each 128 elements along `K`; with one for each `N`, `residual: Vector<bf16, N>`, multiply \
            the product: `matmul(x, w) * residual`
         matmul(x, w * bias)
         => scaled-factor at OperandIndex(2, 0): `bias` is a vector, but the scales of a factor are \
            tiles of its indices; declare `bias: Tiled<f16, N, K, 1, 128>` for a scale for each 128 \
            elements along `K`; with one for each `N`, `bias: Vector<f16, N>`, multiply the product: \
            `matmul(x, w) * bias`
         matmul(x, w / 2.0)
         => matmul at /: an argument of `matmul` must be the name of a matrix, or one times its \
            scales; apply the computation to the product: `matmul(x, w) / 2.0`
         matmul(x * alpha, w)
         => matmul at *: an argument of `matmul` must be the name of a matrix, or one times its \
            scales; apply the computation to the product: `matmul(x, w) * alpha`",
        );
    }
}
