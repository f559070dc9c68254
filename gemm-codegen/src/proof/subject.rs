//! [`Subject`]: what the rules of a schedule judge.

use std::borrow::Cow;

use crate::level::mma;
use crate::names;
use crate::plan::Asked;
use crate::problem::{Known, Problem, Segment};
use crate::rule::Findings;
use crate::schedule::{self, ResolvedSchedule};
use crate::spec::Spec;

/// What is known of a spec before its schedule is judged.
pub(super) struct Subject<'a> {
    /// What its kernel computes.
    pub(super) spec: Cow<'a, Spec>,
    /// What was asked, where that is another problem: planes of the factors are multiplied, or
    /// one of several products in turn.
    asked: Option<(&'a Spec, Option<Problem>)>,
    pub(super) known: Known<'a>,
    /// The products that are computed in turn, if they are; `known` is of the first one.
    pub(super) segments: Vec<Segment>,
    pub(super) schedule: ResolvedSchedule,
}

impl<'a> Subject<'a> {
    pub(super) fn new(spec: &'a Spec, known: Known<'a>, findings: &mut Findings) -> Subject<'a> {
        findings.keep(names::check(spec));
        let elements = known.elements();
        elements.and_then(|of| findings.keep(mma::check_precision(of, &spec.schedule)));
        let planes = elements.and_then(|of| mma::planes(of, &spec.schedule));
        let segments = known.segments(spec, planes, findings).unwrap_or_default();
        let known = match segments.is_empty() {
            true => known.without_wrong_products(),
            false => known.with_columns_of(&segments),
        };
        let asked = (planes.is_some() || !segments.is_empty()).then(|| (spec, known.whole()));
        let (spec, known) = match (planes, &segments[..]) {
            (Some(planes), []) => known.in_planes(spec, planes),
            (_, []) => (Cow::Borrowed(spec), known),
            (_, [first, ..]) => match Known::of_segment(spec, first) {
                Some(of_first) => (Cow::Owned(first.spec.clone()), of_first),
                None => (Cow::Borrowed(spec), known),
            },
        };
        let planes = planes.filter(|_| segments.is_empty());
        let schedule = schedule::resolve(&spec, known.elements(), known.axes.as_ref(), planes);
        Subject { spec, asked, known, segments, schedule }
    }

    /// What was asked, if its problem is right.
    pub(super) fn asked(&self) -> Option<Option<Box<Asked>>> {
        let Some((spec, problem)) = &self.asked else { return Some(None) };
        Asked::new(spec, problem.clone()).map(Some)
    }
}
