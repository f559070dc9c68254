//! The modifiers of an opcode, taken one by one.

use super::site::Site;
use crate::program::{Rounding, Style};
use crate::ptx::{Problem, Space, Type};

/// Roundings to a float.
const ROUNDINGS: &[(&str, Rounding)] = &[
    ("rn", Rounding::Nearest),
    ("rna", Rounding::NearestAway),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

const SPACES: &[(&str, Space)] = &[
    ("global", Space::Global),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("shared::cluster", Space::Cluster),
    ("local", Space::Local),
    ("param", Space::Parameter),
    ("param::entry", Space::Parameter),
    ("param::func", Space::Parameter),
    ("const", Space::Constant),
];

impl Site<'_, '_> {
    /// Takes a modifier if it is there.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.take_named(&[(name, ())]).is_some()
    }

    /// Takes the first modifier that `names` maps to something.
    pub(super) fn take_map<T>(&mut self, names: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut left = self.modifiers.iter().enumerate();
        let (at, value) = left.find_map(|(at, name)| Some((at, names(name)?)))?;
        self.modifiers.remove(at);
        Some(value)
    }

    /// Takes the first modifier that `names` lists.
    pub(super) fn take_named<T: Copy>(&mut self, names: &[(&str, T)]) -> Option<T> {
        self.take_map(|name| {
            names.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
        })
    }

    /// As [`Site::take_named`]; the problem `what` if there is none.
    pub(super) fn required<T: Copy>(
        &mut self,
        names: &[(&str, T)],
        what: &str,
    ) -> Result<T, Problem> {
        self.take_named(names).ok_or_else(|| self.problem(what))
    }

    /// Takes all modifiers that `accept` takes; whether there were any.
    pub(super) fn take_all(&mut self, accept: impl Fn(&str) -> bool) -> bool {
        let before = self.modifiers.len();
        self.modifiers.retain(|name| !accept(name));
        self.modifiers.len() < before
    }

    /// The next type, in the order written.
    pub(super) fn ty(&mut self) -> Result<Type, Problem> {
        self.take_map(Type::parse).ok_or_else(|| self.problem("type is missing"))
    }

    /// The next type, which must be one of these.
    pub(super) fn ty_of(&mut self, allowed: &[Type]) -> Result<Type, Problem> {
        let ty = self.ty()?;
        let unfit = || self.problem("type does not fit this instruction");
        if allowed.contains(&ty) { Ok(ty) } else { Err(unfit()) }
    }

    /// The state space among the modifiers.
    pub(super) fn space(&mut self) -> Option<Space> {
        self.take_named(SPACES)
    }

    /// Whether a rounding to a float is written.
    pub(super) fn has_rounding(&self) -> bool {
        self.modifiers.iter().any(|name| ROUNDINGS.iter().any(|(other, _)| other == name))
    }

    /// Rounding, `ftz`, `sat` and `relu` of floating-point arithmetic.
    pub(super) fn style(&mut self) -> Style {
        Style {
            rounding: self.take_named(ROUNDINGS).unwrap_or_default(),
            flush: self.take("ftz"),
            saturate: self.take("sat"),
            relu: self.take("relu"),
            finite: false,
        }
    }
}
