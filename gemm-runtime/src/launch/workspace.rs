//! [`Workspace`]: partial sums and arrival counts of the blocks that share a tile.

use std::ops::Range;

use gemm_codegen::SplitK;
use gemm_codegen::abi::Scratch;
use gemm_codegen::auto::Shares;

use crate::device::Device;
use crate::error::Error;
use crate::memory::Buffer;

/// Bytes of the count of a tile.
const COUNT_BYTES: usize = size_of::<u32>();

/// The workspace of one prepared launch: for each tile the sums of its blocks, and the number of blocks
/// that have arrived. The counts are 0 before a launch, and the kernel resets them to 0.
#[derive(Debug)]
pub(crate) struct Workspace {
    buffer: Buffer,
    /// The bytes of the counts; the sums precede them.
    counts: Range<usize>,
}

impl Workspace {
    /// Allocates it for the tiles that blocks share, and clears the counts.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    pub(super) fn new(
        device: &Device,
        split_k: SplitK,
        shares: &Shares,
    ) -> Result<Workspace, Error> {
        let tiles = shares.shared() as usize;
        // Fewer than 2³¹ blocks, and none leaves more than its registers hold.
        let sums = tiles * shares.splits as usize * split_k.partial_bytes as usize;
        let counts = sums..sums + tiles * COUNT_BYTES;
        let mut workspace = Workspace { buffer: device.allocate(counts.end)?, counts };
        workspace.clear()?;
        Ok(workspace)
    }

    pub(crate) fn address(&self, part: Scratch) -> u64 {
        self.buffer.view().address() + self.bytes(part).start as u64
    }

    /// Which bytes of the workspace a part is.
    pub(crate) fn bytes(&self, part: Scratch) -> Range<usize> {
        match part {
            Scratch::Partials => 0..self.counts.start,
            Scratch::Arrivals => self.counts.clone(),
        }
    }

    /// Sets the counts to 0, in the order of the device's stream.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.buffer.view_mut().slice(self.counts.clone()).clear()
    }

    /// Fails if a count is not 0. Waits for the device.
    ///
    /// # Errors
    /// [`Error::CountLeft`] for the first such tile.
    #[cfg(feature = "emulator")]
    pub(crate) fn check(&self, kernel: &str) -> Result<(), Error> {
        let mut bytes = vec![0; self.counts.len()];
        self.buffer.view().slice(self.counts.clone()).download(&mut bytes)?;
        let (counts, _) = bytes.as_chunks::<COUNT_BYTES>();
        let counts = counts.iter().map(|bytes| u32::from_ne_bytes(*bytes));
        match counts.enumerate().find(|(_, count)| *count != 0) {
            None => Ok(()),
            Some((tile, count)) => Err(Error::CountLeft { kernel: kernel.to_owned(), tile, count }),
        }
    }
}
