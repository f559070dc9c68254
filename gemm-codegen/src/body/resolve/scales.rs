//! Factors with scales: `w * s`, and with an offset, `(w - z) * s` or `w * s + c`.

use super::Resolver;
use super::names::Binding;
use crate::element::{Element, ScalarType};
use crate::field::Field;
use crate::help::one_of;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::tiled;
use crate::spec::{BinaryOp, Node, NodeId, Operand, OperandKind};

/// Where an offset is applied to a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// It is subtracted before the factor is scaled: `(w - z) * s`.
    Zero,
    /// It is added to the scaled factor: `w * s + c`.
    Added,
}

/// A factor with its scale, and its offset if it has one, as it is written.
pub(crate) fn scaled(factor: &str, scale: &str, offset: Option<(Offset, &str)>) -> String {
    match offset {
        None => format!("{factor} * {scale}"),
        Some((Offset::Zero, offset)) => format!("({factor} - {offset}) * {scale}"),
        Some((Offset::Added, offset)) => format!("{factor} * {scale} + {offset}"),
    }
}

/// What a help calls the scales of a factor that has this offset.
fn other_than(offset: &str) -> &'static str {
    if offset == "s" { "scale" } else { "s" }
}

/// What is applied to a factor, by the numbers of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) scale: usize,
    pub(crate) offset: Option<(Offset, usize)>,
}

/// An argument of `matmul` as it is read, from the matrix outwards.
struct Written {
    factor: usize,
    scale: Option<usize>,
    offset: Option<(Offset, usize)>,
}

/// What an operator applies.
#[derive(Clone, Copy)]
enum Step {
    Scale,
    Offset(Offset),
}

impl Step {
    /// That of an operator, of a factor on its left or on its right.
    fn of(op: BinaryOp, on_left: bool) -> Option<Step> {
        match (op, on_left) {
            (BinaryOp::Mul, _) => Some(Step::Scale),
            (BinaryOp::Add, _) => Some(Step::Offset(Offset::Added)),
            (BinaryOp::Sub, true) => Some(Step::Offset(Offset::Zero)),
            _ => None,
        }
    }
}

