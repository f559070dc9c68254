//! Warp-wide and block-wide instructions.

use super::site::Site;
use crate::program::{Barrier, BarrierReduction, CollectiveOp, Reduction, Shuffle, Vote};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

const REDUCTIONS: &[(&str, Reduction)] =
    &[("popc", Reduction::Popc), ("and", Reduction::And), ("or", Reduction::Or)];

const SHUFFLES: &[(&str, Shuffle)] = &[
    ("up", Shuffle::Up),
    ("down", Shuffle::Down),
    ("bfly", Shuffle::Butterfly),
    ("idx", Shuffle::Index),
];

const VOTES: &[(&str, Vote)] =
    &[("all", Vote::All), ("any", Vote::Any), ("uni", Vote::Uniform), ("ballot", Vote::Ballot)];

impl Site<'_, '_> {
    pub(super) fn barrier(&mut self) -> Result<(), Problem> {
        if self.base == "bar" && self.take("warp") {
            self.take("sync");
            let [members] = self.exactly()?;
            let members = self.source(members, Type::B32)?;
            return self.emit(CollectiveOp::BarrierWarp { members });
        }
        if self.base == "barrier" && self.take("cluster") {
            return self.cluster_barrier();
        }
        self.take("cta");
        // `bar` is the aligned form of `barrier`.
        let aligned = self.take("aligned") || self.base == "bar";
        let kinds = ["sync", "arrive", "red"].map(|kind| (kind, kind));
        let kind = self.required(&kinds, "unsupported form of a barrier")?;
        let (id, threads, reduction) = match (kind, self.operands) {
            ("sync", [id]) => (id, None, None),
            ("sync" | "arrive", [id, threads]) => (id, Some(threads), None),
            ("red", [d, id, source]) => (id, None, Some(self.reduction(d, source)?)),
            ("red", [d, id, threads, source]) => {
                (id, Some(threads), Some(self.reduction(d, source)?))
            }
            _ => return Err(self.problem("wrong number of operands")),
        };
        let threads = threads.map(|threads| self.uniform(threads)).transpose()?;
        let (id, waits) = (self.uniform(id)?, kind != "arrive");
        self.decoder.program.clocks |= threads.is_some();
        self.emit(CollectiveOp::Barrier(Barrier { id, threads, aligned, waits, reduction }))
    }

    fn reduction(&mut self, d: &Operand, source: &Operand) -> Result<BarrierReduction, Problem> {
        let f = self.required(REDUCTIONS, "reduction is missing")?;
        let ty = if f == Reduction::Popc { Type::U32 } else { Type::Pred };
        self.ty_of(&[ty])?;
        let (source, d) = (self.predicate(source)?, self.destination(d, ty)?);
        Ok(BarrierReduction { f, source, d })
    }

    pub(super) fn active_mask(&mut self) -> Result<(), Problem> {
        self.take("b32");
        let [d] = self.exactly()?;
        let d = self.destination(d, Type::B32)?;
        self.emit(CollectiveOp::ActiveMask { d })
    }

    pub(super) fn collective(&mut self) -> Result<(), Problem> {
        if !self.take("sync") {
            return Err(self.problem("only the .sync form is supported"));
        }
        match self.base {
            "shfl" => self.shuffle(),
            "vote" => self.vote(),
            _ => {
                let [d, members] = self.exactly()?;
                let [d, p] = self.with_predicate(d, Type::B32)?;
                let members = self.source(members, Type::B32)?;
                self.emit(CollectiveOp::Elect { d, p, members })
            }
        }
    }

    /// Splits `d|p`; without a predicate its slot is one that nothing reads.
    pub(super) fn with_predicate(
        &mut self,
        operand: &Operand,
        ty: Type,
    ) -> Result<[u32; 2], Problem> {
        let (d, p) = match operand {
            Operand::Pair(d, p) => (&**d, &**p),
            d => (d, &Operand::Sink),
        };
        Ok([self.destination(d, ty)?, self.destination(p, Type::Pred)?])
    }

    fn shuffle(&mut self) -> Result<(), Problem> {
        let f = self.required(SHUFFLES, "mode is missing")?;
        let ty = self.ty_of(&[Type::B32])?;
        let [d, a, b, c, members] = self.exactly()?;
        let [d, p] = self.with_predicate(d, ty)?;
        let (a, b, c) =
            (self.source(a, ty)?, self.source(b, Type::U32)?, self.source(c, Type::U32)?);
        let members = self.source(members, Type::B32)?;
        self.emit(CollectiveOp::Shuffle { f, d, p, a, b, c, members })
    }

    fn vote(&mut self) -> Result<(), Problem> {
        let f = self.required(VOTES, "mode is missing")?;
        let ty = if f == Vote::Ballot { Type::B32 } else { Type::Pred };
        self.ty_of(&[ty])?;
        let [d, a, members] = self.exactly()?;
        let (a, members) = (self.predicate(a)?, self.source(members, Type::B32)?);
        let d = self.destination(d, ty)?;
        self.emit(CollectiveOp::Vote { f, d, a, members })
    }
}
