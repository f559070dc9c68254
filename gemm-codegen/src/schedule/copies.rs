//! The copy atoms of a schedule that names none, or that of one side.

use std::num::NonZeroU16;

use super::COPY_BYTES;
use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::hardware::Target;
use crate::level::shared_tile::ELEMENT_BYTES;
use crate::spec::{CacheOperator, CopyAtom, Mma, Schedule};

/// Bytes of a copy that transposes: one element. Unwrapped while this crate compiles.
const SINGLE: NonZeroU16 = NonZeroU16::new(ELEMENT_BYTES as u16).unwrap();

/// The copy atoms, and whether they transpose the tiles of their sides: the kind that one side names
/// goes for both. `cp.async`, where every target has it; single elements, where these are transposed.
pub(super) fn of(
    schedule: &Schedule,
    targets: &[Target],
    mma: Mma,
    elements: [Element; 2],
    orders: Option<PerSide<bool>>,
) -> (PerSide<CopyAtom>, PerSide<bool>) {
    let PerSide { a, b } = schedule.copy;
    let cp_async = CopyAtom::CpAsync { bytes: COPY_BYTES, cache: CacheOperator::Cg, policy: None };
    let single = CopyAtom::CpAsync { bytes: SINGLE, cache: CacheOperator::Ca, policy: None };
    let ld_global = CopyAtom::LdGlobal { bytes: COPY_BYTES };
    let transposes = |side: Side, atom: CopyAtom| {
        let bytes = elements[usize::from(side == Side::B)].bytes();
        orders.is_some_and(|o| transposes(mma, bytes, *o.get(side), atom))
    };
    let cp_async = |side| if transposes(side, single) { single } else { cp_async };
    let default = |side| match a.or(b) {
        None if matches!(mma, Mma::Wgmma(_)) => CopyAtom::TMA,
        Some(CopyAtom::Tma { .. }) => CopyAtom::TMA,
        Some(CopyAtom::CpAsync { .. }) => cp_async(side),
        Some(CopyAtom::LdGlobal { .. }) => ld_global,
        None if single.on().lacking(targets) == 0 => cp_async(side),
        None => ld_global,
    };
    let [a, b] = [a.unwrap_or(default(Side::A)), b.unwrap_or(default(Side::B))];
    (PerSide { a, b }, PerSide { a: transposes(Side::A, a), b: transposes(Side::B, b) })
}

/// Whether copies by this atom transpose the tile of a side: elements of 4 bytes, one at a time, for
/// register tiles, from rows along K.
fn transposes(mma: Mma, element_bytes: u32, k_contiguous: bool, atom: CopyAtom) -> bool {
    let one_each = match atom {
        CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, .. } => {
            u32::from(bytes.get()) == ELEMENT_BYTES
        }
        _ => false,
    };
    let by_lanes = matches!(mma, Mma::Fma { .. });
    by_lanes && k_contiguous && element_bytes == ELEMENT_BYTES && one_each
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp_async(bytes: u16, cache: CacheOperator) -> CopyAtom {
        CopyAtom::CpAsync { bytes: NonZeroU16::new(bytes).unwrap(), cache, policy: None }
    }

    fn fma() -> Mma {
        let [m, n] = [8, 8].map(|extent| NonZeroU16::new(extent).unwrap());
        Mma::Fma { m, n }
    }

    #[test]
    fn single_elements_of_rows_along_k_are_transposed_for_lanes() {
        let single = cp_async(4, CacheOperator::Ca);
        assert!(transposes(fma(), 4, true, single));
        assert!(!transposes(fma(), 4, false, single), "rows along M or N");
        assert!(!transposes(fma(), 2, true, single), "two elements a copy");
        assert!(!transposes(Mma::M16n8k8, 4, true, single), "tensor cores");
        let ld_global = CopyAtom::LdGlobal { bytes: NonZeroU16::new(4).unwrap() };
        for wide in [cp_async(8, CacheOperator::Ca), cp_async(16, CacheOperator::Cg), ld_global] {
            assert!(!transposes(fma(), 4, true, wide), "{wide:?}");
        }
    }
}
