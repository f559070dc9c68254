//! Global memory: allocations of the host.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use thiserror::Error;

use super::buffer::Buffer;
use super::view::{GlobalView, Region};
use super::{ALIGNMENT, HEAP_BASE};
use crate::fault::LaunchError;
use crate::operand::Operand;

/// How many freed ranges are remembered, for telling use after free from other accesses out of bounds:
/// few, since each launch copies them, and a program may allocate for days. An access to an older one is
/// out of bounds.
const REMEMBERED: usize = 256;

/// Why the host could not do something with emulated memory.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The limit given to [`Memory::with_limit`] would be passed.
    #[error("out of memory: {requested} B requested, {used} B of {limit} B in use")]
    OutOfMemory {
        /// Bytes asked for.
        requested: u64,
        /// Bytes in use.
        used: u64,
        /// The most bytes in use at a time.
        limit: u64,
    },
    /// The address is not the start of an allocation.
    #[error("no allocation starts at {address:#x}")]
    NotAllocated {
        /// The address given.
        address: u64,
    },
    /// A host copy leaves its allocation.
    #[error("{bytes} B at {address:#x} do not lie within one allocation")]
    OutOfBounds {
        /// Where the copy starts.
        address: u64,
        /// Its length in bytes.
        bytes: u64,
    },
}

/// The global memory of an emulated device. Addresses are never reused.
pub struct Memory {
    state: RwLock<State>,
    limit: u64,
}

struct State {
    next: u64,
    used: u64,
    live: BTreeMap<u64, Arc<Buffer>>,
    /// Start and size of what was freed.
    freed: BTreeMap<u64, u64>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Memory")
            .field("used", &state.used)
            .field("limit", &self.limit)
            .field("allocations", &state.live.len())
            .finish()
    }
}

impl Memory {
    /// A memory of 8 GiB.
    pub fn new() -> Memory {
        Memory::with_limit(8 << 30)
    }

    /// A memory in which at most `limit` bytes are allocated at a time.
    pub fn with_limit(limit: u64) -> Memory {
        let state =
            State { next: HEAP_BASE, used: 0, live: BTreeMap::new(), freed: BTreeMap::new() };
        Memory { state: RwLock::new(state), limit }
    }

    /// Allocates `bytes` bytes, never written; gives the address, a multiple of 256 and never 0.
    pub fn allocate(&self, bytes: u64) -> Result<u64, MemoryError> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if bytes > self.limit.saturating_sub(state.used) {
            let (used, limit) = (state.used, self.limit);
            return Err(MemoryError::OutOfMemory { requested: bytes, used, limit });
        }
        let address = state.next;
        // Between two allocations lie as many bytes again as the first has, within limits: a row or a tile too far
        // must not end in a neighbour.
        let redzone = bytes.clamp(ALIGNMENT, 1 << 24);
        state.next = (address + bytes + redzone).next_multiple_of(ALIGNMENT);
        state.used += bytes;
        state.live.insert(address, Arc::new(Buffer::new(bytes)));
        Ok(address)
    }

    /// Frees an allocation; a later access to it is a fault.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let buffer = state.live.remove(&address).ok_or(MemoryError::NotAllocated { address })?;
        state.used -= buffer.bytes();
        if state.freed.len() == REMEMBERED {
            state.freed.pop_first();
        }
        state.freed.insert(address, buffer.bytes());
        Ok(())
    }

    /// Copies `bytes` to `address`, anywhere within one allocation, and marks them as written.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (buffer, offset) = self.range(address, bytes.len() as u64)?;
        buffer.write_bytes(offset, bytes);
        Ok(())
    }

    /// Copies from `address`, anywhere within one allocation. Bytes never written read as 0xff.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        let (buffer, offset) = self.range(address, bytes.len() as u64)?;
        buffer.read_bytes(offset, bytes);
        Ok(())
    }

    fn range(&self, address: u64, bytes: u64) -> Result<(Arc<Buffer>, u64), MemoryError> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let held = state.holding(address, bytes);
        let (base, buffer) = held.ok_or(MemoryError::OutOfBounds { address, bytes })?;
        Ok((buffer.clone(), address - base))
    }

    /// The memory that a launch may access: a module's variables, and `operands` or, without, all allocations as
    /// they are now.
    pub(crate) fn view(
        &self,
        variables: Vec<Region>,
        operands: Option<&[Operand]>,
    ) -> Result<GlobalView, LaunchError> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let mut regions = variables;
        match operands {
            None => regions.extend(
                state.live.iter().map(|(base, buffer)| Region::whole(*base, buffer.clone(), false)),
            ),
            Some(operands) => {
                for operand in operands {
                    regions.extend(state.region(operand)?);
                }
            }
        }
        let freed = state.freed.iter().map(|(base, bytes)| (*base, *bytes)).collect();
        Ok(GlobalView::new(regions, freed))
    }
}

