//! The copy atoms of a schedule that names none, or that of one side.

use std::num::NonZeroU16;

use super::COPY_BYTES;
use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::hardware::Target;
use crate::level::global_to_shared::{CacheOperator, CopyAtom};
use crate::level::mma::Mma;
use crate::level::shared_tile;
use crate::spec::Schedule;

/// Bytes of a copy that transposes: one element. Unwrapped while this crate compiles.
const ELEMENT_BYTES: NonZeroU16 = NonZeroU16::new(4).unwrap();

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
    let single = CopyAtom::CpAsync { bytes: ELEMENT_BYTES, cache: CacheOperator::Ca, policy: None };
    let ld_global = CopyAtom::LdGlobal { bytes: COPY_BYTES };
    let transposes = |side: Side, atom: CopyAtom| {
        let bytes = elements[usize::from(side == Side::B)].bytes();
        orders.is_some_and(|o| shared_tile::transposes(mma, bytes, *o.get(side), atom))
    };
    let cp_async = |side| if transposes(side, single) { single } else { cp_async };
    let default = |side| match a.or(b) {
        Some(CopyAtom::Tma) => CopyAtom::Tma,
        Some(CopyAtom::CpAsync { .. }) => cp_async(side),
        Some(CopyAtom::LdGlobal { .. }) => ld_global,
        None if targets.iter().all(|target| *target >= single.oldest()) => cp_async(side),
        None => ld_global,
    };
    let [a, b] = [a.unwrap_or(default(Side::A)), b.unwrap_or(default(Side::B))];
    (PerSide { a, b }, PerSide { a: transposes(Side::A, a), b: transposes(Side::B, b) })
}
