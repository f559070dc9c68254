//! [`Diagnostic`]: what is said when a rule is broken.

use std::fmt;

use super::Rule;
use crate::field::Field;
use crate::help::{Unknown, Values};

/// One broken rule: where, the numbers that were computed, whose limit it is, and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The law.
    pub rule: Rule,
    /// What to point at.
    pub at: Field,
    /// What to point at instead if `at` was left to its default: the place that no default suits.
    pub unsuited: Option<Field>,
    /// What is wrong: lower case, with the numbers, no full stop.
    pub message: String,
    /// A legal value close to the wrong one, or what is possible.
    pub help: String,
    /// Other rules that are broken at the same place, which the value that the help names satisfies too.
    pub also: Vec<Rule>,
    /// Values that the help names instead, if one of them is legal.
    pub(crate) values: Option<Box<Values>>,
    /// The unknown name; the help suggests a legal one for it.
    pub(crate) unknown: Option<Box<Unknown>>,
}

impl Diagnostic {
    /// A diagnostic of `rule` at `at`.
    pub fn new(
        rule: Rule,
        at: Field,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            rule,
            at,
            unsuited: None,
            message: message.into(),
            help: help.into(),
            also: Vec::new(),
            values: None,
            unknown: None,
        }
    }

    /// The same, which points at `unsuited` if `at` was left to its default.
    pub(crate) fn or_at(self, unsuited: Field) -> Diagnostic {
        Diagnostic { unsuited: Some(unsuited), ..self }
    }

    /// The same, whose help names those of these values that are legal, if any is.
    pub(crate) fn naming(self, values: Values) -> Diagnostic {
        Diagnostic { values: Some(Box::new(values)), ..self }
    }

    /// The same, whose help names no value.
    pub(crate) fn naming_nothing(self) -> Diagnostic {
        Diagnostic { values: None, ..self }
    }

    /// The same of a function of one output alone, at its place in the function that it is a part of: that of this output, and
    /// of operands of these numbers.
    pub(crate) fn renumbered(self, output: usize, operands: &[usize]) -> Diagnostic {
        let renumber = |at| renumbered(at, output, operands);
        Diagnostic { at: renumber(self.at), unsuited: self.unsuited.map(renumber), ..self }
    }

    /// The same of an unknown name, whose help suggests one of these if that is legal.
    pub(crate) fn among(self, written: &str, known: &[&str]) -> Diagnostic {
        let known = known.iter().map(|name| (*name).to_owned()).collect();
        let unknown = Unknown { written: written.to_owned(), known };
        Diagnostic { unknown: Some(Box::new(unknown)), ..self }
    }
}

/// A field of a function of one output alone, in the function that it is a part of.
fn renumbered(at: Field, output: usize, operands: &[usize]) -> Field {
    match at {
        Field::Operand(number) => Field::Operand(operands[number]),
        Field::OperandElement(number) => Field::OperandElement(operands[number]),
        Field::OperandBatch(number) => Field::OperandBatch(operands[number]),
        Field::OperandIndex(number, at) => Field::OperandIndex(operands[number], at),
        Field::Output(_) => Field::Output(output),
        Field::OutputElement(_) => Field::OutputElement(output),
        Field::OutputBatch(_) => Field::OutputBatch(output),
        Field::OutputIndex(_, at) => Field::OutputIndex(output, at),
        at => at,
    }
}

impl fmt::Display for Diagnostic {
    /// As rustc shows it: the message, then notes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n  = help: {}\n  = rule: {}", self.message, self.help, self.rule)
    }
}

impl std::error::Error for Diagnostic {}

/// Every broken rule of a spec; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub(crate) Vec<Diagnostic>);

impl Diagnostics {
    /// The diagnostics in the order of the rules' phases.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "error: {diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// Collects what the checks of a plan find, so that no check has to know of another.
#[derive(Default)]
pub(crate) struct Findings(Vec<Diagnostic>);

impl Findings {
    /// Keeps the evidence of a check, or its diagnostics.
    pub(crate) fn keep<T>(&mut self, checked: Result<T, Vec<Diagnostic>>) -> Option<T> {
        checked.map_err(|broken| self.0.extend(broken)).ok()
    }

    /// Whether this rule was found broken.
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.0.iter().any(|broken| broken.rule == rule)
    }

    /// Adds what was found elsewhere.
    pub(crate) fn report(&mut self, broken: impl IntoIterator<Item = Diagnostic>) {
        self.0.extend(broken);
    }

    /// What was found, if anything was.
    pub(crate) fn take(self) -> Option<Vec<Diagnostic>> {
        (!self.0.is_empty()).then_some(self.0)
    }

    /// The plan, if nothing was found against it.
    pub(crate) fn finish<T>(self, plan: Option<T>) -> Result<T, Vec<Diagnostic>> {
        match plan {
            Some(plan) if self.0.is_empty() => Ok(plan),
            _ => Err(self.0),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
