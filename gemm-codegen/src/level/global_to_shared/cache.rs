//! What caches do with the lines of copies.

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

/// What L2 does with the lines that copies read, all of them (PTX ISA, "createpolicy": the primary
/// priority).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CachePolicy {
    /// They are given up first: of an operand that is read once.
    EvictFirst,
    /// They are kept longest: of an operand that other blocks read again.
    EvictLast,
    /// They are as all others, whatever was said of them before.
    EvictNormal,
    /// They stay what they are.
    EvictUnchanged,
}

impl CachePolicy {
    /// Every policy.
    pub const ALL: [CachePolicy; 4] = [
        CachePolicy::EvictFirst,
        CachePolicy::EvictLast,
        CachePolicy::EvictNormal,
        CachePolicy::EvictUnchanged,
    ];

    /// The name in the copy atom and in PTX.
    pub const fn name(self) -> &'static str {
        match self {
            CachePolicy::EvictFirst => "evict_first",
            CachePolicy::EvictLast => "evict_last",
            CachePolicy::EvictNormal => "evict_normal",
            CachePolicy::EvictUnchanged => "evict_unchanged",
        }
    }

    /// The device function that makes it.
    pub(super) const fn cuda(self) -> &'static str {
        match self {
            CachePolicy::EvictFirst => include_str!("../../ptx/evict_first.cuh"),
            CachePolicy::EvictLast => include_str!("../../ptx/evict_last.cuh"),
            CachePolicy::EvictNormal => include_str!("../../ptx/evict_normal.cuh"),
            CachePolicy::EvictUnchanged => include_str!("../../ptx/evict_unchanged.cuh"),
        }
    }
}
