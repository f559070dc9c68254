//! Local memory, one a thread, and parameter space, one a launch.

use crate::lanes::LANES;
use crate::program::Extent;

/// Which bytes of a space belong to a variable.
fn valid_bytes(bytes: u64, extents: &[Extent]) -> Vec<bool> {
    let mut valid = vec![false; bytes as usize];
    for extent in extents {
        let start = extent.offset as usize;
        valid[start..start + extent.bytes as usize].fill(true);
    }
    valid
}

fn inside(valid: &[bool], address: u64, width: u32) -> bool {
    usize::try_from(address)
        .ok()
        .and_then(|start| valid.get(start..start.checked_add(width as usize)?))
        .is_some_and(|bytes| bytes.iter().all(|byte| *byte))
}

fn read(bytes: &[u8], start: usize, width: u32) -> [u32; 4] {
    let mut out = [0u8; 16];
    out[..width as usize].copy_from_slice(&bytes[start..start + width as usize]);
    words(out)
}

/// 16 bytes as words.
pub(crate) fn words(bytes: [u8; 16]) -> [u32; 4] {
    let mut out = [0; 4];
    for (word, bytes) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    out
}

/// Words as 16 bytes.
pub(crate) fn to_bytes(words: [u32; 4]) -> [u8; 16] {
    let mut out = [0; 16];
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    out
}

/// Parameter space: set up once, the same for all threads.
pub(crate) struct Fixed {
    bytes: Vec<u8>,
    valid: Vec<bool>,
}

impl Fixed {
    pub(crate) fn new(bytes: u64, extents: &[Extent], contents: &[Vec<u8>]) -> Fixed {
        let mut fixed =
            Fixed { bytes: vec![0; bytes as usize], valid: valid_bytes(bytes, extents) };
        for (extent, content) in extents.iter().zip(contents) {
            let start = extent.offset as usize;
            fixed.bytes[start..start + content.len()].copy_from_slice(content);
        }
        fixed
    }

    /// `width` bytes, unless they leave their parameter.
    pub(crate) fn load(&self, address: u64, width: u32) -> Option<[u32; 4]> {
        inside(&self.valid, address, width).then(|| read(&self.bytes, address as usize, width))
    }

    /// `N` bytes, unless they leave their parameter.
    pub(crate) fn bytes<const N: usize>(&self, address: u64) -> Option<&[u8; N]> {
        inside(&self.valid, address, N as u32)
            .then(|| self.bytes[address as usize..].first_chunk())
            .flatten()
    }
}

/// The local memories of a warp's lanes.
pub(crate) struct Locals {
    bytes: Vec<u8>,
    each: usize,
}

impl Locals {
    pub(crate) fn new(bytes: u64) -> Locals {
        Locals { bytes: vec![0; bytes as usize * LANES], each: bytes as usize }
    }

    /// Host memory in bytes.
    pub(crate) fn memory(bytes: u64) -> u64 {
        bytes * LANES as u64
    }

    pub(crate) fn reset(&mut self) {
        self.bytes.fill(0);
    }

    pub(crate) fn load(
        &self,
        layout: &LocalLayout,
        lane: usize,
        address: u64,
        width: u32,
    ) -> Option<[u32; 4]> {
        inside(&layout.valid, address, width)
            .then(|| read(&self.bytes, self.each * lane + address as usize, width))
    }

    /// False if the access leaves its variable.
    pub(crate) fn store(
        &mut self,
        layout: &LocalLayout,
        lane: usize,
        address: u64,
        width: u32,
        values: [u32; 4],
    ) -> bool {
        if !inside(&layout.valid, address, width) {
            return false;
        }
        let start = self.each * lane + address as usize;
        let values = to_bytes(values);
        self.bytes[start..start + width as usize].copy_from_slice(&values[..width as usize]);
        true
    }
}

/// Which bytes of local memory belong to a variable; the same for all threads.
pub(crate) struct LocalLayout {
    valid: Vec<bool>,
}

impl LocalLayout {
    pub(crate) fn new(bytes: u64, extents: &[Extent]) -> LocalLayout {
        LocalLayout { valid: valid_bytes(bytes, extents) }
    }
}
