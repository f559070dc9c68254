//! How exactly f32 factors are multiplied: as they are, or rounded to tf32 for tensor cores.

use crate::element::{Element, pair};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};

use super::Atom;
use crate::axis::Axis;
use crate::help::Values;
use crate::spec::{Accumulator, Mma, Planes, Precision, Schedule};

/// Whether register tiles multiply these factors where a schedule names no atom.
pub(crate) fn is_by_lanes(elements: [Element; 2], precision: Option<Precision>) -> bool {
    elements == [Element::F32; 2] && precision.unwrap_or_default() == Precision::F32
}

/// What factors of these elements are multiplied as, if that is planes, by an atom that can.
pub(crate) fn planes(elements: [Element; 2], schedule: &Schedule) -> Option<Planes> {
    let planes = schedule.precision.and_then(Precision::planes)?;
    let can = schedule.mma.is_none_or(|mma| multiplies(mma, planes));
    (elements == [Element::F32; 2] && can).then_some(planes)
}

/// Proves that factors are rounded, or told as planes, where `precision` says so, and only there.
/// `elements` are those of the factors.
pub(crate) fn check(elements: [Element; 2], schedule: &Schedule) -> Result<(), Vec<Diagnostic>> {
    let of_planes = planes(elements, schedule)
        .map(|planes| [summed_in_f32(schedule), whole_units(schedule, planes)]);
    let of_planes = of_planes.into_iter().flatten().flatten();
    let broken: Vec<Diagnostic> =
        by_name(elements, schedule).into_iter().chain(of_planes).collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Who multiplies f32 factors does so as `precision` says.
fn by_name(elements: [Element; 2], schedule: &Schedule) -> Option<Diagnostic> {
    let [a, b] = elements;
    let singles = elements == [Element::F32; 2];
    let (at, message, help) = match (schedule.precision, schedule.mma) {
        (Some(precision), _) if !singles => (
            Field::Precision,
            format!(
                "`precision = {}` is for factors of f32, but these are {}",
                precision.name(),
                pair(elements)
            ),
            "remove `precision`".to_owned(),
        ),
        (Some(Precision::Tf32), Some(mma @ Mma::Fma { .. })) => (
            Field::Precision,
            format!("{} multiplies f32 factors as they are, not as tf32", mma.name()),
            format!(
                "remove `precision = tf32` to multiply in f32, or remove `mma = {}` to multiply in tf32",
                mma.name()
            ),
        ),
        (Some(precision), Some(mma)) if precision.planes().is_some() => {
            return of_planes(mma, precision.planes()?, schedule);
        }
        (None | Some(Precision::F32), Some(mma)) if singles && Atom::find(mma, a, b).is_some() => (
            Field::Mma,
            format!(
                "{} rounds f32 factors to tf32, which has 10 bits of fraction, not 23",
                mma.name()
            ),
            "write `precision = tf32`, or `mma = fma(8, 8)` to multiply in f32".to_owned(),
        ),
        _ => return None,
    };
    Some(Diagnostic::new(Rule::PrecisionByName, at, message, help))
}

/// The atom multiplies planes, however they are copied.
fn of_planes(mma: Mma, planes: Planes, schedule: &Schedule) -> Option<Diagnostic> {
    let precision = planes.precision().name();
    let new = |message: String, help| {
        Some(Diagnostic::new(Rule::PrecisionByName, Field::Mma, message, help))
    };
    if !multiplies(mma, planes) {
        let element = planes.element();
        return new(
            format!(
                "{} does not multiply {element}, but `precision = {precision}` does",
                mma.name()
            ),
            "use mma = m16n8k16 or wgmma, or leave `mma` out",
        );
    }
    if schedule.copies_tensors() && !matches!(mma, Mma::Wgmma(_)) {
        return new(
            format!(
                "`precision = {precision}` with `copy = tma` requires `mma = wgmma`, not {}",
                mma.name()
            ),
            "write `mma = wgmma`, or `copy = cp_async(16, cg)`",
        );
    }
    None
}

/// Whether an atom of this name multiplies the elements of planes.
fn multiplies(mma: Mma, planes: Planes) -> bool {
    Atom::find(mma, planes.element(), planes.element()).is_some()
}

/// What is told as planes to lose nothing is not summed in halves.
fn summed_in_f32(schedule: &Schedule) -> Option<Diagnostic> {
    let written = schedule.acc.filter(|acc| *acc != Accumulator::F32)?;
    let precision = schedule.precision.unwrap_or_default().name();
    Some(Diagnostic::new(
        Rule::AccumulatorOfAtom,
        Field::Accumulator,
        format!("`precision = {precision}` has no {} accumulator", written.name()),
        "use acc = f32",
    ))
}

/// A k-tile, and each warp's part of it along K, has all planes of what it has.
fn whole_units(schedule: &Schedule, planes: Planes) -> Option<Diagnostic> {
    let [_, _, k] = schedule.tile?;
    let warps = schedule.warps.map_or(1, |[_, _, along_k]| u32::from(along_k.get()));
    let (k, unit) = (u32::from(k.get()), planes.unit() * warps);
    if k.is_multiple_of(unit) {
        return None;
    }
    let after = if warps == 1 { String::new() } else { format!(" for {warps} warps along K") };
    let broken = Diagnostic::new(
        Rule::PlanesOfTile,
        Field::Tile(Axis::K),
        format!(
            "BLK_K = {k} is not a multiple of {unit}: all planes of {} of K are multiplied together{after}",
            planes.unit()
        ),
        format!("BLK_K has to be a multiple of {unit}"),
    );
    Some(broken.naming(Values::extents(Axis::K, k, unit, after)))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn what_rounds_f32_is_legal_by_name_alone() {
        let eight = NonZeroU16::new(8).unwrap();
        let fma = Some(Mma::Fma { m: eight, n: eight });
        let broken = |element, mma, precision| {
            let schedule = Schedule { mma, precision, ..Schedule::default() };
            check([element; 2], &schedule).map_err(|broken| broken[0].at)
        };
        let (exact, tf32) = (Some(Precision::F32), Some(Precision::Tf32));
        for mma in [Mma::M16n8k8, Mma::M16n8k4, Mma::Wgmma(None)].map(Some) {
            assert_eq!(broken(Element::F32, mma, tf32), Ok(()), "{mma:?}");
            for written in [None, exact] {
                assert_eq!(broken(Element::F32, mma, written), Err(Field::Mma), "{mma:?}");
            }
            assert_eq!(broken(Element::F16, mma, None), Ok(()), "{mma:?}");
        }
        for written in [None, exact] {
            assert_eq!(broken(Element::F32, fma, written), Ok(()));
            assert_eq!(broken(Element::F32, None, written), Ok(()));
        }
        assert_eq!(broken(Element::F32, None, tf32), Ok(()));
        assert_eq!(broken(Element::F32, fma, tf32), Err(Field::Precision));
        for written in [exact, tf32] {
            assert_eq!(broken(Element::F16, None, written), Err(Field::Precision));
        }
        let other = broken(Element::F32, Some(Mma::M16n8k16), None);
        assert_eq!(other, Ok(()), "an atom that does not multiply f32 is another mistake");
    }
}
