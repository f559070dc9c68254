//! [`Footprint`]: the numbers of a kernel on which its speed depends.

use crate::axis::Side;
use crate::element::Element;
use crate::form::Form;
use crate::hardware::REGISTERS_PER_SM;
use crate::level::mma::{Conversion, Promoting, ScaledBy, Unit};
use crate::level::scheduler::Cluster;
use crate::plan::Plan;
use crate::spec::Walk;

/// [`Footprint::scale_bytes`] are those of as many elements.
const WITH_SCALES: u32 = 1024;

/// What of a kernel its speed depends on, beside the shape of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// BLK_M, BLK_N, BLK_K: of several products, with the columns of all.
    pub block: [u32; 3],
    /// Products whose columns lie next to each other; 0 counts as one.
    pub side_by_side: u32,
    /// Warps, or warpgroups that multiply, along M, N and K.
    pub warps: [u32; 3],
    /// k of an MMA atom.
    pub step: u32,
    /// Multiply-adds of an SM of sm_90 in a cycle.
    pub products: u32,
    /// Instructions of a warp that convert 64 elements of A, and of B; 0 if it is not converted.
    pub converted: [u32; 2],
    /// Bytes of the scales and the offsets of 1024 elements of A, and of B; 0 if it has none.
    pub scale_bytes: [u32; 2],
    /// Instructions that a lane of a warp takes for the scales of a sum, and the K of the products that are summed
    /// before; 0 if it scales none.
    pub scaled: [u32; 2],
    /// After how much of K sums are promoted; 0 if they are not.
    pub promoted: u32,
    /// How warpgroups hold these sums.
    pub promoting: Promoting,
    /// Bits of a number of A, of B and of an element of all outputs.
    pub element_bits: [u32; 3],
    /// Whether rows of A and of B run along K.
    pub k_contiguous: [bool; 2],
    /// Bytes of the ring of stages.
    pub ring_bytes: u32,
    /// Tiles in the ring.
    pub stages: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers that a thread is expected to take.
    pub registers: u32,
    /// The most blocks that share a tile of the output and meet in a workspace.
    pub splits: u32,
    /// Whether only the tiles of the last wave are shared.
    pub tail: bool,
    /// Who copies and who multiplies.
    pub form: Form,
    /// Blocks of a cluster that share a tile of the output.
    pub cluster_splits: u32,
    /// Blocks of a cluster that copy a tile of A together, and one of B.
    pub parts: [u32; 2],
    /// How blocks walk over tiles, if they do.
    pub walk: Option<Walk>,
    /// Instructions that the body takes for an element, about.
    pub body: u32,
    /// Whether rows or columns of the output are reduced.
    pub reduces: bool,
}

/// Multiply-adds of an SM of sm_90 in a cycle: by `mma.sync` measured, by `wgmma` the peak (H100 whitepaper).
/// Those of doubles and of lanes without tensor cores are such that the share of them that is fitted
/// (`fitted::TENSOR`) is what was measured.
fn products(unit: Unit, element: Element) -> u32 {
    match (unit, element) {
        (Unit::Warpgroup(_), element) => 4096 / element.bytes(),
        (Unit::Fma(_), Element::F64) => 51,
        (Unit::Fma(_), _) => 106,
        (_, Element::F64) => 68,
        (_, Element::F32) => 641,
        (_, element) if element.is_integer() => 2730,
        (_, element) if element.is_float8() => 850,
        _ => 1283,
    }
}

/// Registers that a thread is expected to take when its block starts. Where warpgroups move registers from
/// one to the other later, a block starts with all of an SM.
fn registers(plan: &Plan) -> u32 {
    match plan.roles().and_then(|roles| roles.registers) {
        Some(_) => REGISTERS_PER_SM / plan.threads(),
        None => plan.registers.estimate(),
    }
}

/// Instructions that a pair of each lane takes of A and of B: of 4 bits a shift, a permutation,
/// a selection and a subtraction, of 8 one more; packed ones lie as they are multiplied, without a permutation; and a
/// product with a scale. Warps load elements of 4 bits that are not packed a few bytes at once, which takes two more.
fn converted(plan: &Plan) -> [u32; 2] {
    let scales = plan.scaling.is_some_and(|scaling| scaling.by == ScaledBy::Factors);
    Side::BOTH.map(|of| match plan.mma.conversion() {
        Some(Conversion { side, from, .. }) if side == of => {
            let is_packed = from.unpacked().is_some();
            let is_loaded_often = from.bits() < 8 && !is_packed && plan.roles().is_none();
            let converting = if from.bits() < 8 { 3 } else { 4 };
            converting
                + [scales, !is_packed].map(u32::from).iter().sum::<u32>()
                + 2 * u32::from(is_loaded_often)
        }
        _ => 0,
    })
}

