//! A problem as its kernel computes it, where that multiplies planes of the factors.

use std::borrow::Cow;

use super::Known;
use super::factor::Multiplied;
use crate::axis::{Multiplicands, PerSide};
use crate::body::name::exponents_of;
use crate::element::Element;
use crate::spec::{Operand, OperandKind, Planes, Spec};

impl<'a> Known<'a> {
    /// The spec of a kernel that multiplies planes of the factors, and what is known of it. Each factor is
    /// a matrix of planes, whose rows run along K. After the operands of the function it has, for each
    /// factor, a vector of the exponents by which its rows were scaled, if they were: the body multiplies
    /// them into the sums.
    pub(crate) fn in_planes(self, asked: &'a Spec, planes: Planes) -> (Cow<'a, Spec>, Known<'a>) {
        let Known { multiplied: Some(multiplied), axes, body, batch } = self else {
            return (Cow::Borrowed(asked), self);
        };
        let mut spec = asked.clone();
        let k = multiplied.first.a.indices.iter();
        let k = k.clone().find(|index| multiplied.first.b.indices.contains(index));
        let declared = spec.operands.len();
        for factor in multiplied.of_products() {
            let own = factor.indices.iter().find(|index| Some(*index) != k);
            let (own, k) = (own.unwrap_or(&factor.indices[0]), k.unwrap_or(&factor.indices[1]));
            let exponents = planes.is_scaled().then(|| exponents(&spec, factor, own));
            let indices = [own.clone(), k.clone()];
            spec.operands[factor.operand].kind =
                OperandKind::Matrix { element: planes.element(), indices };
            spec.operands.extend(exponents);
        }
        let numbers = Multiplicands {
            first: PerSide { a: declared, b: declared + 1 },
            more: (0..multiplied.more.len()).map(|number| declared + 2 + number).collect(),
            // A rule refuses a term of planes.
            added: None,
        };
        let of_plane = |factor: Multiplied<'a>| Multiplied { element: planes.element(), ..factor };
        let known = Known {
            multiplied: Some(Multiplicands {
                first: multiplied.first.map(of_plane),
                more: multiplied.more.into_iter().map(of_plane).collect(),
                added: multiplied.added.map(|added| added.map(of_plane)),
            }),
            axes: axes.map(|axes| axes.in_planes(planes)),
            body: match planes.is_scaled() {
                true => body.map(|body| body.unscaled(&numbers)),
                false => body,
            },
            batch,
        };
        (Cow::Owned(spec), known)
    }
}

/// The exponents of a factor.
fn exponents(spec: &Spec, factor: &Multiplied<'_>, own: &str) -> Operand {
    let Operand { name, batch, .. } = &spec.operands[factor.operand];
    let kind = OperandKind::Vector { element: Element::I32, index: own.to_owned() };
    Operand { name: exponents_of(name), batch: batch.clone(), kind }
}
