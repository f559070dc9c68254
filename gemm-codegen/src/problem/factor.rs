//! The matrices that are multiplied.

use crate::axis::{Multiplicands, PerSide};
use crate::body;
use crate::element::Element;
use crate::spec::{OperandKind, Planes, Spec};

/// A matrix that is multiplied, with its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// Its number among the operands.
    pub operand: usize,
    /// Type of its elements in memory.
    pub element: Element,
    k_contiguous: bool,
}

impl Factor {
    /// Makes it what its planes are.
    pub(super) fn in_planes(&mut self, planes: Planes) {
        (self.element, self.k_contiguous) = (planes.element(), true);
    }

    /// Whether K is its contiguous dimension.
    pub fn k_contiguous(&self) -> bool {
        self.k_contiguous
    }
}

/// A factor, by its number in the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FactorId(pub(super) usize);

/// An argument of `matmul`, whatever its indices are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiplied<'a> {
    /// Its number among the operands.
    pub(crate) operand: usize,
    /// Type of its elements.
    pub(crate) element: Element,
    pub(super) name: &'a str,
    pub(super) indices: &'a [String; 2],
}

impl<'a> Multiplied<'a> {
    /// Those of a spec, by their numbers; `None` if one is not a matrix.
    pub(super) fn of(
        spec: &'a Spec,
        numbers: &Multiplicands<usize>,
    ) -> Option<Multiplicands<Multiplied<'a>>> {
        let factor = |operand: usize| {
            let declared = &spec.operands[operand];
            let OperandKind::Matrix { element, indices } = &declared.kind else { return None };
            Some(Multiplied { operand, element: *element, name: &declared.name, indices })
        };
        let PerSide { a, b } = numbers.first;
        let more = numbers.more.iter().map(|number| factor(*number)).collect::<Option<_>>()?;
        Some(Multiplicands { first: PerSide { a: factor(a)?, b: factor(b)? }, more })
    }

    /// The factor that it is where `k` is summed over.
    pub(super) fn summed_over(self, k: &str) -> Factor {
        let Multiplied { operand, element, indices, .. } = self;
        Factor { operand, element, k_contiguous: indices[1] == k }
    }
}

impl Spec {
    /// The elements of the two factors of each product, if the body says clearly which they are.
    pub fn factor_elements(&self) -> Option<[Element; 2]> {
        let PerSide { a, b } = Multiplied::of(self, &body::resolve(self).multiplied?)?.first;
        Some([a.element, b.element])
    }
}
