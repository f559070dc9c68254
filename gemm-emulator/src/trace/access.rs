//! [`Access`]: the bytes that the lanes of a warp access, with the source line.

use std::sync::Arc;

use crate::fault::SourceLine;

/// What an instruction of a warp accesses in shared or global memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// Rank in its cluster of the warp's block.
    pub block: u32,
    /// Number of the warp; the first of a warpgroup for a `wgmma`.
    pub warp: u32,
    /// How it accesses them.
    pub kind: AccessKind,
    /// Line of the CUDA source and the calls that were inlined around it, innermost first; empty if the PTX does not
    /// tell.
    pub source: Arc<[SourceLine]>,
    /// The bytes.
    pub parts: Vec<AccessPart>,
}

/// How an instruction accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessKind {
    /// `ld.shared` and `ldmatrix`.
    Load,
    /// `st.shared` and `stmatrix`.
    Store,
    /// `ld.global`.
    LoadGlobal,
    /// `cp.async`, bulk and tensor copies to shared memory.
    Copy,
    /// `wgmma`, by descriptors.
    Multiply,
}

/// Contiguous bytes that a lane accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessPart {
    /// The lane; of an `ldmatrix` or `stmatrix` the one that has the address. 0 for a `wgmma`.
    pub lane: u32,
    /// The first byte in shared memory.
    pub shared: Option<u32>,
    /// The first byte in global memory; none where zeros are written instead.
    pub global: Option<u64>,
    /// How many.
    pub bytes: u32,
    /// The wavefront of the instruction in which the banks serve the lane, from 0; none for bulk and tensor copies and
    /// for `wgmma`, whose wavefronts are not known. In which order a bank delivers several words is not documented: it
    /// is given as that of the lanes.
    pub wavefront: Option<u32>,
}

impl AccessPart {
    /// Bytes of shared memory.
    pub(crate) fn shared(lane: usize, address: u64, bytes: u32, wavefront: u32) -> AccessPart {
        let (shared, wavefront) = (Some(address as u32), Some(wavefront));
        AccessPart { lane: lane as u32, shared, global: None, bytes, wavefront }
    }

    /// Bytes of global memory.
    pub(crate) fn global(lane: usize, address: u64, bytes: u32) -> AccessPart {
        let global = Some(address);
        AccessPart { lane: lane as u32, shared: None, global, bytes, wavefront: None }
    }

    /// Bytes that a bulk or tensor copy or a `wgmma` moves.
    pub(crate) fn moved(lane: usize, shared: u32, global: Option<u64>, bytes: u32) -> AccessPart {
        AccessPart { lane: lane as u32, shared: Some(shared), global, bytes, wavefront: None }
    }
}
