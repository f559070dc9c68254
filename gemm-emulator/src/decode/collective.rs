//! Warp-wide and block-wide instructions.

use super::Site;
use super::modifiers::Modifiers;
use crate::program::{Barrier, BarrierReduction, CollectiveOp, Reduction, Shuffle, Vote};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn barrier(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        if base == "bar" && m.take("warp") {
            m.take("sync");
            let [members] = self.exactly(operands)?;
            let members = self.source(members, Type::B32)?;
            return self.emit(CollectiveOp::BarrierWarp { members });
        }
        m.take("cta");
        // `bar` is the aligned form of `barrier`.
        let aligned = m.take("aligned") || base == "bar";
        let kind = m.take_map(|name| match name {
            "sync" => Some("sync"),
            "arrive" => Some("arrive"),
            "red" => Some("red"),
            _ => None,
        });
        let kind = kind.ok_or_else(|| self.problem("unsupported form of a barrier"))?;
        if kind == "red" {
            return self.barrier_reduction(aligned, m, operands);
        }
        let (id, threads) = match operands {
            [id] if kind == "sync" => (id, None),
            [id, threads] => (id, Some(threads)),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let barrier = Barrier {
            id: self.uniform(id)?,
            threads: threads.map(|threads| self.uniform(threads)).transpose()?,
            aligned,
            waits: kind == "sync",
            reduction: None,
        };
        self.emit(CollectiveOp::Barrier(barrier))
    }

    fn barrier_reduction(
        &mut self,
        aligned: bool,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let f = m.take_map(|name| match name {
            "popc" => Some(Reduction::Popc),
            "and" => Some(Reduction::And),
            "or" => Some(Reduction::Or),
            _ => None,
        });
        let f = f.ok_or_else(|| self.problem("reduction is missing"))?;
        let result = if f == Reduction::Popc { Type::U32 } else { Type::Pred };
        m.ty_of(&[result])?;
        let (d, id, threads, source) = match operands {
            [d, id, source] => (d, id, None, source),
            [d, id, threads, source] => (d, id, Some(threads), source),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let reduction = BarrierReduction {
            f,
            source: self.predicate(source)?,
            d: self.destination(d, result)?,
        };
        let barrier = Barrier {
            id: self.uniform(id)?,
            threads: threads.map(|threads| self.uniform(threads)).transpose()?,
            aligned,
            waits: true,
            reduction: Some(reduction),
        };
        self.emit(CollectiveOp::Barrier(barrier))
    }

    pub(super) fn collective(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        if base == "activemask" {
            m.take("b32");
            let [d] = self.exactly(operands)?;
            let d = self.destination(d, Type::B32)?;
            return self.emit(CollectiveOp::ActiveMask { d });
        }
        if !m.take("sync") {
            return Err(self.problem("only the .sync form is supported"));
        }
        match base {
            "shfl" => self.shuffle(m, operands),
            "vote" => self.vote(m, operands),
            _ => {
                let [d, members] = self.exactly(operands)?;
                let (d, p) = self.with_predicate(d)?;
                let op = CollectiveOp::Elect {
                    p,
                    members: self.source(members, Type::B32)?,
                    d: self.destination(&d, Type::B32)?,
                };
                self.emit(op)
            }
        }
    }

    /// Splits `d|p`; without a predicate its slot is one nobody reads.
    fn with_predicate(&mut self, operand: &Operand) -> Result<(Operand, u32), Problem> {
        match operand {
            Operand::Pair(d, p) => Ok(((**d).clone(), self.destination(p, Type::Pred)?)),
            d => Ok((d.clone(), self.destination(&Operand::Sink, Type::Pred)?)),
        }
    }

    fn shuffle(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let f = m.take_map(|name| match name {
            "up" => Some(Shuffle::Up),
            "down" => Some(Shuffle::Down),
            "bfly" => Some(Shuffle::Butterfly),
            "idx" => Some(Shuffle::Index),
            _ => None,
        });
        let f = f.ok_or_else(|| self.problem("mode is missing"))?;
        let ty = m.ty_of(&[Type::B32])?;
        let [d, a, b, c, members] = self.exactly(operands)?;
        let (d, p) = self.with_predicate(d)?;
        let op = CollectiveOp::Shuffle {
            f,
            p,
            a: self.source(a, ty)?,
            b: self.source(b, Type::U32)?,
            c: self.source(c, Type::U32)?,
            members: self.source(members, Type::B32)?,
            d: self.destination(&d, ty)?,
        };
        self.emit(op)
    }

    fn vote(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let f = m.take_map(|name| match name {
            "all" => Some(Vote::All),
            "any" => Some(Vote::Any),
            "uni" => Some(Vote::Uniform),
            "ballot" => Some(Vote::Ballot),
            _ => None,
        });
        let f = f.ok_or_else(|| self.problem("mode is missing"))?;
        let ty = if f == Vote::Ballot { Type::B32 } else { Type::Pred };
        m.ty_of(&[ty])?;
        let [d, a, members] = self.exactly(operands)?;
        let op = CollectiveOp::Vote {
            f,
            a: self.predicate(a)?,
            members: self.source(members, Type::B32)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }
}
