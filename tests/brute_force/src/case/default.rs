//! The defaults of keys that depend on the spec alone.

use gemm_codegen::{Element, Mma, Spec, Target, Walk};

use super::super::way::Way;
use super::super::{atoms, converted, element_of, indices, lanes};
use super::{multiplied, multiplied_elements};
use crate::warpgroups::promotes;

/// How the sides are copied, where that is written.
fn named(spec: &Spec) -> [Option<Way>; 2] {
    [spec.schedule.copy.a, spec.schedule.copy.b].map(|atom| atom.map(Way::of))
}

fn elements(spec: &Spec) -> [Element; 2] {
    multiplied_elements(spec).unwrap_or([Element::F16; 2])
}

/// The usual targets on which all that is written is known.
pub(super) fn targets(spec: &Spec) -> Vec<Target> {
    let schedule = &spec.schedule;
    let elements = converted::multiplied_as(elements(spec));
    let all = spec.operands.iter().filter_map(|o| element_of(&o.kind));
    let stored = spec.outputs.iter().map(|o| atoms::first_to_store(o.element));
    let known = all.map(atoms::first_to_read).chain(stored);
    let mma = schedule.mma.map(shape);
    let known = known.chain(
        mma.filter(|mma| atoms::shapes(elements).contains(mma))
            .map(|mma| atoms::first_target(elements[0], mma)),
    );
    if schedule.mma.is_some_and(|mma| matches!(mma, Mma::Wgmma(_))) {
        // No other architecture has it, before or after.
        return vec![Target::Sm90a];
    }
    let any_tensor = named(spec).contains(&Some(Way::Tensor));
    let known = known.chain(any_tensor.then(|| Way::Tensor.first_target())).max();
    let mut usual = vec![Target::Sm80, Target::Sm86, Target::Sm89, Target::Sm90];
    usual.retain(|target| Some(target.capability()) >= known);
    usual
}

/// The tile of a block: 64 bytes along k.
pub(super) fn tile(spec: &Spec, lane: Option<[u32; 2]>, targets: &[Target]) -> [u32; 3] {
    let elements @ [element, _] = elements(spec);
    let bytes = converted::bytes_of_rows(elements);
    let of_groups = spec.schedule.mma.is_some_and(|mma| matches!(mma, Mma::Wgmma(_)));
    let ways = named(spec);
    let any_tensor =
        ways.contains(&Some(Way::Tensor)) || of_groups && ways.iter().all(Option::is_none);
    if of_groups {
        // Two warpgroups of 64 x 256, or in turn of 128 x 128, and the k-steps of four instructions of
        // halves.
        let k = if any_tensor { warps_along_k(spec) * 128 / bytes } else { 64 };
        let is_narrow = spec.schedule.walk == Some(Walk::Pingpong) || promotes(spec);
        let n = if is_narrow { 128 } else { 256 };
        return [128, named_columns(spec).unwrap_or(of_products(spec, n)), k];
    }
    // A row of a box for each warp along K, or two k-steps of the deepest instructions.
    let k = if any_tensor { warps_along_k(spec) * 128 } else { 64 } / bytes;
    if let Some(lane) = lane {
        let [m, n, _] = lanes::default_tile(lane, bytes, of_products(spec, 128));
        return [m, n, k];
    }
    // Where no tensor core takes 8-bit floats, half of the tile if any runs along M or N.
    let native = [Target::Sm89, Target::Sm120, Target::Sm121];
    let across = multiplied(spec).is_some_and(|sides| {
        !indices::are_unclear(spec) && sides.iter().any(|side| side.k_contiguous == Some(false))
    });
    let halved = across
        && matches!(element, Element::E4m3 | Element::E5m2)
        && targets.iter().any(|target| !native.contains(target));
    [128, of_products(spec, if halved { 64 } else { 128 }), k]
}

/// The most columns of no more than these that each product has as many of, in powers of two.
fn of_products(spec: &Spec, most: u32) -> u32 {
    let products = indices::products(spec);
    let each = (0..9).map(|bit| 1 << bit).filter(|each| each * products <= most).max();
    each.unwrap_or(1) * products
}

/// The columns of a block whose instruction is named outright, as far as a tile can have them.
fn named_columns(spec: &Spec) -> Option<u32> {
    let Some(Mma::Wgmma(Some(shape))) = spec.schedule.mma else { return None };
    let groups = spec.schedule.warpgroups.map_or(1, |[_, n]| u32::from(n.get()));
    let columns = u32::from(shape.n.get()) * groups;
    (columns <= 65535).then_some(columns)
}

/// How a side is copied where that is not written.
pub(super) fn way(spec: &Spec, targets: &[Target]) -> Way {
    match named(spec) {
        [Some(named), _] | [None, Some(named)] => named,
        [None, None] if spec.schedule.mma.is_some_and(|mma| matches!(mma, Mma::Wgmma(_))) => {
            Way::Tensor
        }
        [None, None] if targets.contains(&Target::Sm75) => Way::Registers,
        [None, None] => Way::Asynchronous,
    }
}

/// Warps along K of a spec.
pub(super) fn warps_along_k(spec: &Spec) -> u32 {
    spec.schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()))
}

/// m, n, k of an instruction.
pub(super) fn shape(mma: Mma) -> [u32; 3] {
    match mma {
        Mma::M8n8k4 => [8, 8, 4],
        Mma::M16n8k4 => [16, 8, 4],
        Mma::M16n8k32 => [16, 8, 32],
        Mma::M16n8k8 => [16, 8, 8],
        Mma::M16n8k16 => [16, 8, 16],
        Mma::Wgmma(_) => [64, 8, 16],
        Mma::Fma { m, n } => [4 * u32::from(m.get()), 8 * u32::from(n.get()), 1],
    }
}
