//! How exactly f32 factors are multiplied: as they are, or rounded to tf32 for tensor cores.

use crate::element::{Element, pair};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};

use super::Atom;
use crate::spec::{Mma, Precision};

/// Whether register tiles multiply these factors where a schedule names no atom.
pub(crate) fn is_by_lanes(elements: [Element; 2], precision: Option<Precision>) -> bool {
    elements == [Element::F32; 2] && precision.unwrap_or_default() == Precision::F32
}

/// Proves that factors are rounded where `precision` says so, and only there. `elements` are those of
/// the factors, `mma` is the atom that the schedule names.
pub(crate) fn check(
    elements: [Element; 2],
    mma: Option<Mma>,
    written: Option<Precision>,
) -> Result<(), Vec<Diagnostic>> {
    let [a, b] = elements;
    let singles = elements == [Element::F32; 2];
    let (at, message, help) = match (written, mma) {
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
        (None | Some(Precision::F32), Some(mma)) if singles && Atom::find(mma, a, b).is_some() => (
            Field::Mma,
            format!(
                "{} rounds f32 factors to tf32, which has 10 bits of fraction, not 23",
                mma.name()
            ),
            "write `precision = tf32`, or `mma = fma(8, 8)` to multiply in f32".to_owned(),
        ),
        _ => return Ok(()),
    };
    Err(vec![Diagnostic::new(Rule::Tf32ByName, at, message, help)])
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn what_rounds_f32_is_legal_by_name_alone() {
        let eight = NonZeroU16::new(8).unwrap();
        let fma = Some(Mma::Fma { m: eight, n: eight });
        let broken = |element, mma, written| {
            check([element; 2], mma, written).map_err(|broken| broken[0].at)
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
