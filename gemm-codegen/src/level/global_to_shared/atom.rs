//! The copy atoms and their own laws: sizes, cache operators, targets.

use crate::axis::{PerSide, Side};
use crate::field::Field;
use crate::hardware::{Availability, Target};
use crate::help::{Edit, Values};
use crate::level::shared_tile::CHUNK_BYTES;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{CacheOperator, CopyAtom};
use crate::targets;

/// Bytes that a copy can have.
const SIZES: [u32; 3] = [4, 8, 16];

impl CopyAtom {
    /// Bytes of one copy where alignment allows.
    pub fn bytes(self) -> u32 {
        match self {
            CopyAtom::CpAsync { bytes, .. } | CopyAtom::LdGlobal { bytes } => {
                u32::from(bytes.get())
            }
            CopyAtom::Tma { .. } => CHUNK_BYTES,
        }
    }

    /// The targets that have it.
    pub(crate) fn on(self) -> Availability {
        Availability::Since(match self {
            CopyAtom::CpAsync { .. } => Target::Sm80,
            CopyAtom::LdGlobal { .. } => Target::Sm75,
            CopyAtom::Tma { .. } => Target::Sm90,
        })
    }

    /// As written in `copy = ..`.
    pub(crate) fn name(self) -> String {
        match self {
            CopyAtom::CpAsync { cache, policy, .. } => {
                let policy = policy.map_or(String::new(), |policy| format!(", {}", policy.name()));
                format!("cp_async({}, {}{policy})", self.bytes(), cache.name())
            }
            CopyAtom::LdGlobal { .. } => format!("ld_global({})", self.bytes()),
            CopyAtom::Tma { policy: None } => "tma".to_owned(),
            CopyAtom::Tma { policy: Some(policy) } => format!("tma({})", policy.name()),
        }
    }

    /// What PTX calls it.
    pub(crate) fn ptx(self) -> &'static str {
        match self {
            CopyAtom::CpAsync { .. } => "cp.async",
            CopyAtom::LdGlobal { .. } => "ld.global",
            CopyAtom::Tma { .. } => "cp.async.bulk.tensor",
        }
    }
}

/// The size and the cache operator of one side's atom.
pub(crate) fn check_size(side: Side, atom: CopyAtom) -> Result<(), Vec<Diagnostic>> {
    let bytes = atom.bytes();
    let broken = if !SIZES.contains(&bytes) {
        let mut near = SIZES;
        near.sort_by_key(|size| size.abs_diff(bytes));
        let edits = near.map(|bytes| Edit::CopyBytes(side, bytes));
        Diagnostic::new(
            Rule::CopySize,
            Field::CopyBytes(side),
            format!("a copy of {bytes} B: {} copies 4, 8 or 16 B", atom.ptx()),
            "copy 16 B",
        )
        .naming(Values::one(edits, ""))
    } else if atom.cache() == Some(CacheOperator::Cg) && bytes != 16 {
        Diagnostic::new(
            Rule::CopySize,
            Field::CopyCache(side),
            format!("a copy of {bytes} B: cp.async with the cache operator cg copies 16 B"),
            format!("use cp_async({bytes}, ca) or cp_async(16, cg)"),
        )
    } else {
        return Ok(());
    };
    Err(vec![broken])
}

