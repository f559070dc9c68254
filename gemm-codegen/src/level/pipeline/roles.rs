//! The roles of the threads of a block of warpgroups.

use crate::hardware::WARP;
use crate::level::mma;

/// Threads of a warpgroup.
pub(super) const GROUP: u32 = mma::wgmma::WARPS * WARP;

/// Who does what in a block: the consumers are its first warpgroups, the producer is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Warpgroups that multiply and store.
    pub consumers: u32,
    /// Registers of a thread of the producer and of a consumer, where `setmaxnreg` moves some from one to
    /// the other; a block of two warpgroups has enough for both.
    pub registers: Option<[u32; 2]>,
}

impl Roles {
    /// Those of a block with this many consumers.
    pub(crate) fn of(consumers: u32) -> Roles {
        let registers = match consumers {
            0 | 1 => None,
            2 => Some([24, 240]),
            _ => Some([32, 160]),
        };
        Roles { consumers, registers }
    }

    /// The same where the producer chooses the factor of each tile among those of several products in turn, for which 24
    /// registers are too few: a consumer has 8 less.
    pub(crate) fn of_products_in_turn(self) -> Roles {
        let registers = self.registers.map(|[fewer, more]| [fewer + 8 * self.consumers, more - 8]);
        Roles { registers, ..self }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        (self.consumers + 1) * GROUP
    }
}
