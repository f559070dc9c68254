//! [`Layout`]: where the variables of a program lie.

use std::sync::Arc;

use crate::memory::{ALIGNMENT, Buffer, MODULE_BASE, Region};
use crate::program::StaticVariable;
use crate::ptx::Space;

/// Space between two variables of shared memory that belongs to neither.
const SHARED_REDZONE: u64 = 64;
/// The least alignment of dynamic shared memory.
const DYNAMIC_ALIGNMENT: u64 = 16;

/// Where variables go.
#[derive(Default)]
pub(super) struct Layout {
    /// The variables in global and constant memory.
    pub(super) regions: Vec<Region>,
    module_end: u64,
    /// Start and length of each variable in shared memory.
    pub(super) shared_variables: Vec<(u32, u32)>,
    /// Bytes of the variables themselves.
    pub(super) shared_used: u64,
    /// Bytes with the space between them.
    pub(super) shared_end: u64,
    dynamic: Option<u64>,
}

impl Layout {
    /// Places a variable; `dynamic` is the number of bytes that the launch gives to an array without a length.
    pub(super) fn place(&mut self, variable: &StaticVariable, dynamic: u64) -> u64 {
        match variable.space {
            Space::Shared if variable.bytes == 0 => self.place_dynamic(variable, dynamic),
            Space::Shared => {
                let start = self.shared_end.next_multiple_of(u64::from(variable.align.max(1)));
                self.shared_variables.push((start as u32, variable.bytes as u32));
                self.shared_end = start + variable.bytes + SHARED_REDZONE;
                self.shared_used += variable.bytes;
                start
            }
            _ => self.place_global(variable),
        }
    }

    /// All arrays without a length are the same memory.
    fn place_dynamic(&mut self, variable: &StaticVariable, dynamic: u64) -> u64 {
        if let Some(start) = self.dynamic {
            return start;
        }
        let align = u64::from(variable.align).max(DYNAMIC_ALIGNMENT);
        let start = self.shared_end.next_multiple_of(align);
        self.shared_variables.push((start as u32, dynamic as u32));
        self.shared_end = start + dynamic + SHARED_REDZONE;
        self.dynamic = Some(start);
        start
    }

    fn place_global(&mut self, variable: &StaticVariable) -> u64 {
        let base =
            MODULE_BASE + self.module_end.next_multiple_of(ALIGNMENT.max(variable.align.into()));
        self.module_end = base - MODULE_BASE + variable.bytes + ALIGNMENT;
        let buffer = Buffer::new(variable.bytes);
        let mut contents = variable.initial.to_vec();
        contents.resize(variable.bytes as usize, 0);
        buffer.write_bytes(0, &contents);
        let read_only = variable.space == Space::Constant;
        self.regions.push(Region::whole(base, Arc::new(buffer), read_only));
        base
    }
}
