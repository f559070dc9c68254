//! The modifiers of an opcode, taken one by one.

use crate::program::{Rounding, Style};
use crate::ptx::{Problem, Type};

pub(super) struct Modifiers<'o> {
    line: u32,
    left: Vec<&'o str>,
}

impl<'o> Modifiers<'o> {
    pub(super) fn new(line: u32, left: Vec<&'o str>) -> Modifiers<'o> {
        Modifiers { line, left }
    }

    /// Takes a modifier if it is there.
    pub(super) fn take(&mut self, name: &str) -> bool {
        match self.left.iter().position(|modifier| *modifier == name) {
            Some(at) => {
                self.left.remove(at);
                true
            }
            None => false,
        }
    }

    /// Takes the first modifier that `names` maps to something.
    pub(super) fn take_map<T>(&mut self, names: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, value) =
            self.left.iter().enumerate().find_map(|(at, name)| Some((at, names(name)?)))?;
        self.left.remove(at);
        Some(value)
    }

    /// Takes all modifiers that `accept` takes.
    pub(super) fn drop_all(&mut self, accept: impl Fn(&str) -> bool) {
        self.left.retain(|name| !accept(name));
    }

    /// Takes all modifiers that `accept` takes; whether there were any.
    pub(super) fn take_all(&mut self, accept: impl Fn(&str) -> bool) -> bool {
        let before = self.left.len();
        self.drop_all(accept);
        self.left.len() < before
    }

    /// The next type, in the order written.
    pub(super) fn ty(&mut self) -> Result<Type, Problem> {
        self.optional_ty().ok_or_else(|| Problem::new(self.line, "type is missing"))
    }

    /// The next type, which must be one of these.
    pub(super) fn ty_of(&mut self, allowed: &[Type]) -> Result<Type, Problem> {
        let ty = self.ty()?;
        let unfit = || Problem::new(self.line, "type does not fit this instruction");
        if allowed.contains(&ty) { Ok(ty) } else { Err(unfit()) }
    }

    pub(super) fn optional_ty(&mut self) -> Option<Type> {
        self.take_map(Type::parse)
    }

    /// Whether a rounding to a float is written.
    pub(super) fn has_rounding(&self) -> bool {
        self.left.iter().any(|name| rounding(name).is_some())
    }

    /// Rounding, `ftz`, `sat` and `relu` of floating-point arithmetic.
    pub(super) fn style(&mut self) -> Style {
        let rounding = self.take_map(rounding);
        Style {
            rounding: rounding.unwrap_or_default(),
            flush: self.take("ftz"),
            saturate: self.take("sat"),
            relu: self.take("relu"),
            finite: false,
        }
    }

    /// An error if a modifier is left that nobody took.
    pub(super) fn finish(self) -> Result<(), Problem> {
        match self.left.first() {
            None => Ok(()),
            Some(name) => Err(Problem::new(self.line, format!("unknown modifier .{name}"))),
        }
    }
}

/// A rounding to a float by name.
fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "rn" => Rounding::Nearest,
        "rna" => Rounding::NearestAway,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        "rp" => Rounding::Up,
        _ => return None,
    })
}
