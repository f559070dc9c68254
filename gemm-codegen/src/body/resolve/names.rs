//! Names and what they are bound to: `let`s, operands, the `&mut` parameter.

use crate::body::coordinate::Coordinate;
use crate::element::{Element, ScalarType};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::batch_indices;
use crate::spec::{NodeId, OperandKind};

use super::{Checked, Expr, ExprKind, Resolver, plain};

/// The help for an index as a value, whichever it is.
const EXTENT: &str = "pass its extent as a parameter";

pub(super) enum Binding {
    Local(usize),
    Operand(usize),
    /// The `&mut` parameter.
    Output,
}

/// A `let`, or a parameter of a function.
pub(super) struct Local<'a> {
    pub(super) name: &'a str,
    pub(super) ty: Option<ScalarType>,
    /// What a `let` is bound to, if it is right.
    pub(super) value: Option<Expr>,
    /// Whether a product is a part of it.
    pub(super) has_product: bool,
    /// How often it is read.
    pub(super) uses: usize,
}

impl<'a> Local<'a> {
    pub(super) fn new(name: &'a str, ty: Option<ScalarType>) -> Local<'a> {
        Local { name, ty, value: None, has_product: false, uses: 0 }
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn name(&mut self, id: NodeId, name: &str) -> Checked {
        match self.lookup(name) {
            Some(Binding::Local(local)) => {
                self.locals[local].uses += 1;
                match self.locals[local].ty {
                    Some(ty) => Checked::new(ExprKind::Local(local), ty),
                    None => Checked::wrong(None),
                }
            }
            Some(Binding::Operand(operand)) => {
                if matches!(self.spec.operands[operand].kind, OperandKind::Tiled { .. }) {
                    self.report_tiles(id, name);
                    return Checked::wrong(None);
                }
                self.uses.push((operand, id));
                // Reported where it is declared, or as a factor: it has no value of one type.
                if self.spec.operands[operand].kind.element().is_some_and(Element::is_several) {
                    return Checked::wrong(None);
                }
                Checked::new(ExprKind::Operand(operand), self.spec.operands[operand].kind.value())
            }
            Some(Binding::Output) => {
                let message = format!("`{name}` is a reference to the output");
                let help = format!("use `*{name}`, the old element");
                self.report(Rule::BodyTypes, id, message, help);
                Checked::wrong(Some(self.spec.output().element.value()))
            }
            None => {
                self.unknown_name(id, name);
                Checked::wrong(None)
            }
        }
    }

    /// `*name`: only the `&mut` parameter is a reference.
    pub(super) fn deref(&mut self, id: NodeId, name: &'a str) -> Checked {
        let ty = match self.lookup(name) {
            Some(Binding::Output) => {
                self.reads_old = true;
                let ty = self.spec.output().element.value();
                return Checked::new(ExprKind::Old(name.to_owned()), ty);
            }
            Some(Binding::Local(local)) => self.locals[local].ty,
            Some(Binding::Operand(operand)) => Some(self.spec.operands[operand].kind.value()),
            None => {
                self.unknown_name(id, name);
                return Checked::wrong(None);
            }
        };
        let message = format!("`{name}` is not a reference");
        self.report(Rule::BodyTypes, id, message, format!("write `{name}`"));
        Checked::wrong(ty)
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        let name = plain(name);
        let local = self.scope.iter().rev().find(|local| plain(self.locals[**local].name) == name);
        let operand = || self.spec.operands.iter().position(|o| plain(&o.name) == name);
        let output = || self.spec.output().in_place.as_ref().filter(|output| plain(output) == name);
        let local = local.map(|local| Binding::Local(*local));
        // A function sees no operands.
        if self.inside.is_some() {
            return local;
        }
        local
            .or_else(|| operand().map(Binding::Operand))
            .or_else(|| output().map(|_| Binding::Output))
    }

    pub(super) fn unknown_name(&mut self, id: NodeId, name: &str) {
        if self.unknown_in_function(id, name) {
            return;
        }
        if let Some(of) = Coordinate::from_name(name).filter(|of| self.has(*of)) {
            let help = format!("call it: `{name}()` is {}", of.said());
            return self.report(Rule::BodyNames, id, format!("unknown name `{name}`"), help);
        }
        if let Some(help) = self.index_as_value(name) {
            let message = format!("`{name}` is an index, not a value");
            return self.report(Rule::BodyNames, id, message, help);
        }
        if self.is_function(name) && Coordinate::from_name(name).is_none() {
            let message = format!("`{name}` is a function, not a value");
            let help = format!("call it where its value is needed: `{name}(..)`");
            return self.report(Rule::BodyNames, id, message, help);
        }
        let operands = self.spec.operands.iter().map(|operand| operand.name.as_str());
        let locals = self.scope.iter().map(|local| self.locals[*local].name);
        let output = self.spec.output().in_place.as_deref();
        let names: Vec<&str> = operands.chain(output).chain(locals).collect();
        let help = format!("{}; a constant has a name in capitals", possibilities("names", &names));
        let message = format!("unknown name `{name}`");
        let broken = Diagnostic::new(Rule::BodyNames, Field::Body(id), message, help);
        self.diagnostics.push(broken.among(name, &names));
    }

    /// The help for the name of an index, in lower case or as it is declared.
    fn index_as_value(&self, name: &str) -> Option<String> {
        let is_it = |index: &String| index.eq_ignore_ascii_case(name);
        let output = &self.spec.outputs[self.spec.leading()];
        if let Some(at) = output.indices.names().iter().position(is_it) {
            let of = Coordinate::OF_MATRIX[at];
            return Some(format!("{EXTENT}; `{}()` is {}, an `i32`", of.name(), of.said()));
        }
        if let Some(index) = output.batch.iter().find(|index| is_it(index)) {
            let (of, batch) = (Coordinate::Batch, batch_indices(&output.batch));
            let order = match output.batch.len() {
                1 => String::new(),
                _ => format!(", in row-major order of `{batch}`"),
            };
            return Some(format!(
                "{EXTENT}; `{}()` is {}{order}, an `i32`; pass what depends on it as an operand \
                 `Batched<T, {index}, I>`",
                of.name(),
                of.said()
            ));
        }
        let mut indices = self.spec.operands.iter().flat_map(|operand| operand.kind.indices());
        let is_summed = indices.any(is_it);
        is_summed.then(|| format!("{EXTENT}; it is summed over before the body"))
    }

    /// Brings `let`s into scope: their numbers and values, if all are right.
    pub(super) fn bind(&mut self, bindings: &'a [(String, NodeId)]) -> Option<Vec<(usize, Expr)>> {
        let bound = bindings.iter().map(|(name, value)| {
            let Checked { expr, ty } = self.check(*value);
            let has_product = expr.as_ref().is_some_and(|value| self.has_product(value));
            let value = expr.clone();
            self.locals.push(Local { value, has_product, ..Local::new(name, ty) });
            let local = self.locals.len() - 1;
            self.scope.push(local);
            expr.map(|expr| (local, expr))
        });
        // Collected first, so that each mistake is reported.
        let bound: Vec<_> = bound.collect();
        bound.into_iter().collect()
    }

    pub(super) fn block(&mut self, bindings: &'a [(String, NodeId)], value: NodeId) -> Checked {
        let outer = self.scope.len();
        let bound = self.bind(bindings);
        let Checked { expr, ty } = self.check(value);
        self.scope.truncate(outer);
        match (bound.map(|bound| self.left(bound)), expr) {
            (Some(bound), Some(expr)) if bound.is_empty() => Checked { expr: Some(expr), ty },
            (Some(bound), Some(expr)) => {
                let ty = expr.ty;
                Checked::new(ExprKind::Block(bound, Box::new(expr)), ty)
            }
            _ => Checked::wrong(ty),
        }
    }
}

/// Help for a name that does not exist: all there are.
pub(super) fn possibilities(what: &str, names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.is_empty() {
        true => format!("there are no {what} here"),
        false => format!("the {what} are {}", quoted.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::body::resolve::tests::check;
    use crate::body::samples;

    #[test]
    fn an_index_is_not_a_value() {
        check(
            samples::spec,
            "if n > M { 0.0 } else { matmul(x, w) / k }
         => body-names at n: `n` is an index, not a value; pass its extent as a parameter; `column()` is the \
            column of the element in the output, an `i32`
         => body-names at M: `M` is an index, not a value; pass its extent as a parameter; `row()` is the row of \
            the element in the output, an `i32`
         => body-names at k: `k` is an index, not a value; pass its extent as a parameter; it is \
            summed over before the body
         { let n = 2.0; matmul(x, w) * n }",
        );
    }
}