/// Both sides are copied in the same way, and every target has it. Of targets that lack the MMA atom
/// whatever it multiplies, that is the error: no other copy would feed it there.
pub(crate) fn check_both(
    atoms: &PerSide<CopyAtom>,
    targets: &[Target],
    mma: Option<Availability>,
) -> Result<(), Vec<Diagnostic>> {
    let mut broken = Vec::new();
    if atoms.a.ptx() != atoms.b.ptx() {
        let same = |bytes: u32| match atoms.a {
            CopyAtom::CpAsync { .. } if bytes == 16 => "cp_async(16, cg)".to_owned(),
            CopyAtom::CpAsync { .. } => format!("cp_async({bytes}, ca)"),
            CopyAtom::LdGlobal { .. } => format!("ld_global({bytes})"),
            CopyAtom::Tma { .. } => "tma".to_owned(),
        };
        let why = match atoms.a.is_async() && atoms.b.is_async() {
            true => "both tiles must be copied by the same kind of instruction",
            false => "both tiles must be copied either through registers or asynchronously",
        };
        broken.push(Diagnostic::new(
            Rule::CopiesAlike,
            Field::Copy(Side::B),
            format!("A is copied by {} and B by {}: {why}", atoms.a.ptx(), atoms.b.ptx()),
            format!("write copy(a = {}, b = {})", atoms.a.name(), same(atoms.b.bytes())),
        ));
    }
    let lacking = |atom: CopyAtom| atom.on().lacking(&Target::ALL);
    let rarer = if lacking(atoms.a) < lacking(atoms.b) { atoms.b } else { atoms.a };
    let otherwise = match rarer {
        CopyAtom::Tma { .. } => ", or use `copy = cp_async(16, cg)`",
        CopyAtom::CpAsync { .. } | CopyAtom::LdGlobal { .. } => ", or use `copy = ld_global(16)`",
    };
    let on_targets =
        targets::require(Rule::CopyOnTarget, rarer.ptx(), rarer.on(), targets, otherwise);
    let has_mma = |diagnostic: &Diagnostic| match (mma, diagnostic.at) {
        (Some(mma), Field::Target(number)) => mma.includes(targets[number]),
        _ => true,
    };
    broken.extend(on_targets.err().into_iter().flatten().filter(has_mma));
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::spec::CachePolicy;

    fn extent(n: u16) -> NonZeroU16 {
        NonZeroU16::new(n).unwrap()
    }

    fn cp_async(bytes: u16, cache: CacheOperator) -> CopyAtom {
        CopyAtom::CpAsync { bytes: extent(bytes), cache, policy: None }
    }

    fn ld_global(bytes: u16) -> CopyAtom {
        CopyAtom::LdGlobal { bytes: extent(bytes) }
    }

    #[test]
    fn copy_sizes() {
        let field = |atom| check_size(Side::A, atom).map_err(|broken| broken[0].at);
        let (bytes, cache) = (Err(Field::CopyBytes(Side::A)), Err(Field::CopyCache(Side::A)));
        assert_eq!(field(cp_async(16, CacheOperator::Cg)), Ok(()));
        assert_eq!(field(cp_async(8, CacheOperator::Ca)), Ok(()));
        assert_eq!(field(cp_async(8, CacheOperator::Cg)), cache);
        assert_eq!(field(cp_async(12, CacheOperator::Ca)), bytes);
        assert_eq!(field(cp_async(32, CacheOperator::Cg)), bytes);
        assert_eq!([4, 8, 16].map(|n| field(ld_global(n))), [Ok(()); 3]);
        assert_eq!([2, 32].map(|n| field(ld_global(n))), [bytes; 2]);
    }

    #[test]
    fn a_policy_is_written_behind_the_cache_operator() {
        let bytes = extent(16);
        let names = CachePolicy::ALL.map(|policy| {
            let cache = CacheOperator::Cg;
            let atom = CopyAtom::CpAsync { bytes, cache, policy: Some(policy) };
            let tensors = CopyAtom::Tma { policy: Some(policy) };
            assert_eq!([atom.policy(), tensors.policy()], [Some(policy); 2]);
            assert_eq!(tensors.name(), format!("tma({})", policy.name()));
            atom.name()
        });
        assert_eq!(names[0], "cp_async(16, cg, evict_first)");
        for (name, policy) in names.iter().zip(CachePolicy::ALL) {
            assert!(policy.cuda().contains(&format!("L2::{}.b64", policy.name())));
            assert!(name.ends_with(&format!(", {})", policy.name())));
        }
        assert_eq!(cp_async(8, CacheOperator::Ca).name(), "cp_async(8, ca)");
        assert_eq!(CopyAtom::TMA.name(), "tma");
    }

    #[test]
    fn both_sides_are_copied_alike_and_by_what_the_targets_have() {
        let rules = |a, b, target| {
            let broken = check_both(&PerSide { a, b }, &[target], None).err().unwrap_or_default();
            broken.into_iter().map(|diagnostic| diagnostic.rule).collect::<Vec<_>>()
        };
        let (async_16, async_8) = (cp_async(16, CacheOperator::Cg), cp_async(8, CacheOperator::Ca));
        let (alike, target) = (Rule::CopiesAlike, Rule::CopyOnTarget);
        assert_eq!(rules(async_16, async_8, Target::Sm80), []);
        assert_eq!(rules(async_16, async_8, Target::Sm75), [target]);
        assert_eq!(rules(ld_global(16), ld_global(4), Target::Sm75), []);
        assert_eq!(rules(ld_global(16), async_8, Target::Sm80), [alike]);
        assert_eq!(rules(async_16, ld_global(8), Target::Sm75), [alike, target]);
    }
}
