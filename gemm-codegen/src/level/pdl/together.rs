//! What is copied early together: the factors of a side, each with its scales and offsets. A main loop reads scales from
//! its first k-tile on: where a side has some, the other side's factors are early only with all of these.

use crate::axis::{Multiplicands, Side};
use crate::field::Field;
use crate::problem::Read;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Spec;

/// What is multiplied, and the names that `pdl` has.
pub(super) struct Together<'a> {
    pub(super) spec: &'a Spec,
    pub(super) read: &'a Multiplicands<Read>,
    pub(super) named: &'a [String],
}

impl<'a> Together<'a> {
    /// The first name of an operand that is not copied early, as others that come with it are not named.
    pub(super) fn incomplete(&self) -> Option<Diagnostic> {
        let missing = |name: &String| self.side(name).map(|side| self.missing(side));
        let all = self.named.iter().enumerate();
        let (at, name, missing) = all
            .filter_map(|(at, name)| Some((at, name, missing(name)?)))
            .find(|(_, _, missing)| !missing.is_empty())?;
        let quoted: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let [are, them] = if quoted.len() == 1 { ["is", "it"] } else { ["are", "them"] };
        Some(Diagnostic::new(
            Rule::PdlOperands,
            Field::PdlOperand(at),
            format!(
                "`{name}` is loaded before the wait only together with {}, which {are} not named",
                quoted.join(" and ")
            ),
            format!(
                "name {them} too if the predecessor kernel does not write {them}, or write `pdl = [{}]`",
                self.complete().join(", ")
            ),
        ))
    }

    /// The names whose side has nothing missing, and those of no side.
    pub(super) fn complete(&self) -> Vec<&'a str> {
        let is_whole =
            |name: &&String| self.side(name).is_none_or(|side| self.missing(side).is_empty());
        self.named.iter().filter(is_whole).map(String::as_str).collect()
    }

    /// Whether all of a side is named.
    pub(super) fn is_early(&self, side: Side) -> bool {
        self.of(side).all(|operand| self.is_named(operand))
    }

    /// The operands of a side.
    fn of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.read.on(side).flat_map(Read::all)
    }

    /// The side of an operand of this name.
    fn side(&self, name: &str) -> Option<Side> {
        let is_on = |side: &Side| self.of(*side).any(|of| self.spec.operands[of].name == name);
        Side::BOTH.into_iter().find(is_on)
    }

    /// What comes with a side and is not named.
    fn missing(&self, side: Side) -> Vec<&str> {
        let other = side.other();
        let has_tiles = self.read.on(other).any(|of| !of.tiles.is_empty());
        let others = has_tiles.then(|| self.of(other)).into_iter().flatten();
        let unnamed = self.of(side).chain(others).filter(|operand| !self.is_named(*operand));
        unnamed.map(|operand| self.spec.operands[operand].name.as_str()).collect()
    }

    fn is_named(&self, operand: usize) -> bool {
        self.named.contains(&self.spec.operands[operand].name)
    }
}
