//! The second phase: specs → plans, or an error for each broken rule.

use std::collections::HashSet;

use gemm_codegen::{Diagnostic, Diagnostics, Field, Plan};

use super::parse::{Asked, Parsed};
use crate::errors::Errors;
use crate::expand::Proved;
use crate::signature::Instance;
use crate::spans::Spans;

/// What is wrong with a kernel for one choice of the element types.
type Broken<'p> = Vec<(&'p Instance, Diagnostics)>;

/// What each kernel that has a mistake is told of it; never empty.
type Mistake<'p> = Vec<(&'p Instance, &'p Diagnostic)>;

impl Parsed {
    /// The plans of each kernel, which compute the same. Where attributes have errors, bodies alone are judged.
    pub(super) fn prove(&self, errors: &mut Errors) -> Option<Vec<Proved<'_>>> {
        if !self.is_right {
            self.check_bodies(errors);
            return None;
        }
        let mut broken: Vec<Broken<'_>> = self.schedules.iter().map(|_| Vec::new()).collect();
        let mut proved = Vec::new();
        for kernel in &self.kernels {
            let mut plans = Vec::new();
            for (spec, broken) in kernel.specs.iter().zip(&mut broken) {
                match Plan::new(spec) {
                    Ok(plan) => plans.push(plan),
                    Err(diagnostics) => broken.push((&kernel.instance, diagnostics)),
                }
            }
            proved.extend(Proved::new(&kernel.instance, plans));
        }
        let legal = !proved.is_empty() && broken.iter().all(Vec::is_empty);
        let mut said = Vec::new();
        for (spans, broken) in self.schedules.iter().zip(&broken) {
            self.report(spans, broken, &mut said, errors);
        }
        (legal && self.agree(&proved, errors)).then_some(proved)
    }

    /// Reports what is wrong with the body, whatever the schedule.
    fn check_bodies(&self, errors: &mut Errors) {
        let mut broken: Broken<'_> = Vec::new();
        for Asked { instance, specs } in &self.kernels {
            let wrong = specs.first().and_then(|spec| Plan::check_body(spec).err());
            broken.extend(wrong.map(|diagnostics| (instance, diagnostics)));
        }
        self.report(&self.declared, &broken, &mut Vec::new(), errors);
    }

    /// Turns each mistake of one schedule into an error at its span. What was `said` of the signature or
    /// the body is not said again.
    fn report<'p>(
        &self,
        spans: &Spans,
        broken: &'p Broken<'_>,
        said: &mut Vec<&'p Diagnostic>,
        errors: &mut Errors,
    ) {
        for mistake in mistakes(spans, broken) {
            let (_, first) = mistake[0];
            let is_declared = self.declared.written(first.at).is_some();
            if is_declared && said.iter().any(|other| same(first, other)) {
                continue;
            }
            said.push(first);
            let [of, helps] = self.words(&mistake);
            errors.push_diagnostic(spans.place(first), &of, first, &helps);
        }
    }

    /// The kernels that a mistake's first diagnostic concerns, if not all of them, and the other helps.
    fn words(&self, mistake: &Mistake<'_>) -> [String; 2] {
        let types = &self.signature.type_parameters;
        let with = |instances: &[&Instance]| {
            let described = instances.iter().map(|instance| instance.describe(types));
            format!("with {}: ", described.collect::<Vec<_>>().join(" or "))
        };
        let (_, first) = mistake[0];
        let alike = mistake.iter().filter(|(_, diagnostic)| same(diagnostic, first));
        let alike: Vec<&Instance> = alike.map(|(instance, _)| *instance).collect();
        let of = if alike.len() == self.kernels.len() { String::new() } else { with(&alike) };
        let mut helps: Vec<(&str, Vec<&Instance>)> = Vec::new();
        for (instance, Diagnostic { help, .. }) in mistake {
            match helps.iter_mut().find(|(other, _)| other == help) {
                Some((_, instances)) => instances.push(instance),
                None => helps.push((help, vec![instance])),
            }
        }
        let others = helps.iter().skip(1);
        [of, others.map(|(help, of)| format!("\n= help: {}{help}", with(of))).collect()]
    }

    /// Whether the further schedules compute what the first does, in another way: errors if not.
    fn agree(&self, proved: &[Proved<'_>], errors: &mut Errors) -> bool {
        let mut agree = true;
        let further = self.schedules.iter().enumerate().skip(1);
        for (number, spans) in further {
            let of_kernel = proved.iter().find_map(|Proved { plan, others, .. }| {
                let earlier = std::iter::once(plan).chain(others).take(number);
                let other = others.get(number - 1)?;
                disagreement(earlier, other)
            });
            if let Some((at, message, help)) = of_kernel {
                let place = at.map_or_else(|| spans.attribute(), |at| spans.get(at));
                errors.push(place, message, help);
                agree = false;
            }
        }
        agree
    }
}

