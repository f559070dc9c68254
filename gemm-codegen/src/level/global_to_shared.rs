//! Global → shared memory: the copy atom.

/// The instruction that moves a tile from global to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyAtom {
    /// `cp.async`: asynchronous, through no register.
    CpAsync {
        /// Bytes of one copy where alignment allows: 4, 8 or 16.
        bytes: u16,
        /// Which caches it fills.
        cache: CacheOperator,
    },
}

/// Cache operator of a `cp.async` (PTX ISA, "cp.async").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheOperator {
    /// All levels.
    Ca,
    /// L2 only; 16-byte copies only.
    Cg,
}

impl CacheOperator {
    /// Both operators.
    pub const ALL: [CacheOperator; 2] = [CacheOperator::Ca, CacheOperator::Cg];

    /// The name in the copy atom and in PTX.
    pub const fn name(self) -> &'static str {
        match self {
            CacheOperator::Ca => "ca",
            CacheOperator::Cg => "cg",
        }
    }
}
