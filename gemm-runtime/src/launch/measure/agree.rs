//! Whether two kernels computed the same, up to rounding.

use gemm_codegen::Element as ElementType;

use crate::element::Element;
use crate::with_element;

/// How far the elements of `got` are from those of `expected`, as a share of the latter's norm: the
/// root of the sum of the squares of each. Elements that are not finite in `expected` do
/// not count; those that are not finite in `got` alone are infinitely far.
pub(super) fn distance(element: ElementType, expected: &[u8], got: &[u8]) -> f64 {
    with_element!(element, T => distance_of::<T>(expected, got))
}

fn distance_of<T: Element>(expected: &[u8], got: &[u8]) -> f64 {
    let read = |bytes: &[u8]| bytemuck::pod_read_unaligned::<T>(bytes).to_f64();
    let (expected, got) = (expected.chunks_exact(size_of::<T>()), got.chunks_exact(size_of::<T>()));
    let (mut squares, mut differences) = (0.0, 0.0);
    for (expected, got) in expected.map(read).zip(got.map(read)) {
        if !expected.is_finite() {
            continue;
        }
        let difference = if got.is_finite() { got - expected } else { f64::INFINITY };
        squares += expected * expected;
        differences += difference * difference;
    }
    if differences == 0.0 { 0.0 } else { (differences / squares).sqrt() }
}

/// The factors of two kernels.
#[derive(Clone, Copy, Debug)]
pub(super) enum Factors {
    /// Equal, of this element.
    Alike(Option<ElementType>),
    /// Of tf32, with ties rounded to even by one kernel and away from zero by the other.
    OfOtherTies,
}

/// The distance of sums of `k` products that were rounded in different orders.
///
/// Each rounding is off by half a unit in the last place, so the error of `k` of them grows as the root
/// of `k`; `ROOM` is for those of the body. Halves may be summed in halves, and of sums of 8-bit floats
/// `wgmma` keeps 14 bits. An output rounds once more.
/// The bound is at most a quarter: a wrong kernel is off by far more, and for outputs of few bits, or
/// long sums in halves, only a gross error is found.
///
/// Where one kernel rounds ties of tf32 to even and the other away from zero, both factors of a
/// product may be a unit of tf32 apart.
pub(super) fn bound(factors: Factors, output: ElementType, k: usize) -> f64 {
    const ROOM: f64 = 64.0;
    const TIES: f64 = 2.0 / 1024.0;
    let (sum, ties) = match factors {
        Factors::Alike(Some(ElementType::F16)) => (unit(ElementType::F16), 0.0),
        Factors::Alike(Some(of)) if of.is_float8() => (0.5f64.powi(14), 0.0),
        Factors::Alike(_) => (unit(ElementType::F32), 0.0),
        Factors::OfOtherTies => (unit(ElementType::F32), TIES),
    };
    (2.0 * unit(output) + ROOM * (k.max(1) as f64).sqrt() * sum + ties).min(0.25)
}

/// Half the distance from 1 to the next number, of integers from a number of medium size.
fn unit(element: ElementType) -> f64 {
    match (element.is_integer(), element.bytes()) {
        (true, 1) => 0.5f64.powi(4),
        (true, _) => unit(ElementType::F32),
        (false, _) => element.unit_roundoff(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(values: &[f32]) -> Vec<u8> {
        bytemuck::cast_slice(values).to_vec()
    }

    #[test]
    fn the_distance_is_that_of_the_norms() {
        let distance = |x: &[f32], y: &[f32]| distance(ElementType::F32, &bytes(x), &bytes(y));
        assert_eq!(distance(&[3.0, 4.0], &[3.0, 4.0]), 0.0);
        assert_eq!(distance(&[3.0, 4.0], &[3.0, 3.5]), 0.1);
        assert_eq!(distance(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
        assert_eq!(distance(&[0.0, 0.0], &[0.0, 1.0]), f64::INFINITY);
        assert_eq!(distance(&[1.0, 2.0], &[1.0, f32::NAN]), f64::INFINITY);
        assert_eq!(distance(&[1.0, f32::NAN], &[1.0, 2.0]), 0.0, "there is nothing to compare");
    }

    #[test]
    fn every_element_is_read() {
        for element in ElementType::ALL {
            let one = vec![0x11; 16];
            assert_eq!(distance(element, &one, &one), 0.0);
            assert!(distance(element, &one, &[0x22; 16]) > 0.0, "{element}");
        }
    }

    #[test]
    fn orders_of_a_sum_agree_and_a_missing_tile_does_not() {
        // In f32, forwards and backwards.
        let k = 4096;
        let term = |i: usize| ((i * 7919 % 1000) as f32 - 500.0) * 1.1e-3;
        let sums = |row: usize| (0..k).map(move |i| term(i * 31 + row));
        let forward: Vec<f32> = (0..64).map(|row| sums(row).sum()).collect();
        let backward: Vec<f32> = (0..64).map(|row| sums(row).rev().sum()).collect();
        let factors = Factors::Alike(Some(ElementType::F32));
        let bound = bound(factors, ElementType::F32, k);
        let distance = |got: &[f32]| distance(ElementType::F32, &bytes(&forward), &bytes(got));
        let rounding = distance(&backward);
        assert!(rounding > 0.0 && rounding < bound, "{rounding}, {bound}");
        let mut missing = forward.clone();
        missing[60..].fill(0.0);
        assert!(distance(&missing) > bound);
    }

    #[test]
    fn sums_of_8_bit_floats_agree_though_some_are_truncated() {
        let bound = |element, k| bound(Factors::Alike(Some(element)), ElementType::F32, k);
        // What a model of the tensor core drops of random factors; see docs/support.md.
        let dropped = |k: usize| 2.3e-5 * (k as f64).sqrt();
        for k in [32, 1024, 16384] {
            for element in [ElementType::E4m3, ElementType::E5m2] {
                assert!(2.0 * dropped(k) < bound(element, k), "{k}");
            }
            assert!(dropped(k) > bound(ElementType::Bf16, k), "{k}");
        }
    }

    #[test]
    fn ties_that_are_rounded_otherwise_agree() {
        use gemm_codegen::Factors::{Tf32TiesAway, Tf32TiesEven};
        // Every number is half way between two of tf32.
        let number = |i: usize| 1.0 + ((i * 7919 % 1024) * 2 + 1) as f32 / 2048.0;
        let term = |i: usize| [number(2 * i), number(2 * i + 1)];
        let product = |round: &dyn Fn(f32) -> f32| -> Vec<f32> {
            (0..64).map(|i| term(i).map(round).into_iter().product()).collect()
        };
        let away = product(&|x| x.to_factor(Tf32TiesAway));
        let even = product(&|x| x.to_factor(Tf32TiesEven));
        let distance = distance(ElementType::F32, &bytes(&away), &bytes(&even));
        let of = |factors| bound(factors, ElementType::F32, 1);
        assert!(distance < of(Factors::OfOtherTies), "{distance}");
        assert!(distance > of(Factors::Alike(Some(ElementType::F32))), "{distance}");
    }
}
