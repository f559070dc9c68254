//! `setp`.

use half::{bf16, f16};

use crate::exec::instruction::integer::with_integer;
use crate::exec::instruction::moves::logic;
use crate::exec::registers::{Lane, Registers, test2};
use crate::program::{Compare, Comparison, Scalar, UnorderedComparison};

/// Writes a comparison and its inverse, combined with another predicate if there is one.
pub(super) fn execute(r: &mut Registers, mask: u32, op: Compare) {
    let result = compare(r, op);
    let (yes, no) = match op.combine {
        None => (result, !result),
        Some((f, other)) => {
            let other = r.predicate_use(other);
            (logic(f, result, other), logic(f, !result, other))
        }
    };
    let [d, inverse] = op.d;
    r.set_predicate(inverse, mask, no);
    r.set_predicate(d, mask, yes);
}

/// The lanes in which the comparison holds.
fn compare(r: &Registers, Compare { f, ty, flush, a, b, .. }: Compare) -> u32 {
    let at = [a, b];
    match ty {
        Scalar::F32 if flush => test2(r, at, |a: f32, b: f32| holds(f, flushed(a), flushed(b))),
        Scalar::F32 => ordered::<f32>(r, f, at),
        Scalar::F64 => ordered::<f64>(r, f, at),
        Scalar::F16 => ordered::<f16>(r, f, at),
        Scalar::Bf16 => ordered::<bf16>(r, f, at),
        integer => with_integer!(integer, ordered(r, f, at)),
    }
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// One loop for each of the common comparisons.
fn ordered<T: Lane + PartialOrd>(r: &Registers, f: Comparison, at: [u32; 2]) -> u32 {
    match f {
        Comparison::Equal => test2(r, at, |a: T, b: T| a == b),
        Comparison::Less => test2(r, at, |a: T, b: T| a < b),
        Comparison::LessEqual => test2(r, at, |a: T, b: T| a <= b),
        Comparison::Greater => test2(r, at, |a: T, b: T| a > b),
        Comparison::GreaterEqual => test2(r, at, |a: T, b: T| a >= b),
        _ => test2(r, at, |a: T, b: T| holds(f, a, b)),
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
