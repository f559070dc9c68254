//! The MMA atom of a schedule that names none.

use super::ResolvedSchedule;
use crate::axis::Side;
use crate::element::Element;
use crate::hardware::Target;
use crate::level::mma::{self, Atom};
use crate::level::warps;
use crate::registers::{Registers, registers_of};
use crate::spec::Mma;

/// The schedule with the atom that the fewest of these speak against, the deepest of those that are
/// equal. Where no atom multiplies the elements, as for halves.
///
/// `targets` are those of the schedule for an atom, `with` fills in the rest.
pub(super) fn choose(
    [a, b]: [Element; 2],
    targets: impl Fn(Option<&Atom>) -> Vec<Target>,
    with: impl Fn(Mma) -> ResolvedSchedule,
) -> ResolvedSchedule {
    let any = mma::of(a, b).next().is_some();
    let [a, b] = if any { [a, b] } else { [Element::F16; 2] };
    let targets = targets(mma::of(a, b).min_by_key(|atom| atom.on.lacking(&Target::ALL)));
    let all = mma::of(a, b).map(|atom| {
        let schedule = with(atom.shape);
        (Faults::of(atom, &targets, &schedule), schedule)
    });
    let best = all.min_by_key(|(faults, _)| *faults);
    best.map_or_else(|| with(Mma::M16n8k16), |(_, schedule)| schedule)
}

/// What speaks against an atom, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Faults {
    /// Targets that lack it.
    lacking: usize,
    /// All that lack it, if there are any.
    rarity: Option<usize>,
    /// Its k, if that does not divide a warp's part of BLK_K.
    k: Option<u32>,
    /// The tile of a warp is not a whole number of atoms.
    left_over: bool,
    /// The registers of a thread are too few for the fragments of one k-step.
    overflow: bool,
    /// They are too few for those of two, where the main loop would have them.
    single: bool,
}

impl Faults {
    fn of(atom: &Atom, targets: &[Target], schedule: &ResolvedSchedule) -> Faults {
        let lacking = atom.on.lacking(targets);
        let k = schedule.shape()[2];
        let registers = registers(schedule);
        Faults {
            lacking,
            rarity: (lacking > 0).then(|| atom.on.lacking(&Target::ALL)),
            k: (!warps::share(schedule.tile[2], schedule.warps[2]).is_multiple_of(k)).then_some(k),
            left_over: registers.is_none(),
            overflow: registers.is_some_and(|registers| !registers.fit()),
            single: registers.is_some_and(|registers| registers.missing() > 0),
        }
    }
}

/// The registers of a thread, if the tile of a warp is a whole number of atoms.
fn registers(schedule: &ResolvedSchedule) -> Option<Registers> {
    let atom = schedule.shape();
    let atoms = |axis: usize| {
        let unit = schedule.warps[axis].saturating_mul(atom[axis]);
        let extent = schedule.tile[axis];
        extent.is_multiple_of(unit).then(|| extent / unit)
    };
    let (m, n) = (atoms(0)?, atoms(1)?);
    let fragments = [m * schedule.registers(Side::A), n * schedule.registers(Side::B)];
    let sums = (m * n).saturating_mul(atom[0] * atom[1]);
    let sums = registers_of(sums, schedule.accumulator.bits());
    let sums = if schedule.has_pending() { 2 * sums } else { sums };
    let threads = schedule.threads();
    Some(schedule.form.registers(sums, fragments, schedule.copies(threads), threads))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Body, Operand, OperandKind, Output, OutputIndices, Schedule, Spec};
    use std::num::NonZeroU16;

    /// The atom of a product of two such matrices by a schedule of this tile, these warps and targets.
    fn atom(element: Element, tile: [u16; 3], warps: [u16; 2], targets: &[Target]) -> Mma {
        let extent = |extent| NonZeroU16::new(extent).unwrap();
        let matrix = |name: &str, row: &str| Operand {
            name: name.to_owned(),
            batch: Vec::new(),
            kind: OperandKind::Matrix { element, indices: [row, "K"].map(str::to_owned) },
        };
        let indices = ["M", "N"].map(str::to_owned);
        let spec = Spec {
            name: "f".to_owned(),
            operands: vec![matrix("a", "M"), matrix("b", "N")],
            outputs: vec![Output {
                in_place: None,
                batch: Vec::new(),
                element,
                indices: OutputIndices::Matrix(indices),
            }],
            body: Body::matmul("a", "b"),
            schedule: Schedule {
                tile: Some(tile.map(extent)),
                warps: Some([extent(warps[0]), extent(warps[1]), NonZeroU16::MIN]),
                targets: (!targets.is_empty()).then(|| targets.to_vec()),
                ..Schedule::default()
            },
        };
        super::super::resolve(&spec, Some([element; 2]), None, None).mma
    }

    #[test]
    fn the_deepest_that_every_target_has() {
        use Mma::{M8n8k4, M16n8k4, M16n8k8, M16n8k16};
        let double = |k, targets: &[Target]| atom(Element::F64, [64, 64, k], [2, 2], targets);
        assert_eq!(double(16, &[Target::Sm90]), M16n8k16);
        assert_eq!(double(8, &[Target::Sm90, Target::Sm120]), M16n8k8);
        assert_eq!(double(12, &[Target::Sm100]), M16n8k4);
        assert_eq!(double(16, &[Target::Sm80, Target::Sm90]), M8n8k4);
        assert_eq!(double(16, &[]), M8n8k4, "of the usual targets");
        assert_eq!(double(16, &[Target::Sm75]), M8n8k4, "it lacks all of them, the others longer");
        let half = |k, targets: &[Target]| atom(Element::F16, [64, 64, k], [2, 2], targets);
        assert_eq!([half(32, &[]), half(32, &[Target::Sm75])], [M16n8k16, M16n8k8]);
        assert_eq!([half(24, &[]), half(4, &[])], [M16n8k8, M16n8k8]);
    }

    #[test]
    fn the_deepest_that_tiles_a_warp_and_whose_fragments_fit_twice() {
        use Mma::{M8n8k4, M16n8k4, M16n8k8, M16n8k16};
        let double = |tile, warps| atom(Element::F64, tile, warps, &[Target::Sm90]);
        assert_eq!(double([40, 64, 16], [1, 2]), M8n8k4);
        assert_eq!(double([128, 128, 16], [4, 2]), M16n8k4, "128 + 2 * 48 + 40 = 264");
        let once = "64 + 64 + 16 are more than 128, 64 + 32 + 16 are not; none fits twice";
        assert_eq!(double([128, 128, 16], [4, 4]), M16n8k8, "{once}");
        assert_eq!(double([64, 64, 16], [2, 2]), M16n8k16, "64 + 2 * 64 + 40 = 232");
        let half = |warps| atom(Element::F16, [128, 128, 32], warps, &[]);
        assert_eq!(
            [half([2, 2]), half([1, 1])],
            [M16n8k16; 2],
            "as deep as can be where none fits"
        );
    }
}
