//! `setp`.

use half::{bf16, f16};

use super::super::moves::logic;
use super::super::registers::{Lane, Registers, test2};
use crate::program::{Comparison, Logic, PredicateUse, Scalar, UnorderedComparison};

/// The lanes in which the comparison holds.
pub(super) fn compare(
    r: &Registers,
    f: Comparison,
    ty: Scalar,
    flush: bool,
    a: u32,
    b: u32,
) -> u32 {
    match ty {
        Scalar::F32 if flush => test2(r, a, b, |a: f32, b: f32| holds(f, flushed(a), flushed(b))),
        Scalar::F32 => ordered::<f32>(r, f, a, b),
        Scalar::F64 => ordered::<f64>(r, f, a, b),
        Scalar::F16 => ordered::<f16>(r, f, a, b),
        Scalar::Bf16 => ordered::<bf16>(r, f, a, b),
        Scalar::S8 => ordered::<i8>(r, f, a, b),
        Scalar::U8 => ordered::<u8>(r, f, a, b),
        Scalar::S16 => ordered::<i16>(r, f, a, b),
        Scalar::U16 => ordered::<u16>(r, f, a, b),
        Scalar::S32 => ordered::<i32>(r, f, a, b),
        Scalar::U32 => ordered::<u32>(r, f, a, b),
        Scalar::S64 => ordered::<i64>(r, f, a, b),
        Scalar::U64 => ordered::<u64>(r, f, a, b),
    }
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// One loop for each of the common comparisons.
fn ordered<T: Lane + PartialOrd>(r: &Registers, f: Comparison, a: u32, b: u32) -> u32 {
    match f {
        Comparison::Equal => test2(r, a, b, |a: T, b: T| a == b),
        Comparison::Less => test2(r, a, b, |a: T, b: T| a < b),
        Comparison::LessEqual => test2(r, a, b, |a: T, b: T| a <= b),
        Comparison::Greater => test2(r, a, b, |a: T, b: T| a > b),
        Comparison::GreaterEqual => test2(r, a, b, |a: T, b: T| a >= b),
        _ => test2(r, a, b, |a: T, b: T| holds(f, a, b)),
    }
}

fn holds<T: PartialOrd>(f: Comparison, a: T, b: T) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = a.partial_cmp(&b);
    match f {
        Comparison::Equal => order == Some(Equal),
        Comparison::NotEqual => matches!(order, Some(Less | Greater)),
        Comparison::Less => order == Some(Less),
        Comparison::LessEqual => matches!(order, Some(Less | Equal)),
        Comparison::Greater => order == Some(Greater),
        Comparison::GreaterEqual => matches!(order, Some(Greater | Equal)),
        Comparison::Numbers => order.is_some(),
        Comparison::NotNumbers => order.is_none(),
        Comparison::Unordered(f) => match f {
            UnorderedComparison::Equal => matches!(order, None | Some(Equal)),
            UnorderedComparison::NotEqual => order != Some(Equal),
            UnorderedComparison::Less => matches!(order, None | Some(Less)),
            UnorderedComparison::LessEqual => order != Some(Greater),
            UnorderedComparison::Greater => matches!(order, None | Some(Greater)),
            UnorderedComparison::GreaterEqual => order != Some(Less),
        },
    }
}

/// Writes a comparison and its inverse, combined with another predicate if there is one.
pub(super) fn write(
    r: &mut Registers,
    mask: u32,
    result: u32,
    combine: Option<(Logic, PredicateUse)>,
    [d, inverse]: [u32; 2],
) {
    let (yes, no) = match combine {
        None => (result, !result),
        Some((f, other)) => {
            let other = r.predicate_use(other);
            (logic(f, result, other), logic(f, !result, other))
        }
    };
    r.set_predicate(inverse, mask, no);
    r.set_predicate(d, mask, yes);
}
