//! [`Exactness`]: the errors of sums of f32 factors that tensor cores multiply.

use gemm_codegen::{Factors, Form, Plan};
use serde::Serialize;

/// How exact the sums of a kernel are whose f32 factors are multiplied by tensor cores.
///
/// An error is the largest `abs(y − Σ a·b) / Σ abs(a·b)` of all elements, without unit; `Σ a·b` is summed in
/// f64, of factors that are not rounded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Exactness {
    /// How the factors are multiplied, in words.
    pub factors: &'static str,
    /// The error of the kernel on the emulator, which adds as the tensor cores of the target do.
    pub kernel: f64,
    /// That of f32 sums of the same factors by fused multiply-adds in the order of k, as `mma = fma` sums.
    pub fused: f64,
    /// What the error of the kernel may be, but for the elements that are far smaller than the largest one of
    /// their row: the factor of `Σ abs(a·b)` in the bound of docs/support.md.
    pub bound: f64,
    /// How the bound is made up, in the words of docs/support.md.
    pub bound_in_words: &'static str,
}

impl Exactness {
    /// That of sums of `k` products by the kernel of a plan, with these errors of the kernel and of fused
    /// multiply-adds; `None` where the kernel multiplies factors as they are.
    pub(crate) fn new(plan: &Plan, k: usize, [kernel, fused]: [f64; 2]) -> Option<Exactness> {
        let factors = plan.factors().rounding()?;
        let (bound, bound_in_words) =
            bound(plan.factors(), (plan.form(), plan.promotion()), parts(plan), k)?;
        Some(Exactness { factors, kernel, fused, bound, bound_in_words })
    }
}

/// The bound of planes in words: of the sums of P of K, of the factors, and of what is small in its row.
macro_rules! planes_in_words {
    ($sums:literal, $factors:literal, $small:literal) => {
        concat!(
            $sums,
            " · 2⁻²³ for the sums of P of K, K/P · 2⁻²⁴ for their additions in f32 and 2⁻²⁴ for each further \
             part of a split K, ",
            $factors,
            " for the factors",
            $small
        )
    };
}

/// How many parts of K are summed apart, at most.
fn parts(plan: &Plan) -> u32 {
    let scheduler = plan.scheduler();
    let of_blocks = scheduler.split_k().map_or(1, |split_k| split_k.splits);
    let of_cluster = scheduler.cluster_split_k().map_or(1, |split_k| split_k.splits);
    of_blocks * of_cluster * plan.warps().grid[2]
}

/// The factor of `Σ abs(a·b)` in the bound on the error of a sum whose K has this many parts, and how it is made
/// up.
fn bound(
    factors: Factors,
    (form, promotion): (Form, Option<u32>),
    parts: u32,
    k: usize,
) -> Option<(f64, &'static str)> {
    let power = |exponent: i32| f64::from(exponent).exp2();
    let every = promotion.map_or(k, |every| every as usize).max(1);
    // Those of a part, then of the others.
    let additions = k.div_ceil(every) as f64 + f64::from(parts - 1);
    let of_planes = |sums: f64, factors: i32| {
        sums * every as f64 * power(-23) + additions * power(-24) + power(factors)
    };
    Some(match factors {
        Factors::Exact => return None,
        // Each product is off by what rounding both factors costs, then the sums by that of f16.
        Factors::Tf32TiesAway | Factors::Tf32TiesEven => {
            let rounded = power(-10) + power(-22);
            let sums = k as f64 * power(-23) * (1.0 + rounded);
            (rounded + sums, "2⁻¹⁰ + 2⁻²² for the rounding of both factors, K · 2⁻²³ for the sums")
        }
        // Instructions of warpgroups add more products at once, on the GPUs that have them.
        Factors::F16x3 if form == Form::Groups => (
            of_planes(1.0, -21),
            planes_in_words!(
                "P",
                "2⁻²¹",
                ", and in addition 2⁻³⁸ · Σ (max a · abs(b) + abs(a) · max b)"
            ),
        ),
        Factors::F16x3 => (
            of_planes(2.0, -21),
            planes_in_words!(
                "2·P",
                "2⁻²¹",
                ", and in addition 2⁻³⁸ · Σ (max a · abs(b) + abs(a) · max b)"
            ),
        ),
        Factors::Bf16x6 if form == Form::Groups => {
            (of_planes(2.0, -24), planes_in_words!("2·P", "2⁻²⁴", ""))
        }
        Factors::Bf16x6 => (of_planes(4.0, -24), planes_in_words!("4·P", "2⁻²⁴", "")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_document() {
        let of = |factors, promotion, k| {
            bound(factors, (Form::Groups, promotion), 1, k).map(|(bound, _)| bound)
        };
        assert_eq!(of(Factors::Exact, None, 64), None);
        let [tf32, f16x3] = [Factors::Tf32TiesEven, Factors::F16x3];
        let rounded = 2f64.powi(-10) + 2f64.powi(-22);
        assert_eq!(of(tf32, None, 0), Some(rounded));
        assert!(of(tf32, None, 1024).is_some_and(|bound| bound > rounded + 2f64.powi(-13)));
        let promoted = 64.0 * 2f64.powi(-23) + 4.0 * 2f64.powi(-24) + 2f64.powi(-21);
        assert_eq!(of(f16x3, Some(64), 256), Some(promoted));
        let split = bound(f16x3, (Form::Groups, Some(64)), 3, 256).map(|(bound, _)| bound);
        assert_eq!(split, Some(promoted + 2.0 * 2f64.powi(-24)));
        let by_warps = bound(f16x3, (Form::default(), Some(64)), 1, 256).map(|(bound, _)| bound);
        assert_eq!(by_warps, Some(promoted + 64.0 * 2f64.powi(-23)));
        let six = bound(Factors::Bf16x6, (Form::Groups, Some(64)), 1, 256).map(|(bound, _)| bound);
        assert!(six.is_some_and(|bound| bound > promoted && bound < 2.0 * promoted));
        // Never promoted: P is K.
        let never = 256.0 * 2f64.powi(-23) + 2f64.powi(-24) + 2f64.powi(-21);
        assert_eq!(of(f16x3, None, 256), Some(never));
    }
}
