//! Kernels that start before their predecessor has ended.

use fastrand::Rng;
use gemm_codegen::{OperandKind, Spec};

use super::pick::pick;

/// Lets the kernel start early: with some of its factors or none and mostly with all scales and offsets, now and then with
/// a name that is none of them, and on targets that can wait but for a few.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, factors: [&str; 2]) {
    let schedule = &mut spec.schedule;
    let registers =
        [schedule.copy.a, schedule.copy.b].into_iter().flatten().any(|atom| !atom.is_async());
    let [a, b] = factors;
    let mut named: Vec<&str> = match rng.u8(0..10) {
        0 => vec!["nothing", b],
        1 => vec![a, a],
        2 => vec![b, spec.operands[rng.usize(0..spec.operands.len())].name.as_str()],
        _ if registers && rng.u8(0..8) > 0 => Vec::new(),
        _ => match pick(rng, &[0, 1, 1, 2, 2, 3]) {
            0 => Vec::new(),
            1 => vec![a],
            2 => vec![b],
            _ => vec![a, b],
        },
    };
    let mut tiles = spec.operands.iter().filter(|of| matches!(of.kind, OperandKind::Tiled { .. }));
    match rng.u8(0..4) {
        0 => {}
        1 => named.extend(tiles.next().map(|of| &*of.name).filter(|name| !named.contains(name))),
        _ => {
            let others = tiles.map(|of| &*of.name).filter(|name| !named.contains(name));
            named.extend(others.collect::<Vec<_>>());
        }
    }
    schedule.pdl = Some(named.into_iter().map(str::to_owned).collect());
    if let Some(targets) = &mut schedule.targets
        && rng.u8(0..8) > 0
    {
        targets.retain(|target| target.capability() >= (9, 0));
        if targets.is_empty() {
            schedule.targets = None;
        }
    }
}