/// What a plan must not have beside `earlier` ones of the same function: the place, if it is not
/// the attribute, a message and a help.
fn disagreement<'p>(
    mut earlier: impl Iterator<Item = &'p Plan> + Clone,
    other: &Plan,
) -> Option<(Option<Field>, String, String)> {
    let schedule = |plan: &Plan| plan.spec().schedule.clone();
    if earlier.clone().any(|plan| schedule(plan) == schedule(other)) {
        let message = "the same schedule as that of an earlier `#[gemm]`".to_owned();
        return Some((None, message, "remove one of the two".to_owned()));
    }
    let first = earlier.next()?;
    let sums = [first, other].map(|plan| plan.mma().accumulator.name());
    let precisions = [first, other].map(|plan| plan.spec().schedule.precision.unwrap_or_default());
    let (at, what, [of_first, of_other]) = if sums[0] != sums[1] {
        (Field::Accumulator, "acc", sums)
    } else if precisions[0] != precisions[1] {
        (Field::Precision, "precision", precisions.map(|precision| precision.name()))
    } else if first.spec().schedule.invariant && !first.gives_bits_of(other) {
        return Some(variant(first, other));
    } else {
        return None;
    };
    Some((
        Some(at),
        format!(
            "`{what}` is {of_other} here and {of_first} in the first `#[gemm]`: the result would \
             depend on the schedule that a launch chooses"
        ),
        format!("write `{what} = {of_first}` in both, or a function for each"),
    ))
}

/// What is said of a schedule that gives other bits than the first one of an `invariant` function.
fn variant(first: &Plan, other: &Plan) -> (Option<Field>, String, String) {
    let [of_first, of_other] = [first, other].map(Plan::summation);
    let message = match of_first == of_other {
        false => format!(
            "`invariant`, but this schedule sums {of_other}; the first `#[gemm]` sums {of_first}"
        ),
        true => "`invariant`, but a `sum` of floats, or f16x3 and bf16x6 with exchanged factors, has the order of \
                 its schedule"
            .to_owned(),
    };
    (
        None,
        message,
        "write a schedule that sums alike, one schedule alone, or remove `invariant`".to_owned(),
    )
}

/// The mistakes of one schedule: where several kernels break a rule at the same place, they have one in
/// common.
fn mistakes<'p>(spans: &Spans, broken: &'p Broken<'_>) -> Vec<Mistake<'p>> {
    let mut found: Vec<Mistake<'p>> = Vec::new();
    for (instance, diagnostics) in broken {
        for diagnostic in of_kernel(spans, diagnostics) {
            let has = |alike: fn(&Diagnostic, &Diagnostic) -> bool| {
                found.iter().position(|mistake| {
                    let mut kernels = mistake.iter().map(|(instance, _)| instance);
                    alike(diagnostic, mistake[0].1) && !kernels.any(|other| other == instance)
                })
            };
            match has(same).or_else(|| has(same_place)) {
                Some(number) => found[number].push((instance, diagnostic)),
                None => found.push(vec![(instance, diagnostic)]),
            }
        }
    }
    found
}

/// The diagnostics of one kernel. A value written once for A and B is reported once: one edit fixes
/// both.
fn of_kernel<'d>(
    spans: &Spans,
    diagnostics: &'d Diagnostics,
) -> impl Iterator<Item = &'d Diagnostic> {
    let mut seen = HashSet::new();
    let own = diagnostics.iter().filter(move |broken| !follows(spans, broken, diagnostics));
    own.filter(move |Diagnostic { rule, at, message, help, .. }| {
        let place = spans.written(*at);
        seen.insert((rule, place, if place.is_some() { help } else { message }))
    })
}

/// Whether it follows from another error: it is about a derived tile, and the written number of warps breaks a rule.
fn follows(spans: &Spans, broken: &Diagnostic, all: &Diagnostics) -> bool {
    let is_written = |at| spans.written(at).is_some();
    let of_warps = |at| matches!(at, Field::Warps(_) | Field::Warpgroups(_)) && is_written(at);
    matches!(broken.at, Field::Tile(_))
        && !is_written(broken.at)
        && all.iter().any(|other| of_warps(other.at))
}

/// Whether two kernels are told the same.
fn same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let mistake = (one.rule, one.at, &one.message, &one.help);
    mistake == (other.rule, other.at, &other.message, &other.help)
}

/// Whether two kernels break a rule at the same place.
fn same_place(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.rule, one.at) == (other.rule, other.at)
}
