//! The matrices that are multiplied.

use std::collections::BTreeMap;

use crate::axis::{Multiplicands, PerSide};
use crate::body::{self, Applied, Offset};
use crate::element::Element;
use crate::spec::{Operand, OperandKind, Planes, Spec};

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
    /// The offset of the same tiles, if there is one.
    pub offset: Option<ScaleOffset>,
}

/// The offset of a factor: a matrix with an element for each tile that its scale has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleOffset {
    /// Where it is applied.
    pub applied: Offset,
    /// Its number among the operands.
    pub operand: usize,
    /// Type of its elements in memory.
    pub element: Element,
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

    /// The numbers of its operands: of its matrix, its scales and its offsets.
    pub(crate) fn operands(&self) -> impl Iterator<Item = usize> {
        let offset = self.scale.and_then(|scale| scale.offset);
        let tiles = self.scale.map(|scale| scale.operand).into_iter();
        std::iter::once(self.operand).chain(tiles).chain(offset.map(|offset| offset.operand))
    }
}

impl Scale {
    /// That of a factor to which this is applied, where `k` is summed over.
    fn of(Applied { scale, offset }: Applied, spec: &Spec, k: &str) -> Option<Scale> {
        let kind = |operand: usize| &spec.operands[operand].kind;
        let OperandKind::Tiled { element, indices, extents } = kind(scale) else { return None };
        let k_contiguous = indices[1] == k;
        let [lines, of_k] = if k_contiguous { *extents } else { [extents[1], extents[0]] };
        let offset = offset.and_then(|(applied, operand)| {
            let OperandKind::Tiled { element, indices, .. } = kind(operand) else { return None };
            let k_contiguous = indices[1] == k;
            Some(ScaleOffset { applied, operand, element: *element, k_contiguous })
        });
        Some(Scale { operand: scale, element: *element, lines, k: of_k, k_contiguous, offset })
    }
}

/// A factor, by its number in the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FactorId(pub(super) usize);

/// What is read of an argument of `matmul`, by the numbers of the operands.
pub(crate) struct Read {
    /// Its matrix.
    pub(crate) factor: usize,
    /// Its scales and its offsets, if it has them.
    pub(crate) tiles: Vec<usize>,
}

impl Read {
    /// All of it.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.factor).chain(self.tiles.iter().copied())
    }
}

/// An argument of `matmul`, whatever its indices are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiplied<'a> {
    /// Its number among the operands.
    pub(crate) operand: usize,
    /// Type of its elements.
    pub(crate) element: Element,
    /// What is applied to it, if it is scaled.
    pub(super) applied: Option<Applied>,
    pub(super) name: &'a str,
    pub(super) indices: &'a [String; 2],
}

impl<'a> Multiplied<'a> {
    /// Those of a spec, by their numbers; `None` if one is not a matrix.
    pub(super) fn of(
        spec: &'a Spec,
        numbers: &Multiplicands<usize>,
        scales: &BTreeMap<usize, Applied>,
    ) -> Option<Multiplicands<Multiplied<'a>>> {
        let factor = |operand: usize| {
            let applied = scales.get(&operand).copied();
            Multiplied::declared((operand, applied), &spec.operands[operand])
        };
        let PerSide { a, b } = numbers.first;
        let more = numbers.more.iter().map(|number| factor(*number)).collect::<Option<_>>()?;
        let added = match numbers.added {
            Some(PerSide { a, b }) => Some(PerSide { a: factor(a)?, b: factor(b)? }),
            None => None,
        };
        Some(Multiplicands { first: PerSide { a: factor(a)?, b: factor(b)? }, more, added })
    }

    /// That of this number to which this is applied, declared like this; `None` if it is not a matrix.
    pub(super) fn declared(
        (operand, applied): (usize, Option<Applied>),
        declared: &'a Operand,
    ) -> Option<Multiplied<'a>> {
        let OperandKind::Matrix { element, indices } = &declared.kind else { return None };
        Some(Multiplied { operand, element: *element, applied, name: &declared.name, indices })
    }

    /// What is read of it.
    pub(super) fn read(&self) -> Read {
        let tiles = self.applied.iter().flat_map(|Applied { scale, offset }| {
            [*scale].into_iter().chain(offset.map(|(_, offset)| offset))
        });
        Read { factor: self.operand, tiles: tiles.collect() }
    }

    /// The factor that it is where `k` is summed over.
    pub(super) fn summed_over(self, k: &str, spec: &Spec) -> Factor {
        let Multiplied { operand, element, indices, .. } = self;
        let scale = self.applied.and_then(|applied| Scale::of(applied, spec, k));
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
