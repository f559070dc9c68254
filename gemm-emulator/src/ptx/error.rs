//! Why PTX text could not be taken.

use thiserror::Error;

/// PTX text that the emulator does not take: malformed, or an instruction, modifier or directive it does not model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("ptx line {line}: {what}: `{text}`")]
#[non_exhaustive]
pub struct ParseError {
    /// Line of the PTX text, from 1.
    pub line: u32,
    /// That line, trimmed.
    pub text: String,
    /// The problem.
    pub what: String,
}

/// A parse error before the text of its line is known.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) line: u32,
    pub(crate) what: String,
}

impl Problem {
    pub(crate) fn new(line: u32, what: impl Into<String>) -> Problem {
        Problem { line, what: what.into() }
    }

    /// Adds the text of the line from the whole PTX text.
    pub(crate) fn locate(self, ptx: &str) -> ParseError {
        let index = (self.line as usize).saturating_sub(1);
        let text = ptx.lines().nth(index).unwrap_or("").trim().chars().take(200).collect();
        ParseError { line: self.line, text, what: self.what }
    }
}