impl State {
    /// The allocation that holds `bytes` bytes at `address`.
    fn holding(&self, address: u64, bytes: u64) -> Option<(u64, &Arc<Buffer>)> {
        let (base, buffer) = self.live.range(..=address).next_back()?;
        let offset = address - base;
        (offset <= buffer.bytes() && bytes <= buffer.bytes() - offset).then_some((*base, buffer))
    }

    /// The region of an operand; none if it has no bytes.
    fn region(&self, operand: &Operand) -> Result<Option<Region>, LaunchError> {
        let bad = |what| LaunchError::Operand { operand: operand.name.clone(), what };
        let bytes = operand.span().ok_or_else(|| bad("its rows overlap, or are too far apart"))?;
        if bytes == 0 {
            return Ok(None);
        }
        let (base, buffer) = self
            .holding(operand.address, bytes)
            .ok_or_else(|| bad("it does not lie within one allocation"))?;
        Ok(Some(Region::operand(operand, bytes, base, buffer.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_aligned_apart_and_never_reused() {
        let memory = Memory::new();
        let a = memory.allocate(100).expect("allocates");
        let b = memory.allocate(0).expect("allocates");
        memory.free(b).expect("frees");
        let c = memory.allocate(1).expect("allocates");
        assert!([a, b, c].iter().all(|address| address.is_multiple_of(256) && *address > 0));
        assert!(b >= a + 100 + 256 && c > b);
        assert_eq!(memory.free(b), Err(MemoryError::NotAllocated { address: b }));
    }

    #[test]
    fn host_copies_stay_within_one_allocation() {
        let memory = Memory::new();
        let a = memory.allocate(16).expect("allocates");
        assert_eq!(memory.write(a + 4, &[1; 12]), Ok(()));
        let refused = Err(MemoryError::OutOfBounds { address: a + 5, bytes: 12 });
        assert_eq!(memory.write(a + 5, &[1; 12]), refused);
        let mut bytes = [0; 6];
        memory.read(a + 2, &mut bytes).expect("reads");
        assert_eq!(bytes, [0xff, 0xff, 1, 1, 1, 1]);
    }

    #[test]
    fn what_is_kept_of_freed_allocations_is_bounded() {
        let memory = Memory::new();
        let freed: Vec<u64> = (0..10_000)
            .map(|_| {
                let address = memory.allocate(64).expect("allocates");
                memory.free(address).expect("frees");
                address
            })
            .collect();
        let state = memory.state.read().expect("nobody panicked");
        assert!(state.live.is_empty() && state.used == 0);
        let kept: Vec<u64> = state.freed.keys().copied().collect();
        assert_eq!(kept, freed[freed.len() - REMEMBERED..], "the latest ones");
    }

    #[test]
    fn the_limit_holds() {
        let memory = Memory::with_limit(100);
        let a = memory.allocate(60).expect("allocates");
        let refused = MemoryError::OutOfMemory { requested: 41, used: 60, limit: 100 };
        assert_eq!(memory.allocate(41), Err(refused));
        memory.free(a).expect("frees");
        assert!(memory.allocate(100).is_ok());
    }
}