/// Bytes of the scales and the offsets of [`WITH_SCALES`] elements of A, and of B.
fn scale_bytes(plan: &Plan) -> [u32; 2] {
    Side::BOTH.map(|side| {
        plan.scaling.and_then(|scaling| *scaling.scales.get(side)).map_or(0, |scale| {
            let offset = scale.offset.map_or(0, |offset| offset.element.bytes());
            let bytes = WITH_SCALES * (scale.element.bytes() + offset);
            bytes.checked_div(scale.lines * scale.k).unwrap_or(0)
        })
    })
}

/// Instructions of a lane for the scales of a sum, and the K of its products: a product for each scale, and for an
/// offset one with what is summed of the other factor.
fn scaled(plan: &Plan) -> [u32; 2] {
    let Some(scaling) = plan.scaling.filter(|scaling| scaling.by == ScaledBy::Sums) else {
        return [0; 2];
    };
    let scales = Side::BOTH.into_iter().filter_map(|side| *scaling.scales.get(side));
    [scales.map(|scale| 1 + u32::from(scale.offset.is_some())).sum(), scaling.k]
}

impl Footprint {
    /// Bytes of an element of A, and of B, with those of its scales.
    pub(super) fn scaled_bytes(&self) -> [f64; 2] {
        let ([a, b, _], [of_a, of_b]) = (self.element_bytes(), self.scale_bytes.map(f64::from));
        [a + of_a / f64::from(WITH_SCALES), b + of_b / f64::from(WITH_SCALES)]
    }

    /// Bytes of an element of A, of B and of what is written.
    pub fn element_bytes(&self) -> [f64; 3] {
        self.element_bits.map(|bits| f64::from(bits) / 8.0)
    }

    /// Whether a factor is converted.
    pub(super) fn converts(&self) -> bool {
        self.converted != [0; 2]
    }

    /// The columns of all products; each product has `n`.
    pub(super) fn columns(&self, n: usize) -> usize {
        n.saturating_mul(self.side_by_side.max(1) as usize)
    }

    /// That of a plan.
    pub fn of(plan: &Plan) -> Footprint {
        let [a, b] = Side::BOTH.map(|side| plan.problem.factor(side).element);
        // What a reduction costs is counted by itself.
        let matrices = plan.problem.stores().iter().filter(|store| store.reduced_along().is_none());
        let written: u32 = matrices.map(|store| store.element().bytes()).sum();
        let columns = plan.columns_of_k();
        let terms = plan.planes.map_or(1, |planes| planes.terms().len() as u32);
        Footprint {
            block: plan.block(),
            side_by_side: plan.problem.products(),
            warps: plan.warps.grid,
            step: plan.mma.shape()[2] / plan.columns_of_k(),
            products: products(plan.mma.unit, plan.mma.elements.a) / terms,
            converted: converted(plan),
            scale_bytes: scale_bytes(plan),
            scaled: scaled(plan),
            promoted: plan.promotion().unwrap_or(0),
            promoting: plan.promoting().unwrap_or_default(),
            element_bits: [a.bits() * columns, b.bits() * columns, 8 * written],
            k_contiguous: Side::BOTH.map(|side| plan.problem.factor(side).k_contiguous()),
            ring_bytes: plan.shared_memory.ring_bytes,
            stages: plan.ring.stages,
            shared_bytes: plan.shared_memory.bytes(),
            registers: registers(plan),
            splits: plan.split_k().map_or(1, |split_k| split_k.splits),
            tail: plan.split_k().is_some_and(|split_k| split_k.tail),
            form: plan.form,
            cluster_splits: plan.scheduler.cluster_split_k().map_or(1, |split_k| split_k.splits),
            parts: Side::BOTH.map(|side| Cluster::parts(plan.cluster(), side)),
            walk: plan.scheduler.walk(),
            body: plan.problem.body.instructions(),
            reduces: plan.problem.reductions().iter().any(Option::is_some),
        }
    }
}
