//! Where instructions come from: lines of the CUDA source, and the calls that were inlined around them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::fault::SourceLine;

/// A line of the CUDA source, in one chain of inlined calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SourceFrame {
    pub(crate) file: u32,
    pub(crate) line: u32,
    /// Index into [`SourceMap::functions`]; none in the kernel itself.
    pub(crate) function: Option<u32>,
    /// The frame of the call that was inlined.
    pub(crate) caller: Option<u32>,
}

/// The frames that [`Origin::frame`](super::Origin::frame) indexes.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// Numbers and names of the files.
    pub(crate) files: Arc<HashMap<u32, Arc<str>>>,
    pub(crate) functions: Vec<Arc<str>>,
    pub(crate) frames: Vec<SourceFrame>,
}

impl SourceMap {
    /// The line of a frame and those of the calls around it, innermost first. A frame of another line never has
    /// itself among its callers, because a caller is made before what it calls.
    pub(crate) fn lines(&self, frame: Option<u32>) -> Vec<SourceLine> {
        let frame_at = |at: u32| self.frames.get(at as usize);
        let first = frame.and_then(frame_at);
        let chain = std::iter::successors(first, |frame| frame.caller.and_then(frame_at));
        chain.map(|frame| self.line(frame)).collect()
    }

    fn line(&self, frame: &SourceFrame) -> SourceLine {
        let function = frame.function.and_then(|at| self.functions.get(at as usize));
        SourceLine {
            file: self.files.get(&frame.file).cloned().unwrap_or_default(),
            line: frame.line,
            function: function.cloned(),
        }
    }
}
