//! The matrices that are multiplied.

use std::collections::BTreeMap;

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
    /// What it is multiplied by, if it is scaled.
    pub scale: Option<Scale>,
    k_contiguous: bool,
}

/// The scale of a factor: a matrix with an element for each of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Its number among the operands.
    pub operand: usize,
    /// Type of its elements in memory.
    pub element: Element,
    /// Lines of the factor in a tile: rows of A, columns of B.
    pub lines: u32,
    /// K of a tile.
    pub k: u32,
    /// Whether its elements are contiguous along K.
    pub k_contiguous: bool,
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

impl Scale {
    /// That of an operand, where `k` is summed over.
    fn of(operand: usize, kind: &OperandKind, k: &str) -> Option<Scale> {
        let OperandKind::Tiled { element, indices, extents } = kind else { return None };
        let k_contiguous = indices[1] == k;
        let [lines, k] = if k_contiguous { *extents } else { [extents[1], extents[0]] };
        Some(Scale { operand, element: *element, lines, k, k_contiguous })
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
    /// The number of its scale among the operands, if it is scaled.
    pub(super) scale: Option<usize>,
    pub(super) name: &'a str,
    pub(super) indices: &'a [String; 2],
}

impl<'a> Multiplied<'a> {
    /// Those of a spec, by their numbers; `None` if one is not a matrix.
    pub(super) fn of(
        spec: &'a Spec,
        numbers: &Multiplicands<usize>,
        scales: &BTreeMap<usize, usize>,
    ) -> Option<Multiplicands<Multiplied<'a>>> {
        let factor = |operand: usize| {
            let declared = &spec.operands[operand];
            let OperandKind::Matrix { element, indices } = &declared.kind else { return None };
            let (scale, name) = (scales.get(&operand).copied(), &declared.name);
            Some(Multiplied { operand, element: *element, scale, name, indices })
        };
        let PerSide { a, b } = numbers.first;
        let more = numbers.more.iter().map(|number| factor(*number)).collect::<Option<_>>()?;
        Some(Multiplicands { first: PerSide { a: factor(a)?, b: factor(b)? }, more })
    }

    /// The factor that it is where `k` is summed over.
    pub(super) fn summed_over(self, k: &str, spec: &Spec) -> Factor {
        let Multiplied { operand, element, indices, .. } = self;
        let scale = self.scale.and_then(|number| Scale::of(number, &spec.operands[number].kind, k));
        Factor { operand, element, scale, k_contiguous: indices[1] == k }
    }
}

impl Spec {
    /// The elements of the two factors of each product, if the body says clearly which they are.
    pub fn factor_elements(&self) -> Option<[Element; 2]> {
        let PerSide { a, b } =
            Multiplied::of(self, &body::resolve(self).multiplied?, &BTreeMap::new())?.first;
        Some([a.element, b.element])
    }
}
