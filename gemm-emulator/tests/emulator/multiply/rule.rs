//! The rule by which tensor cores add floats, in integers. No factor is subnormal.

use super::reference::{SCALE, integer, sum};

/// How the products of an instruction are added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Bits that are kept below the largest exponent.
    kept: u32,
    /// Products that are added at a time.
    step: usize,
    /// Bits of the fraction of a sum in f32.
    result: u32,
    /// c is added last, to nearest.
    apart: bool,
    /// The first two of each four products precede all others.
    pairs: bool,
}

/// Whether these elements are added by a rule.
pub(crate) fn has_rule(element: &str) -> bool {
    matches!(element, "f16" | "bf16" | "tf32" | "e4m3" | "e5m2")
}

fn is_small(element: &str) -> bool {
    matches!(element, "e4m3" | "e5m2")
}

/// That of `wgmma`.
pub(crate) fn of_warpgroup(element: &str) -> Rule {
    let bits = if is_small(element) { [13; 2] } else { [25, 23] };
    Rule { kept: bits[0], step: 32, result: bits[1], apart: false, pairs: false }
}

/// That of `mma.sync` on a target.
pub(crate) fn of_warp(element: &str, accumulator: &str, target: &str) -> Rule {
    let half = if element == "tf32" { 4 } else { 8 };
    let whole = Rule { kept: 25, step: 32, result: 23, apart: false, pairs: false };
    match (is_small(element), target) {
        (false, "sm_75") => Rule { kept: 24, ..whole },
        (false, "sm_80" | "sm_89") => Rule { kept: 24, step: half, ..whole },
        (true, "sm_89") => Rule { kept: 13, step: 16, result: 13, ..whole },
        (true, "sm_90" | "sm_100") => {
            Rule { step: 16, apart: accumulator == "f32", pairs: true, ..whole }
        }
        _ => whole,
    }
}

/// The bits of the sum of products of [`integer`]s and an element c.
pub(crate) fn add(rule: Rule, products: &[[i128; 2]], accumulator: &str, c: u64) -> u64 {
    let addend = integer(accumulator, c) << SCALE;
    let first = if rule.apart { 0 } else { addend };
    let (mut products, pairs) = (products.to_vec(), products.chunks(2));
    if rule.pairs {
        let (even, odd) = (pairs.clone().step_by(2), pairs.skip(1).step_by(2));
        products = even.chain(odd).flatten().copied().collect();
    }
    let total = products.chunks(rule.step).fold(first, |c, products| {
        let total = step(rule.kept, products, c);
        match accumulator {
            "f32" => truncated(total, rule.result),
            _ => integer("f16", sum(total, "f16", 0, false)) << SCALE,
        }
    });
    sum(if rule.apart { total + addend } else { total }, accumulator, 0, false)
}

fn exponent(x: i128) -> u32 {
    x.unsigned_abs().ilog2()
}

fn step(kept: u32, products: &[[i128; 2]], c: i128) -> i128 {
    let products = products.iter().filter(|[a, b]| a * b != 0);
    let products = products.map(|[a, b]| (a * b, exponent(*a) + exponent(*b)));
    let terms: Vec<_> = products.chain((c != 0).then(|| (c, exponent(c)))).collect();
    let largest = terms.iter().map(|(_, exponent)| *exponent).max().unwrap_or(kept);
    let last = 1i128 << largest.saturating_sub(kept);
    // Division truncates toward zero.
    terms.iter().map(|(term, _)| term / last * last).sum()
}

fn truncated(total: i128, bits: u32) -> i128 {
    if total == 0 {
        return 0;
    }
    let last = 1i128 << exponent(total).saturating_sub(bits);
    total / last * last
}
