//! The calls of `matmul` in a body.

use crate::axis::{Multiplicands, PerSide};
use crate::element::{Element, ScalarType};
use crate::rule::{Diagnostic, Rule};

use super::names::Binding;
use super::{Checked, ExprKind, Resolver};
use crate::field::Field;
use crate::spec::form::tensor;
use crate::spec::{BinaryOp, Node, NodeId, Operand, OperandKind};

/// The most products of a kernel: the limit is the generator's own.
pub(super) const MAX_PRODUCTS: usize = 4;

impl<'a> Resolver<'a> {
    /// A call of `matmul`: the accumulator of its product.
    pub(super) fn matmul(&mut self, id: NodeId, arguments: &'a [NodeId]) -> Checked {
        self.multiplies = true;
        let (of_product, surplus) = arguments.split_at(arguments.len().min(2));
        let factors: Vec<Option<usize>> =
            of_product.iter().map(|argument| self.factor(*argument, arguments)).collect();
        let value = |operand: usize| self.spec.operands[operand].kind.value();
        // Unclear without each factor.
        let types: Option<Vec<_>> = factors.iter().map(|of| of.map(value)).collect();
        let element = |of: &Option<usize>| of.and_then(|of| self.spec.operands[of].kind.element());
        // No kernel multiplies one by another, which is reported where they are declared.
        let are_several = factors.iter().all(|of| element(of).is_some_and(Element::is_several));
        let types = types.filter(|_| !are_several);
        let ty = types.and_then(|types| types.into_iter().reduce(ScalarType::times));
        let product = match (&factors[..], surplus) {
            (&[Some(a), Some(b)], []) => self.product((id, arguments[1]), PerSide { a, b }),
            ([_, _], []) => None,
            _ => {
                let message = format!("`matmul` takes two matrices, got {}", arguments.len());
                self.report(Rule::Matmul, id, message, self.surplus_help(of_product, surplus));
                None
            }
        };
        self.is_clear &= product.is_some();
        match (product, ty) {
            (Some(product), Some(ty)) => Checked::new(product, ty),
            (_, ty) => Checked::wrong(ty),
        }
    }

    /// The product of these operands, called here with this second argument: a further one has the first factor of
    /// the others, or is added to the first one.
    fn product(&mut self, (id, second): (NodeId, NodeId), of: PerSide<usize>) -> Option<ExprKind> {
        let Some(known) = &mut self.product else {
            self.product = Some(Multiplicands { first: of, more: Vec::new(), added: None });
            self.calls_of_first = 1;
            return Some(ExprKind::Accumulator(0));
        };
        if known.first.a == of.a {
            if let Some(number) = known.of_b().position(|b| *b == of.b) {
                self.calls_of_first += usize::from(number == 0);
                return Some(ExprKind::Accumulator(number));
            }
            if self.apart.is_some() {
                self.report_beside_added(id);
                return None;
            }
            if (known.products() as usize) < MAX_PRODUCTS {
                let first = known.first.b;
                known.more.push(of.b);
                let number = known.more.len();
                let is_alike = self.are_scaled_alike(second, first, of.b);
                return is_alike.then_some(ExprKind::Accumulator(number));
            }
        } else if let Some(product) = self.apart(id, of) {
            return Some(product);
        }
        let first = self.product.as_ref()?.first;
        self.report_unshared(id, first, of);
        None
    }

    /// The matrix of this name.
    pub(super) fn named(&mut self, id: NodeId, name: &str, arguments: &[NodeId]) -> Option<usize> {
        let kind = match self.lookup(name) {
            Some(Binding::Operand(operand)) => match self.spec.operands[operand].kind {
                OperandKind::Matrix { .. } => {
                    self.factors.push(operand);
                    return Some(operand);
                }
                OperandKind::Vector { .. } => {
                    self.report_vector(id, operand, arguments);
                    return None;
                }
                OperandKind::Tiled { .. } => "the scales of a matrix",
                OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => "a scalar",
            },
            Some(Binding::Local(local)) if self.locals[local].has_product => {
                self.report_chain(id);
                return None;
            }
            // What it is bound to has an error, such as the scales of a factor apart from it.
            Some(Binding::Local(local)) if self.locals[local].value.is_none() => return None,
            Some(Binding::Local(_)) => "a `let`",
            Some(Binding::Output) => {
                let message =
                    format!("`{name}` is the output, so it cannot be an argument of `matmul`");
                self.report(Rule::Matmul, id, message, self.matmul_help());
                return None;
            }
            None => {
                self.unknown_name(id, name);
                return None;
            }
        };
        let message = format!("`{name}` is {kind}, but `matmul` takes matrices");
        self.report(Rule::Matmul, id, message, self.matmul_help());
        None
    }

