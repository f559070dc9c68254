//! [`Workspace`]: what the blocks of a launch leave for each other, and how many have.

use std::ops::Range;

use gemm_codegen::abi::Scratch;
use gemm_codegen::{Axis, LaunchShape, Partials};

use crate::device::Device;
use crate::error::Error;
use crate::launch::problem::Problem;
use crate::memory::Buffer;

/// Bytes of a count.
const COUNT_BYTES: usize = size_of::<u32>();

/// To what the address of each part is aligned, in bytes.
const ALIGN: usize = 16;

/// The workspace of one prepared launch: of tiles that blocks share the sums of each block, and of outputs that
/// are reduced a value of each part; and the numbers of those that have arrived. The counts are 0 before a
/// launch, and the kernel resets them to 0.
#[derive(Debug)]
pub(crate) struct Workspace {
    buffer: Buffer,
    /// Which bytes each part has; counts follow everything else.
    parts: Vec<(Scratch, Range<usize>)>,
}

impl Workspace {
    /// Allocates what a kernel needs for a problem, if that is anything, and clears the counts.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    pub(super) fn new(
        device: &Device,
        launch: &LaunchShape,
        problem: &Problem,
    ) -> Result<Option<Workspace>, Error> {
        let mut parts: Vec<(Scratch, usize)> =
            of_split_k(launch, problem).into_iter().flatten().collect();
        parts.extend(launch.partials.iter().flat_map(|partials| of_partials(partials, problem)));
        if parts.is_empty() {
            return Ok(None);
        }
        parts.sort_by_key(|(part, _)| part.counts());
        let mut end = 0;
        let parts = parts.into_iter().map(|(part, bytes)| {
            let start = end;
            end = (start + bytes).next_multiple_of(ALIGN);
            (part, start..start + bytes)
        });
        let parts = parts.collect();
        let mut workspace = Workspace { buffer: device.allocate(end)?, parts };
        workspace.clear()?;
        Ok(Some(workspace))
    }

    /// Each part with its bytes.
    #[cfg(feature = "emulator")]
    pub(crate) fn parts(&self) -> impl Iterator<Item = &(Scratch, Range<usize>)> {
        self.parts.iter()
    }

    /// Where a part begins; 0 for one that the launch has not.
    pub(crate) fn address(&self, part: Scratch) -> u64 {
        let bytes = self.parts.iter().find(|(of, _)| *of == part).map(|(_, bytes)| bytes.start);
        bytes.map_or(0, |start| self.buffer.view().address() + start as u64)
    }

    /// The counts of all parts.
    fn counts(&self) -> impl Iterator<Item = Range<usize>> {
        self.parts.iter().filter(|(part, _)| part.counts()).map(|(_, bytes)| bytes.clone())
    }

    /// Sets the counts to 0, in the order of the device's stream.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        let counts: Vec<Range<usize>> = self.counts().collect();
        counts.into_iter().try_for_each(|bytes| self.buffer.view_mut().slice(bytes).clear())
    }

    /// Fails if a count is not 0. Waits for the device.
    ///
    /// # Errors
    /// [`Error::CountLeft`] for the first one.
    #[cfg(feature = "emulator")]
    pub(crate) fn check(&self, kernel: &str) -> Result<(), Error> {
        for bytes in self.counts() {
            let mut counts = vec![0; bytes.len()];
            self.buffer.view().slice(bytes).download(&mut counts)?;
            let (counts, _) = counts.as_chunks::<COUNT_BYTES>();
            let counts = counts.iter().map(|bytes| u32::from_ne_bytes(*bytes));
            if let Some((tile, count)) = counts.enumerate().find(|(_, count)| *count != 0) {
                return Err(Error::CountLeft { kernel: kernel.to_owned(), tile, count });
            }
        }
        Ok(())
    }
}

/// What blocks that share tiles need, by its bytes.
fn of_split_k(launch: &LaunchShape, problem: &Problem) -> Option<[(Scratch, usize); 2]> {
    let shares = &problem.shares;
    let split_k = launch.split_k.filter(|_| shares.shared() > 0)?;
    let tiles = shares.shared() as usize;
    // Fewer than 2³¹ blocks, and none leaves more than its registers hold.
    let sums = tiles * shares.splits as usize * split_k.partial_bytes as usize;
    Some([(Scratch::Partials, sums), (Scratch::Arrivals, tiles * COUNT_BYTES)])
}

/// What outputs that are reduced need, by its bytes.
fn of_partials(partials: &Partials, problem: &Problem) -> [(Scratch, usize); 2] {
    let (along, matrices) = (partials.along, problem.batch());
    let other = if along == Axis::M { Axis::N } else { Axis::M };
    let [lines, others] = [along, other].map(|axis| problem.shape.extent(axis));
    let values = partials.values(matrices, lines, others) * partials.bytes as usize;
    let counts = partials.counts(matrices, lines) * COUNT_BYTES;
    [(Scratch::PartialsAlong(along), values), (Scratch::ArrivalsAlong(along), counts)]
}
