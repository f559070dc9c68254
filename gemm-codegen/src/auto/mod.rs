//! Several schedules of one spec, among which a launch chooses by its shape.
//!
//! No schedule suits every shape: a block of 128 × 256 is best for large products, few rows want
//! warps along K and much in flight, small ones many small blocks. [`plans`] proves a list of them
//! when the function is compiled; [`Footprint::seconds`] says at a launch which should be fastest.

mod cost;

use std::num::NonZeroU16;

use crate::body::{Body, Node};
use crate::hardware::Target;
use crate::level::global_to_shared::{CachePolicy, CopyAtom};
use crate::level::split_k::Splits;
use crate::plan::Plan;
use crate::rule::Diagnostics;
use crate::spec::{PerSide, Schedule, Side, Spec};

pub use cost::{Footprint, Machine, Shares};

/// A schedule for any element of up to 4 bytes.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// BLK_M, BLK_N, and BLK_K in bytes.
    tile: [u16; 3],
    warps: [u16; 3],
    stages: u16,
    splits: Option<Splits>,
    /// Whether a unit of the SM copies the tiles, where both factors' rows run along K.
    tensors: bool,
    /// What L2 does with the lines of the factor with the columns, which products of few rows read
    /// once; `None` leaves its copies as they are.
    streamed: Option<CachePolicy>,
    /// Whether it is for products without tensor cores alone.
    lanes: bool,
    /// Whether the factors change places, so that the second one has the rows of the atom: those are
    /// twice its columns, and fewer are left empty where the first factor has few rows.
    swapped: bool,
}

