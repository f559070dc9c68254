//! What L2 does with the lines of a copied tile, as members of its struct.

use super::GlobalToShared;
use crate::spec::CachePolicy;
use crate::text::Sections;

/// How the member of a tile begins that makes its policy.
pub(super) const CUDA_POLICY: &str =
    "static __device__ __forceinline__ unsigned long long policy()";

/// The member of a tile without a policy, in a kernel where a side has one.
pub(crate) fn cuda_no_policy(sides: [&GlobalToShared; 2]) -> String {
    if has_policy(sides) { cuda_policy(None) } else { String::new() }
}

/// The members that say a tile's policy in a kernel where a side has one.
pub(super) fn cuda_policy(policy: Option<CachePolicy>) -> String {
    let value = policy.map_or("0".to_owned(), |policy| format!("{}()", policy.name()));
    format!(
        "    static constexpr bool HAS_POLICY = {};  // of L2\n    \
         {CUDA_POLICY} {{ return {value}; }}\n",
        policy.is_some()
    )
}

/// The device functions that make the policies of both sides. The tiles call them.
pub(crate) fn write_policies(text: &mut Sections, sides: [&GlobalToShared; 2]) {
    let policies =
        sides.into_iter().filter_map(|side| side.atom.policy().or(side.box_policy(sides)));
    for policy in policies {
        text.add(policy.cuda());
    }
}

/// Whether a side names what L2 does with its lines.
pub(super) fn has_policy(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.atom.policy().is_some())
}
