//! The copy atoms from global to shared memory, as written.

use std::num::NonZeroU16;

/// What moves a tile from global to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyAtom {
    /// `cp.async`: asynchronous, through no register.
    CpAsync {
        /// Bytes of one copy where alignment allows: 4, 8 or 16.
        bytes: NonZeroU16,
        /// Which caches it fills.
        cache: CacheOperator,
        /// What L2 does with the lines that it reads; `None` leaves that to the hardware. Copies of
        /// less than 4 bytes, of operands that are aligned no better, have none.
        policy: Option<CachePolicy>,
    },
    /// `ld.global` and `st.shared`: through registers, in which a tile waits while the one before
    /// it is multiplied. Every architecture has it.
    LdGlobal {
        /// Bytes of one copy, and of one load where alignment allows: 4, 8 or 16.
        bytes: NonZeroU16,
    },
    /// `cp.async.bulk.tensor`: a unit of the SM copies whole tiles, which one thread starts. The
    /// operand's rows begin at multiples of 16 bytes.
    Tma {
        /// What L2 does with the lines that it reads; `None` leaves that to the hardware.
        policy: Option<CachePolicy>,
    },
}

impl CopyAtom {
    /// Tensor copies without a policy.
    pub const TMA: CopyAtom = CopyAtom::Tma { policy: None };

    /// The same for copies of another size. Only those of 16 bytes go past L1.
    pub fn with_bytes(self, bytes: NonZeroU16) -> CopyAtom {
        match self {
            CopyAtom::CpAsync { cache: CacheOperator::Cg, policy, .. } if bytes.get() != 16 => {
                CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, policy }
            }
            CopyAtom::CpAsync { cache, policy, .. } => CopyAtom::CpAsync { bytes, cache, policy },
            CopyAtom::LdGlobal { .. } => CopyAtom::LdGlobal { bytes },
            CopyAtom::Tma { policy } => CopyAtom::Tma { policy },
        }
    }

    /// Its cache operator, if it has one.
    pub fn cache(self) -> Option<CacheOperator> {
        match self {
            CopyAtom::CpAsync { cache, .. } => Some(cache),
            CopyAtom::LdGlobal { .. } | CopyAtom::Tma { .. } => None,
        }
    }

    /// What L2 does with its lines, if it says so.
    pub fn policy(self) -> Option<CachePolicy> {
        match self {
            CopyAtom::CpAsync { policy, .. } | CopyAtom::Tma { policy } => policy,
            CopyAtom::LdGlobal { .. } => None,
        }
    }

    /// Whether it passes through no register.
    pub fn is_async(self) -> bool {
        matches!(self, CopyAtom::CpAsync { .. } | CopyAtom::Tma { .. })
    }

    /// Whether it copies tensors.
    pub fn is_tma(self) -> bool {
        matches!(self, CopyAtom::Tma { .. })
    }
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
}
