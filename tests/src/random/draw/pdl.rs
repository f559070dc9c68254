//! Kernels that start before their predecessor has ended.

use fastrand::Rng;
use gemm_codegen::{OperandKind, Spec};

use super::pick::pick;

/// Lets the kernel start early: with some of its factors or none and mostly with all scales and offsets, now and then with
/// a name that is none of them, and mostly on targets where that has an effect. `second` are the second factors.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, a: &str, second: &[&str]) {
    let schedule = &mut spec.schedule;
    let registers =
        [schedule.copy.a, schedule.copy.b].into_iter().flatten().any(|atom| !atom.is_async());
    let tiles = spec.operands.iter().filter(|of| matches!(of.kind, OperandKind::Tiled { .. }));
    let tiles: Vec<&str> = tiles.map(|of| &*of.name).collect();
    let together = [second, &tiles].concat();
    let named: Vec<&str> = match rng.u8(0..12) {
        0 => vec!["nothing", second[0]],
        1 => vec![a, a],
        2 => vec![second[0], spec.operands[rng.usize(0..spec.operands.len())].name.as_str()],
        3 => tiles.into_iter().take(1).chain([second[0]]).collect(),
        _ if registers && rng.u8(0..8) > 0 => Vec::new(),
        _ => match pick(rng, &[0, 1, 1, 2, 2, 3]) {
            0 => Vec::new(),
            1 if tiles.is_empty() => vec![a],
            2 => together,
            _ => [&[a], &*together].concat(),
        },
    };
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