impl Resolver<'_> {
    /// The operand that one of the arguments of `matmul` names.
    pub(super) fn factor(&mut self, id: NodeId, arguments: &[NodeId]) -> Option<usize> {
        let written = self.written(id, arguments, false)?;
        let Written { factor, scale, offset } = written;
        if let (None, Some((_, offset))) = (scale, offset) {
            let [offset, factor] = [offset, factor].map(|of| &self.spec.operands[of].name);
            let message = format!("`{factor}` has the offset `{offset}`, but no scale");
            let scale = other_than(offset);
            let help = format!("multiply it by its scales: `({factor} - {offset}) * {scale}`");
            self.report(Rule::ScaledFactor, id, message, help);
            return None;
        }
        self.with_applied(id, factor, scale.map(|scale| Applied { scale, offset }))
    }

    /// What an argument of `matmul` is, `in_scale` if it is a part of one that is multiplied by scales.
    fn written(&mut self, id: NodeId, arguments: &[NodeId], in_scale: bool) -> Option<Written> {
        match self.node(id) {
            Node::Name(name) => {
                let factor = self.named(id, name, arguments)?;
                Some(Written { factor, scale: None, offset: None })
            }
            Node::Binary(op, x, y) => {
                let (at, tiles, of, on_left) = match [*x, *y].map(|part| self.tiles(part)) {
                    [None, Some(tiles)] => (*y, tiles, *x, true),
                    [Some(tiles), None] => (*x, tiles, *y, false),
                    [None, None] | [Some(_), Some(_)] => {
                        self.report_untiled(id, (*op, [*x, *y]), arguments, in_scale);
                        return None;
                    }
                };
                let Some(step) = Step::of(*op, on_left) else {
                    self.report_computed(id);
                    return None;
                };
                let in_scale = in_scale || matches!(step, Step::Scale);
                let written = self.written(of, arguments, in_scale)?;
                self.with_tiles(at, (step, tiles), written, in_scale)
            }
            _ => {
                self.report_computed(id);
                None
            }
        }
    }

    /// A factor to which these tiles are applied too, if it can be.
    fn with_tiles(
        &mut self,
        at: NodeId,
        (step, tiles): (Step, usize),
        written: Written,
        in_scale: bool,
    ) -> Option<Written> {
        let Written { factor, scale, offset } = written;
        let name = |operand: usize| &self.spec.operands[operand].name;
        let (of, new) = (name(factor), name(tiles));
        let (message, help) = match (step, scale, offset) {
            (Step::Scale, None, _) => return Some(Written { scale: Some(tiles), ..written }),
            (Step::Offset(Offset::Zero), None, None)
            | (Step::Offset(Offset::Added), Some(_), None) => {
                let Step::Offset(step) = step else { return None };
                return Some(Written { offset: Some((step, tiles)), ..written });
            }
            (Step::Scale, Some(scale), _) => (
                format!("`{of}` is multiplied by `{new}` here and by `{}` before", name(scale)),
                "a factor has one scale".to_owned(),
            ),
            (Step::Offset(_), _, Some((_, offset))) => (
                format!("`{of}` has the offset `{new}` here and `{}` before", name(offset)),
                "a factor has one offset".to_owned(),
            ),
            (Step::Offset(_), None, None) if !in_scale => (
                format!("`{of}` has the offset `{new}`, but no scale"),
                format!("multiply it by its scales: `{of} * {} + {new}`", other_than(new)),
            ),
            (Step::Offset(_), None, None) => (
                format!("`{new}` is added to `{of}` before it is scaled"),
                format!("write `({of} - {new}) * {0}` or `{of} * {0} + {new}`", other_than(new)),
            ),
            (Step::Offset(_), Some(scale), None) => (
                format!("`{new}` is subtracted from `{of}` after it is scaled"),
                format!(
                    "write `({of} - {new}) * {0}`, or add the opposite: `{of} * {0} + {new}`",
                    name(scale)
                ),
            ),
        };
        self.report(Rule::ScaledFactor, at, message, help);
        None
    }

    /// The factor, if this is applied to it, or nothing, wherever it is multiplied.
    fn with_applied(
        &mut self,
        id: NodeId,
        factor: usize,
        applied: Option<Applied>,
    ) -> Option<usize> {
        let Some(known) = self.scales.insert(factor, applied) else {
            if let Some(applied) = applied {
                self.check_tiles(factor, applied);
            }
            return Some(factor);
        };
        if known == applied {
            return Some(factor);
        }
        self.scales.insert(factor, known);
        let name = |operand: usize| &self.spec.operands[operand].name;
        let by = |applied: Option<Applied>| match applied {
            None => "by no scale".to_owned(),
            Some(Applied { scale, offset: None }) => format!("by `{}`", name(scale)),
            Some(Applied { scale, offset: Some((_, offset)) }) => {
                format!("by `{}`, with the offset `{}`,", name(scale), name(offset))
            }
        };
        let message = format!(
            "`{}` is multiplied {} here and {} before",
            name(factor),
            by(applied),
            by(known)
        );
        self.report(Rule::ScaledFactor, id, message, "a factor has one scale and one offset");
        None
    }

    /// The operand that a node names, if it has an element for each tile of a factor.
    pub(super) fn tiles(&self, id: NodeId) -> Option<usize> {
        let Node::Name(name) = self.node(id) else { return None };
        let Some(Binding::Operand(operand)) = self.lookup(name) else { return None };
        matches!(self.spec.operands[operand].kind, OperandKind::Tiled { .. }).then_some(operand)
    }

    /// Scales and offsets have the indices of their factor, and tiles of one shape.
    fn check_tiles(&mut self, factor: usize, Applied { scale, offset }: Applied) {
        let is_scale = self.has_indices(factor, scale) & self.is_of_floats(scale);
        let Some((_, offset)) = offset else { return };
        if !self.has_indices(factor, offset) || !is_scale {
            return;
        }
        let kind = |operand: usize| &self.spec.operands[operand].kind;
        let OperandKind::Tiled { element, indices, extents } = kind(offset) else { return };
        let OperandKind::Tiled { indices: of_scale, extents: scaled, .. } = kind(scale) else {
            return;
        };
        let places = indices.each_ref().map(|index| of_scale.iter().position(|of| of == index));
        let [Some(row), Some(column)] = places else { return };
        let expected = [scaled[row], scaled[column]];
        let Some(at) = (0..2).find(|at| extents[*at] != expected[*at]) else { return };
        let [offset_name, scale_name] = [offset, scale].map(|of| &self.spec.operands[of].name);
        self.diagnostics.push(Diagnostic::new(
            Rule::ScaledFactor,
            Field::OperandIndex(offset, 2 + at),
            format!(
                "`{offset_name}` has tiles of {} along `{}`, but the scales `{scale_name}` have tiles of {}",
                extents[at], indices[at], expected[at]
            ),
            format!("declare `{offset_name}: {}`", tiled(*element, indices, expected)),
        ));
    }

    /// Whether scales are of an element that is summed in f32, which multiplies the sums of a tile exactly.
    fn is_of_floats(&mut self, scale: usize) -> bool {
        let Operand { name, kind, .. } = &self.spec.operands[scale];
        let OperandKind::Tiled { element, indices, extents } = kind else { return true };
        if element.value() == ScalarType::F32 {
            return true;
        }
        let message =
            format!("`{name}` has elements of {element}, but a scale multiplies sums of f32");
        let floats = Element::ALL.into_iter().filter(|of| of.value() == ScalarType::F32);
        let floats: Vec<&str> = floats.map(Element::name).filter(|of| *of != "f32").collect();
        let help = format!(
            "declare `{name}: {}`, or with elements of {}",
            tiled(Element::F32, indices, *extents),
            one_of(floats)
        );
        let at = Field::OperandElement(scale);
        self.diagnostics.push(Diagnostic::new(Rule::ScaledFactor, at, message, help));
        false
    }

    /// Whether tiles have the indices of their factor.
    fn has_indices(&mut self, factor: usize, tiles: usize) -> bool {
        let [of_factor, of_tiles] = [factor, tiles].map(|of| self.spec.operands[of].kind.indices());
        if of_factor.iter().all(|index| of_tiles.contains(index)) {
            return true;
        }
        let other = of_tiles.iter().position(|index| !of_factor.contains(index)).unwrap_or(1);
        let [factor, name] = [factor, tiles].map(|of| &self.spec.operands[of].name);
        let message = format!(
            "`{name}` has tiles of `{}`, but `{factor}` is a matrix of `{}`",
            of_tiles.join(", "),
            of_factor.join(", ")
        );
        let help = match (&self.spec.operands[tiles].kind, of_factor) {
            (OperandKind::Tiled { element, extents, .. }, [i, j]) => {
                let tiles = tiled(*element, &[i.clone(), j.clone()], *extents);
                format!("declare `{name}: {tiles}`")
            }
            _ => format!("declare `{name}` with the indices of its factor"),
        };
        let at = Field::OperandIndex(tiles, other);
        self.diagnostics.push(Diagnostic::new(Rule::ScaledFactor, at, message, help));
        false
    }
}