/// What [`plans`] tries beside the derived schedule: those that were fastest for some of 220 shapes,
/// from large products to few rows, three that tensor copies made faster, and one of eight warps without
/// tensor cores, of which an SM has two blocks.
const CANDIDATES: [Candidate; 19] = [
    candidate([192, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8),
    candidate([128, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8),
    candidate([128, 256, 64], [2, 4, 1], 4).split_tail(8),
    candidate([128, 128, 128], [2, 2, 1], 3),
    candidate([128, 128, 128], [2, 4, 1], 4).split(4),
    candidate([64, 64, 128], [2, 2, 1], 5),
    candidate([64, 64, 256], [2, 2, 2], 4),
    candidate([64, 64, 256], [2, 2, 2], 4).split(4),
    candidate([64, 32, 256], [2, 1, 4], 6),
    candidate([64, 128, 128], [2, 2, 1], 6).by_tensors(),
    candidate([32, 64, 256], [1, 2, 2], 4).stream(),
    candidate([32, 32, 512], [1, 1, 8], 5).stream(),
    candidate([16, 64, 256], [1, 2, 4], 5).stream(),
    candidate([16, 32, 256], [1, 1, 4], 4).stream(),
    candidate([16, 32, 512], [1, 1, 8], 6).stream(),
    candidate([16, 32, 512], [1, 1, 8], 5).split(2).stream(),
    candidate([128, 32, 256], [4, 1, 2], 4).swap().stream(),
    candidate([128, 64, 256], [4, 1, 2], 4).swap().stream(),
    candidate([128, 128, 64], [4, 2, 1], 3).by_lanes(),
];

const fn candidate(tile: [u16; 3], warps: [u16; 3], stages: u16) -> Candidate {
    let (splits, tensors, streamed, lanes, swapped) = (None, false, None, false, false);
    Candidate { tile, warps, stages, splits, tensors, streamed, lanes, swapped }
}

/// The plan that `spec` derives, and behind it those of other schedules that are legal: on all
/// targets, or on those whose shared memory holds them. The first is legal on all.
///
/// # Errors
/// What is wrong with the spec itself.
pub fn plans(spec: &Spec) -> Result<Vec<Plan>, Diagnostics> {
    let derived = Plan::new(spec)?;
    let others = CANDIDATES.iter().filter_map(|candidate| {
        let other = candidate.spec(spec, &derived)?;
        Plan::new(&other).ok()
    });
    let others: Vec<Plan> = others.collect();
    Ok(std::iter::once(derived).chain(others).collect())
}

impl Candidate {
    const fn split(self, splits: u16) -> Candidate {
        let splits = match NonZeroU16::new(splits) {
            Some(splits) => Some(Splits::Every(splits)),
            None => None,
        };
        Candidate { splits, ..self }
    }

    /// Shares the tiles of the last wave, each by at most so many blocks.
    const fn split_tail(self, most: u16) -> Candidate {
        let splits = match NonZeroU16::new(most) {
            Some(most) => Some(Splits::Tail(most)),
            None => None,
        };
        Candidate { splits, ..self }
    }

    const fn by_tensors(self) -> Candidate {
        Candidate { tensors: true, ..self }
    }

    /// The second factor is read once.
    const fn stream(self) -> Candidate {
        Candidate { streamed: Some(CachePolicy::EvictFirst), ..self }
    }

    const fn by_lanes(self) -> Candidate {
        Candidate { lanes: true, ..self }
    }

    const fn swap(self) -> Candidate {
        Candidate { swapped: true, ..self }
    }

    /// `spec` with this schedule, for the targets that have the shared memory; `None` if none has, and
    /// where lanes multiply by the tile that they derive: to share its last tiles takes more registers
    /// than its warps have.
    fn spec(self, spec: &Spec, derived: &Plan) -> Option<Spec> {
        let (element, targets) = (derived.contraction.element(Side::A), &derived.targets);
        let [m, n, k_bytes] = self.tile.map(u32::from);
        let by_lanes = derived.mma.tile.is_some();
        let is_derived = derived.warps.block == [m, n, k_bytes / element.bytes()];
        if by_lanes && is_derived || self.lanes && !by_lanes {
            return None;
        }
        let holds = |target: &&Target| {
            u32::from(self.stages) * (m + n) * k_bytes <= target.limits().shared_bytes_per_block
                && (!self.tensors || **target >= CopyAtom::Tma.oldest())
        };
        let targets: Vec<Target> = targets.iter().filter(holds).copied().collect();
        let tile = [m, n, k_bytes / element.bytes()].map(|extent| u16::try_from(extent).ok());
        let [m, n, k] = tile.map(|extent| extent.and_then(NonZeroU16::new));
        let [warps_m, warps_n, warps_k] = self.warps.map(NonZeroU16::new);
        let schedule = Schedule {
            tile: Some([m?, n?, k?]),
            warps: Some([warps_m?, warps_n?, warps_k?]),
            stages: NonZeroU16::new(self.stages),
            split_k: self.splits,
            targets: (!targets.is_empty()).then_some(targets),
            copy: self.copies(&spec.schedule, derived),
            ..spec.schedule.clone()
        };
        schedule.targets.as_ref()?;
        let body = if self.swapped { swapped(&spec.body) } else { spec.body.clone() };
        Some(Spec { schedule, body, ..spec.clone() })
    }
}

impl Candidate {
    /// The copies that are named, each of the factor that it was named for; else those of the derived
    /// plan, with the policy of this schedule.
    fn copies(self, schedule: &Schedule, derived: &Plan) -> PerSide<Option<CopyAtom>> {
        let PerSide { a, mut b } = schedule.copy;
        if self.tensors && (a, b) == (None, None) {
            return PerSide::both(Some(CopyAtom::Tma));
        }
        let streams = self.streamed.filter(|_| b.is_none());
        if let (Some(policy), CopyAtom::CpAsync { bytes, cache, .. }) =
            (streams, derived.global_to_shared(Side::B).atom)
        {
            b = Some(CopyAtom::CpAsync { bytes, cache, policy: Some(policy) });
        }
        if self.swapped { PerSide { a: b, b: a } } else { PerSide { a, b } }
    }
}

/// The body with the factors of its product in the other order: the product is the same, its
/// transpose is what is multiplied.
fn swapped(body: &Body) -> Body {
    let mut body = body.clone();
    for node in &mut body.nodes {
        if let Node::Call { function, arguments } = node
            && function == "matmul"
        {
            arguments.reverse();
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;
    use crate::level::global_to_shared::CacheOperator;
    use crate::spec::{Axis, Operand, OperandKind, Output};
    use crate::{Factors, Kernel, Mma, ParameterKind, Raster, emit};

    /// a(M×K) · b(N×K)ᵀ, everything of one element.
    fn product(element: Element) -> Spec {
        let matrix = |name: &str, indices: [&str; 2]| Operand {
            name: name.to_owned(),
            batch: None,
            kind: OperandKind::Matrix { element, indices: indices.map(str::to_owned) },
        };
        Spec {
            name: "product".to_owned(),
            operands: vec![matrix("a", ["M", "K"]), matrix("b", ["N", "K"])],
            output: Output {
                in_place: None,
                batch: None,
                element,
                indices: ["M", "N"].map(str::to_owned),
            },
            more_outputs: Vec::new(),
            body: Body::matmul("a", "b"),
            schedule: Schedule::default(),
        }
    }

    /// As the driver describes it.
    const H200: Machine =
        Machine { target: Target::Sm90, processors: 132, clock: 1.98e9, memory: 4.917e12 };

    /// The tile and the splits of the kernel that is chosen for a shape on an H200.
    fn chosen(kernels: &[Kernel], [m, n, k]: [usize; 3]) -> ([u32; 3], u32) {
        let seconds = |kernel: &&Kernel| {
            let output = kernel.parameters().last().map(|output| output.kind);
            let swapped = matches!(output, Some(ParameterKind::Matrix { rows: Axis::N, .. }));
            let shape = if swapped { [n, m, k] } else { [m, n, k] };
            kernel.footprint().seconds(shape, 1, &H200)
        };
        let best = kernels.iter().min_by(|x, y| seconds(x).total_cmp(&seconds(y))).unwrap();
        (best.block_tile(), best.footprint().splits)
    }

    #[test]
    fn every_candidate_is_legal_for_halves() {
        let plans = plans(&product(Element::F16)).unwrap();
        let candidates = CANDIDATES.into_iter().filter(|candidate| !candidate.lanes);
        assert_eq!(plans.len(), 1 + candidates.clone().count());
        assert_eq!(plans[0].warps().block, [128, 128, 32]);
        assert_eq!(plans[0].targets(), Target::DEFAULT);
        for (plan, candidate) in plans[1..].iter().zip(candidates) {
            let [m, n, _] = candidate.tile.map(u32::from);
            assert_eq!(plan.warps().block[..2], [m, n]);
            assert!(plan.targets().contains(&Target::Sm90));
        }
    }

    #[test]
    fn a_target_with_less_shared_memory_has_fewer() {
        let spec = Spec {
            schedule: Schedule { targets: Some(vec![Target::Sm86]), ..Schedule::default() },
            ..product(Element::F16)
        };
        let few = plans(&spec).unwrap();
        assert!((4..CANDIDATES.len()).contains(&few.len()), "{}", few.len());
        assert!(few.iter().all(|plan| plan.targets() == [Target::Sm86]));
    }

    #[test]
    fn what_a_schedule_names_is_kept() {
        let mut spec = product(Element::F16);
        spec.schedule.raster = Some(Raster::AlongN(NonZeroU16::new(3).unwrap()));
        let plans = plans(&spec).unwrap();
        assert!(plans.len() > 10);
        assert!(plans.iter().all(|plan| Some(plan.grid()) == spec.schedule.raster));
    }

    #[test]
    fn a_copy_stays_with_its_factor() {
        let bytes = NonZeroU16::new(16).unwrap();
        let policy = Some(CachePolicy::EvictLast);
        let mut spec = product(Element::F16);
        spec.schedule.copy.a = Some(CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, policy });
        for plan in plans(&spec).unwrap() {
            let of_a = if plan.contraction().operand(Side::A) == 0 { Side::A } else { Side::B };
            let policies = Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy());
            assert_eq!(policies[of_a as usize], policy);
            assert_ne!(policies[1 - of_a as usize], policy);
        }
    }

    #[test]
    fn a_candidate_can_stream_the_second_factor() {
        let streamed = Some(CachePolicy::EvictFirst);
        let policies = |spec: &Spec, candidate: Candidate| {
            let derived = Plan::new(spec).unwrap();
            let plan = Plan::new(&candidate.spec(spec, &derived).unwrap()).unwrap();
            Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy())
        };
        let spec = product(Element::F16);
        let rows = Candidate { streamed, ..CANDIDATES[13] };
        let columns = Candidate { streamed, ..CANDIDATES[16] };
        assert!(!rows.swapped && columns.swapped);
        assert_eq!(policies(&spec, rows), [None, streamed]);
        assert_eq!(policies(&spec, columns), [streamed, None]);

        let mut named = spec.clone();
        let bytes = NonZeroU16::new(16).unwrap();
        let plain = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy: None };
        named.schedule.copy = PerSide::both(Some(plain));
        assert_eq!(policies(&named, rows), [None; 2], "what is named is kept");
    }

    #[test]
    fn other_elements_have_what_is_legal_for_them() {
        for element in [Element::I8, Element::F32, Element::F64, Element::E4m3] {
            let output = Output { element: element_of(element), ..product(element).output };
            let count = plans(&Spec { output, ..product(element) }).unwrap().len();
            assert!(count > 5, "{element}: {count}");
        }
    }

    #[test]
    fn singles_have_every_candidate_and_some_round_where_they_copy() {
        let plans = plans(&product(Element::F32)).unwrap();
        let candidates = CANDIDATES.into_iter().filter(|candidate| !candidate.lanes);
        assert_eq!(plans.len(), 1 + candidates.clone().count());
        assert_eq!(plans[0].factors(), Factors::Tf32TiesAway, "as the reference rounds");
        for (plan, candidate) in plans[1..].iter().zip(candidates) {
            assert_eq!(plan.factors() == Factors::Tf32TiesEven, candidate.tensors);
        }
    }

    #[test]
    fn lanes_have_their_own_tile_once_and_smaller_ones() {
        let mut spec = product(Element::F32);
        let eight = NonZeroU16::new(8).unwrap();
        spec.schedule.mma = Some(Mma::Fma { m: eight, n: eight });
        let plans = plans(&spec).unwrap();
        let cut = |plan: &Plan| (plan.warps().block, plan.warps().grid);
        assert_eq!(cut(&plans[0]), ([128, 256, 16], [4, 4, 1]));
        let wide = plans.iter().filter(|plan| plan.warps().block == [128, 256, 16]);
        assert_eq!(wide.count(), 1);
        assert!(plans.iter().any(|plan| cut(plan) == ([128, 128, 16], [4, 2, 1])));
    }

    /// What a product of these elements is stored as.
    fn element_of(element: Element) -> Element {
        if element == Element::I8 { Element::I32 } else { element }
    }

    #[test]
    fn a_mistake_of_the_spec_is_reported() {
        let mut spec = product(Element::F16);
        spec.schedule.copy = PerSide::both(None);
        spec.output.indices[1] = "K".to_owned();
        assert!(plans(&spec).is_err());
    }

    #[test]
    fn the_shape_decides() {
        let kernels: Vec<Kernel> =
            plans(&product(Element::F16)).unwrap().iter().map(emit).collect();
        assert_eq!(chosen(&kernels, [4096, 4096, 4096]), ([128, 256, 64], 8));
        assert_eq!(chosen(&kernels, [8192, 8192, 8192]), ([192, 256, 64], 8));
        assert_eq!(chosen(&kernels, [1, 4096, 4096]), ([16, 32, 256], 1));
        assert_eq!(chosen(&kernels, [32, 28672, 8192]), ([128, 32, 128], 1));
        assert_eq!(chosen(&kernels, [64, 64, 64]), ([16, 32, 128], 1));
        assert_eq!(chosen(&kernels, [16, 16, 16384]).1, 2, "few tiles, a long sum");
    }

    #[test]
    fn more_work_takes_longer() {
        let kernels: Vec<Kernel> =
            plans(&product(Element::F16)).unwrap().iter().map(emit).collect();
        for kernel in &kernels {
            let seconds = |shape, batch| kernel.footprint().seconds(shape, batch, &H200);
            let one = seconds([512, 512, 512], 1);
            assert!(one > 1e-6 && one < 1e-4, "{one}");
            for shape in [[2048, 512, 512], [512, 2048, 512], [512, 512, 2048]] {
                assert!(seconds(shape, 1) > one);
            }
            assert!(seconds([512, 512, 512], 9) > one);
            assert!(seconds([0, 512, 512], 0) > 0.0, "an empty product is a launch");
        }
    }
}