    /// A factor that is computed.
    pub(super) fn report_computed(&mut self, id: NodeId) {
        if matches!(self.node(id), Node::Call { function, .. } if function == "matmul") {
            self.report_chain(id);
        } else if !self.is_of_tensors(id) {
            let message =
                "an argument of `matmul` must be the name of a matrix, or one times its scales";
            let help = match self.distributed(id) {
                Some(factor) => format!("write `{factor}`"),
                None => "apply the computation to the product, or to the operand before the launch"
                    .to_owned(),
            };
            self.report(Rule::Matmul, id, message, help);
        }
    }

    /// `w * s - z * s` of tiles as the factor that it is, `(w - z) * s`.
    fn distributed(&self, id: NodeId) -> Option<String> {
        let product = |id: NodeId| match self.node(id) {
            Node::Binary(BinaryOp::Mul, x, y) => Some([self.operand(*x)?, self.operand(*y)?]),
            _ => None,
        };
        let Node::Binary(BinaryOp::Sub, x, y) = self.node(id) else { return None };
        let ([factor, scales], offsets) = (product(*x)?, product(*y)?);
        let zeros = offsets.into_iter().find(|part| part.name != scales.name)?;
        let are_tiles =
            [scales, zeros].iter().all(|of| matches!(of.kind, OperandKind::Tiled { .. }));
        let is_factor = offsets.iter().any(|part| part.name == scales.name) && are_tiles;
        is_factor.then(|| format!("({} - {}) * {}", factor.name, zeros.name, scales.name))
    }

    /// The operand that a node names.
    fn operand(&self, id: NodeId) -> Option<&Operand> {
        let Node::Name(name) = self.node(id) else { return None };
        match self.lookup(name)? {
            Binding::Operand(number) => self.spec.operands.get(number),
            Binding::Local(_) | Binding::Output => None,
        }
    }

    /// A vector as a factor: of one that is summed over, the matrix of one row that it may be.
    fn report_vector(&mut self, id: NodeId, operand: usize, arguments: &[NodeId]) {
        let of = &self.spec.operands[operand];
        let OperandKind::Vector { element, index } = &of.kind else { return };
        let stored = self.spec.outputs[self.spec.leading()].indices.names();
        let others: Vec<&String> = arguments
            .iter()
            .filter_map(|argument| self.matrix(*argument))
            .flat_map(|matrix| self.spec.operands[matrix].kind.indices())
            .collect();
        let free = stored.iter().find(|index| !others.contains(index));
        let help = match free.filter(|_| !stored.contains(index)) {
            Some(free) => {
                let ty = tensor(*element, &of.batch, &[free.clone(), index.clone()]);
                let name = &of.name;
                format!("declare `{name}: {ty}`, whose extent `{free}` a launch may give as 1")
            }
            None => self.matmul_help(),
        };
        let message = format!("`{}` is a vector, but `matmul` takes matrices", of.name);
        self.report(Rule::Matmul, id, message, help);
    }

    /// Reports a body without `matmul`.
    pub(super) fn check_multiplies(&mut self) {
        // A misspelt one is one mistake.
        let is_misspelt = |broken: &Diagnostic| {
            let mut similar = broken.unknown.iter().flat_map(|unknown| unknown.similar());
            similar.any(|name| name == "matmul")
        };
        // So is one by another name.
        let is_renamed = |broken: &Diagnostic| match broken.at {
            Field::Body(at) => broken.rule == Rule::BodyFunctions && self.takes_matrices(at),
            _ => false,
        };
        let is_meant = self.diagnostics.iter().any(|one| is_misspelt(one) || is_renamed(one));
        if !self.multiplies && !is_meant {
            let message = "the body has no `matmul`";
            self.report(Rule::Matmul, self.spec.body.root, message, self.matmul_help());
        }
    }

