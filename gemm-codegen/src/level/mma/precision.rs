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

/// Proves that factors are rounded, or told as planes, where `precision` says so, and only there. Returns the
/// planes. `elements` are those of the factors.
pub(crate) fn check(
    elements: [Element; 2],
    schedule: &Schedule,
) -> Result<Option<Planes>, Vec<Diagnostic>> {
    let planes = schedule.precision.and_then(Precision::planes);
    let planes = planes.filter(|_| elements == [Element::F32; 2]);
    let mut broken: Vec<Diagnostic> = by_name(elements, schedule).into_iter().collect();
    if let Some(planes) = planes {
        broken.extend(summed_in_f32(schedule));
        broken.extend(whole_units(schedule, planes));
    }
    if broken.is_empty() { Ok(planes) } else { Err(broken) }
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
        (Some(precision @ Precision::F16x3), Some(mma)) if !matches!(mma, Mma::Wgmma(_)) => (
            Field::Mma,
            format!(
                "`precision = {}` requires `mma = wgmma`, not {}",
                precision.name(),
                mma.name()
            ),
            "write `mma = wgmma`, or leave `mma` out".to_owned(),
        ),
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

/// A k-tile has all planes of what it has.
fn whole_units(schedule: &Schedule, planes: Planes) -> Option<Diagnostic> {
    let [_, _, k] = schedule.tile?;
    let (k, unit) = (u32::from(k.get()), planes.unit());
    if k.is_multiple_of(unit) {
        return None;
    }
    let broken = Diagnostic::new(
        Rule::PlanesOfTile,
        Field::Tile(Axis::K),
        format!("BLK_K = {k} is not a multiple of {unit}, of which a tile has both halves"),
        format!("BLK_K has to be a multiple of {unit}"),
    );
    Some(broken.naming(Values::extents(Axis::K, k, unit, "")))
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
            check([element; 2], &schedule).map(|_| ()).map_err(|broken| broken[0].at)
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
