//! What caches do with the lines of copies.

use crate::spec::CachePolicy;

impl CachePolicy {
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
