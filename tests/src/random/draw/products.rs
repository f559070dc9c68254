//! Several products that share their first factor.

use std::num::NonZeroU16;

use fastrand::Rng;
use gemm_codegen::{Operand, OperandKind, Schedule};

/// How many second factors there are beside the first one: none, mostly.
pub(super) fn further(rng: &mut Rng) -> usize {
    if rng.u8(0..4) == 0 { rng.usize(1..4) } else { 0 }
}

/// The names of these, from the end of all names.
pub(super) fn names<'a>(names: &[&'a str], further: usize) -> Vec<&'a str> {
    names.iter().rev().take(further).copied().collect()
}

/// Further factors like `first`; now and then one of another order.
pub(super) fn operands(rng: &mut Rng, names: &[&str], first: &Operand) -> Vec<Operand> {
    let of = |name: &&str| Operand { name: (*name).to_owned(), ..first.clone() };
    let mut operands: Vec<Operand> = names.iter().map(of).collect();
    if rng.u8(0..12) == 0
        && let Some(OperandKind::Matrix { indices, .. }) = operands.last_mut().map(|o| &mut o.kind)
    {
        indices.swap(0, 1);
    }
    operands
}

/// Gives each warp a part of all products, mostly.
pub(super) fn divide(rng: &mut Rng, schedule: &mut Schedule, further: usize) {
    let products = 1 + further as u16;
    let Some(tile) = schedule.tile.as_mut().filter(|_| products > 1 && rng.u8(0..8) > 0) else {
        return;
    };
    let along_n = |grid: Option<NonZeroU16>| grid.map_or(2, NonZeroU16::get);
    let warps = along_n(schedule.warps.map(|[_, n, _]| n));
    let groups = schedule.warpgroups.map_or(1, |[_, n]| n.get());
    let unit = products
        * if schedule.mma.is_some_and(|mma| mma.warps() > 1) { 8 * groups } else { 16 * warps };
    let columns = (tile[1].get() / unit * unit).max(unit);
    tile[1] = NonZeroU16::new(columns).unwrap_or(tile[1]);
}
