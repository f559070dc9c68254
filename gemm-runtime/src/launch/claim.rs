//! Which of several arguments is wrong, where they differ in an extent.
//!
//! The extent of most arguments is right, where all outputs count as one; on a tie, that of the factors.
//! So the error blames an output that differs from the factors, and a factor that differs from both the
//! output and another operand. Axes that are summed over are compared first, which factors alone have: of
//! these the one is blamed that differs from another argument along a further axis, too. So a factor
//! that is passed transposed is blamed, and not the operands that differ from it.

use gemm_codegen::{Axis, Parameter};

/// The order in which the extents along axes are compared.
pub(super) const ORDER: [Axis; Axis::COUNT] =
    [Axis::K, Axis::R, Axis::M, Axis::N, Axis::N1, Axis::N2, Axis::N3];

/// Whether factors alone have an axis.
pub(super) fn is_summed_over(axis: Axis) -> bool {
    matches!(axis, Axis::K | Axis::R)
}

/// An extent that an argument has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim<D> {
    /// The number of the parameter.
    pub(super) number: usize,
    /// The extent.
    pub(super) got: usize,
    /// What of the argument has it.
    pub(super) of: D,
}

/// Two arguments that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disagreement<D> {
    /// The one that is wrong.
    pub(super) blamed: Claim<D>,
    /// One that is right.
    pub(super) right: Claim<D>,
}

/// The arguments of a launch.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'k> {
    /// Of the operands, and then of this many outputs.
    pub(super) parameters: &'k [Parameter],
    pub(super) outputs: usize,
}

/// The arguments that have one of several extents.
pub(super) fn disputed<D>(claims: impl Iterator<Item = Claim<D>> + Clone) -> Vec<usize> {
    match agreed(claims.clone()) {
        true => Vec::new(),
        false => claims.map(|claim| claim.number).collect(),
    }
}

fn agreed<D>(mut claims: impl Iterator<Item = Claim<D>>) -> bool {
    claims.next().is_none_or(|first| claims.all(|claim| claim.got == first.got))
}

/// The extent of all arguments, if there are any; these arguments are less likely to be right than others.
///
/// # Errors
/// Two that differ.
pub(super) fn settle<D: Copy>(
    claims: impl Iterator<Item = Claim<D>> + Clone,
    Arguments { parameters, outputs }: Arguments<'_>,
    doubtful: &[usize],
) -> Result<Option<usize>, Disagreement<D>> {
    let Some(first) = claims.clone().next() else { return Ok(None) };
    if agreed(claims.clone()) {
        return Ok(Some(first.got));
    }
    let operands = parameters.len().saturating_sub(outputs);
    let is_factor = |claim: &Claim<D>| {
        let parameter = parameters.get(claim.number);
        parameter.is_some_and(|parameter| parameter.kind.is_multiplied())
    };
    // Factors first, then outputs, which are what a caller thinks of.
    let rank = |claim: &Claim<D>| (!is_factor(claim), claim.number < operands, claim.number);
    let votes = |extent: usize| {
        let of = || claims.clone().filter(move |claim| claim.got == extent);
        let trusted = of().filter(|claim| !doubtful.contains(&claim.number)).count();
        let all = of().filter(|claim| claim.number < operands).count()
            + usize::from(of().any(|claim| claim.number >= operands));
        (if doubtful.is_empty() { 0 } else { trusted }, all)
    };
    let best =
        |x: &Claim<D>, y: &Claim<D>| votes(x.got).cmp(&votes(y.got)).then(rank(y).cmp(&rank(x)));
    let right = claims.clone().max_by(best).unwrap_or(first);
    let wrong = claims.clone().filter(|claim| claim.got != right.got);
    let blamed = wrong.min_by_key(|claim| rank(claim)).unwrap_or(first);
    Err(Disagreement { blamed, right })
}
