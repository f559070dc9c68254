//! [`Feed`]: how a factor reaches the multiplication.

mod descriptor;

use crate::level::shared_tile::SharedTile;
use crate::level::shared_to_register::SharedToRegister;
use crate::text::Sections;

pub use descriptor::Descriptor;

/// The device function `descriptor`.
pub(crate) fn write_descriptor(text: &mut Sections) {
    text.add(include_str!("descriptor.cuh"));
}

/// How a factor reaches the multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// As fragments in registers.
    Registers(SharedToRegister),
    /// From shared memory; the instruction gets a descriptor of it.
    Descriptor(Descriptor),
}

impl Feed {
    /// The loads of its fragments, if there are any.
    pub fn loads(&self) -> Option<&SharedToRegister> {
        match self {
            Feed::Registers(loads) => Some(loads),
            Feed::Descriptor(_) => None,
        }
    }

    /// Passes of the banks that one load needs at most; 0 where nothing is loaded, as an instruction
    /// reads shared memory itself.
    pub fn bank_passes(&self) -> u32 {
        self.loads().map_or(0, |loads| loads.bank_passes)
    }

    /// The members of the tile's struct that what is fed reads.
    pub(crate) fn cuda_members(&self, tile: &SharedTile) -> String {
        match self {
            Feed::Registers(loads) => loads.cuda_members(tile),
            Feed::Descriptor(descriptor) => descriptor.cuda_members(),
        }
    }
}