    /// The help for surplus arguments: a vector may be a bias.
    fn surplus_help(&self, of_product: &[NodeId], surplus: &[NodeId]) -> String {
        let (product, name) = (self.quoted_all(of_product), self.quoted_all(surplus));
        let is_bias =
            |of: &Operand| matches!(of.kind, OperandKind::Vector { .. }) && of.name == name;
        match self.spec.operands.iter().any(is_bias) {
            true => format!("add it to the product: `matmul({product}) + {name}`"),
            false => self.matmul_help(),
        }
    }

    /// The help that names the matrices.
    fn matmul_help(&self) -> String {
        let matrices: Vec<&str> = self
            .spec
            .operands
            .iter()
            .filter(|operand| matches!(operand.kind, OperandKind::Matrix { .. }))
            .map(|operand| operand.name.as_str())
            .collect();
        match matrices[..] {
            [] | [_] => "`matmul` takes two parameters of type `Mat`".to_owned(),
            [a, b] => format!("write `matmul({a}, {b})`"),
            _ => format!("`matmul` takes two of the matrices `{}`", matrices.join("`, `")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::axis::PerSide;
    use crate::body::resolve::tests::check;
    use crate::body::typed::ExprKind;
    use crate::body::{resolve, samples};
    use crate::element::Element;
    use crate::spec::OperandKind;

    #[test]
    fn products_are_numbered_by_their_second_factors() {
        let body = "(matmul(x, w), matmul(x, residual), matmul(x, w))";
        let spec = samples::outputs(&[Element::F32; 3], body);
        let resolution = resolve(&spec);
        let multiplied = resolution.multiplied.unwrap();
        assert_eq!((multiplied.first, &multiplied.more[..]), (PerSide { a: 0, b: 1 }, &[3][..]));
        let resolved = resolution.body.unwrap();
        let numbers = resolved.results.into_iter().map(|result| result.kind);
        assert_eq!(numbers.collect::<Vec<_>>(), [0, 1, 0].map(ExprKind::Accumulator));
        assert_eq!(resolved.products, 2);
    }

    #[test]
    fn calls_of_matmul() {
        check(
            samples::spec,
            "alpha
         => matmul at alpha: the body has no `matmul`; {matrices}
         matmul(x, w) * matmul(residual, w)
         => shared-factor at matmul(): `matmul(residual, w)` and `matmul(x, w)` share their second \
            factor, not their first; write `matmul(w, residual)` and `matmul(w, x)`
         matmul(x, w) * matmul(w, residual)
         => shared-factor at matmul(): `w` is the first factor of `matmul(w, residual)`, but the \
            second one of `matmul(x, w)`; write `matmul(w, x)`
         matmul(x, w) * matmul(residual, x)
         => shared-factor at matmul(): `x` is the second factor of `matmul(residual, x)`, but the \
            first one of `matmul(x, w)`; write `matmul(x, residual)`
         matmul(x)
         => matmul at matmul(): `matmul` takes two matrices, got 1; {matrices}
         matmul(x, w, bias)
         => matmul at matmul(): `matmul` takes two matrices, got 3; add it to the product: \
            `matmul(x, w) + bias`
         matmul(x, bias) + matmul
         => matmul at bias: `bias` is a vector, but `matmul` takes matrices; {matrices}
         => body-names at matmul: `matmul` is a function, not a value; call it where its value \
            is needed: `matmul(..)`
         matmul(gelu(x), count)
         => matmul at gelu(): an argument of `matmul` must be the name of a matrix, or one \
            times its scales; apply the computation to the product, or to the operand before the launch
         => matmul at count: `count` is a scalar, but `matmul` takes matrices; {matrices}
         { let x = 1.0; matmul(x, w) }
         => matmul at x: `x` is a `let`, but `matmul` takes matrices; {matrices}",
        );
    }

    #[test]
    fn a_vector_that_is_summed_over_is_a_matrix_of_one_row() {
        let summed = |body: &str| {
            let mut spec = samples::spec(body);
            let OperandKind::Vector { index, .. } = &mut spec.operands[2].kind else { return spec };
            *index = "K".to_owned();
            spec
        };
        check(
            summed,
            "matmul(bias, w)
         => matmul at bias: `bias` is a vector, but `matmul` takes matrices; declare `bias: \
            Mat<f16, M, K>`, whose extent `M` a launch may give as 1
         matmul(x, bias)
         => matmul at bias: `bias` is a vector, but `matmul` takes matrices; declare `bias: \
            Mat<f16, N, K>`, whose extent `N` a launch may give as 1",
        );
    }
}
