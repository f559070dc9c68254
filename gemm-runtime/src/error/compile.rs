//! [`CompileError`]: NVRTC refused a text; with the source lines that its errors are about.

use std::fmt::{self, Write};

use crate::version::Version;

/// NVRTC refused a kernel.
///
/// It displays NVRTC's log unchanged, then the source lines that the errors are about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct CompileError {
    /// The name of the text in the log, such as `linear_gelu.cu`.
    pub name: String,
    /// The architecture it was compiled for.
    pub architecture: String,
    /// NVRTC's name for the failure, such as `NVRTC_ERROR_COMPILATION`.
    pub status: String,
    /// The compiler that refused it.
    pub nvrtc: Version,
    /// All options that it was compiled with.
    pub options: Vec<String>,
    /// NVRTC's log; may have many lines.
    pub log: String,
    /// The lines that the log's errors are about.
    pub excerpts: Vec<Excerpt>,
}

/// A source line with its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the first line of `lines`.
    pub first: usize,
    /// The line and up to two on each side of it.
    pub lines: Vec<String>,
}

impl Excerpt {
    /// The lines of `text` around `line`, if it has such a line.
    pub(crate) fn of(text: &str, line: usize) -> Option<Excerpt> {
        const AROUND: usize = 2;
        let index = line.checked_sub(1)?;
        let first = index.saturating_sub(AROUND);
        let lines: Vec<String> =
            text.lines().skip(first).take(index + AROUND + 1 - first).map(str::to_owned).collect();
        (index - first < lines.len()).then_some(Excerpt { line, first: first + 1, lines })
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, text) in (self.first..).zip(&self.lines) {
            let marker = if number == self.line { '>' } else { ' ' };
            writeln!(f, "{marker}{number:>5} | {text}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CompileError { name, architecture, status, nvrtc, .. } = self;
        write!(f, "NVRTC {nvrtc} cannot compile {name} for {architecture} ({status})")?;
        for line in self.log.lines() {
            write!(f, "\n    {line}")?;
        }
        for excerpt in &self.excerpts {
            let mut text = String::new();
            write!(text, "{excerpt}")?;
            write!(f, "\n  {name}:{}\n{}", excerpt.line, text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_marks_its_line() {
        let text = "a\nb\nc\nd\ne\nf\n";
        let excerpt = Excerpt::of(text, 4).expect("there is a line 4");
        assert_eq!(
            excerpt.to_string(),
            "     2 | b\n     3 | c\n>    4 | d\n     5 | e\n     6 | f\n"
        );
        assert_eq!(Excerpt::of(text, 1).expect("there is a line 1").lines, ["a", "b", "c"]);
        assert_eq!(Excerpt::of(text, 7), None);
        assert_eq!(Excerpt::of(text, 0), None);
    }
}
