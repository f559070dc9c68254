//! Where in a launch something happened.

use std::fmt;
use std::sync::Arc;

/// A line of the CUDA source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLine {
    /// The file as the compiler was told it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The device function it stands in; none for the kernel itself.
    pub function: Option<Arc<str>>,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "{function}, ")?;
        }
        // A compiler that was given text makes up a folder for it, which would mislead.
        let name = self.file.rsplit('/').next().unwrap_or_default();
        write!(f, "{name}:{}", self.line)
    }
}

/// Where in a launch something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The kernel.
    pub kernel: String,
    /// Line of the PTX text, from 1.
    pub ptx_line: u32,
    /// That line, without the space around it.
    pub instruction: String,
    /// Line of the CUDA source, if the PTX tells.
    pub source: Option<SourceLine>,
    /// The calls that were inlined around that line, innermost first.
    pub inlined_at: Vec<SourceLine>,
    /// Index of the block.
    pub block: [u32; 3],
    /// Index of the thread in its block.
    pub thread: [u32; 3],
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        write!(f, "in kernel {}, PTX line {}: `{}`", self.kernel, self.ptx_line, self.instruction)?;
        if let Some(source) = &self.source {
            write!(f, " ({source}")?;
            for call in &self.inlined_at {
                write!(f, ", called in {call}")?;
            }
            f.write_str(")")?;
        }
        write!(f, ", block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz})")
    }
}
