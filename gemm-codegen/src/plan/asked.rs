//! What was asked of a plan, where its kernel computes something else: a product of planes, or of several in turn one.

use super::Plan;
use crate::axis::Side;
use crate::problem::{Problem, Segment};
use crate::spec::{Planes, Spec};

/// A spec with its problem.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) spec: Spec,
    pub(crate) problem: Problem,
}

impl Asked {
    /// That of a problem all of which is right.
    pub(crate) fn new(spec: &Spec, problem: Option<Problem>) -> Option<Box<Asked>> {
        Some(Box::new(Asked { spec: spec.clone(), problem: problem? }))
    }
}

impl Plan {
    /// What was asked.
    pub fn spec(&self) -> &Spec {
        self.asked.as_ref().map_or(&self.spec, |asked| &asked.spec)
    }

    /// What is computed.
    pub fn problem(&self) -> &Problem {
        self.asked.as_ref().map_or(&self.problem, |asked| &asked.problem)
    }

    /// What f32 factors are multiplied as, if that is planes: the kernel reads these, which a launch makes.
    pub fn planes(&self) -> Option<Planes> {
        self.planes
    }

    /// The products that are computed in turn, if their columns differ: the launch has the tiles of each.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// BLK_M, BLK_N, BLK_K: the part of the problem that a block does at a time. The text counts BLK_K in
    /// columns of planes, if it multiplies these.
    pub fn block(&self) -> [u32; 3] {
        let [m, n, columns] = self.warps.block;
        [m, n, columns / self.columns_of_k()]
    }

    /// Columns of a factor for each of K: one, or one of each plane.
    pub(crate) fn columns_of_k(&self) -> u32 {
        self.planes.map_or(1, |planes| planes.count())
    }

    /// The number among the kernel's operands of the exponents of a factor, if it is read as planes. They
    /// follow the operands that were asked for.
    pub(crate) fn exponents(&self, operand: usize) -> Option<usize> {
        let asked = self.asked.as_ref()?.spec.operands.len();
        self.planes.filter(|planes| planes.is_scaled())?;
        let factors = Side::BOTH.into_iter().flat_map(|side| self.problem.factors(side));
        factors.map(|factor| factor.operand).position(|of| of == operand).map(|at| asked + at)
    }
}
