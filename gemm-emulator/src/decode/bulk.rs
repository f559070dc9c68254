//! `mbarrier`, and the tensor copies that complete its phases.

use super::Site;
use super::modifiers::Modifiers;
use super::operands::Place;
use crate::program::{Mbarrier, MbarrierOp, MemoryOp, PhaseName, TensorCopy};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

/// What an instruction orders.
struct Semantics {
    releases: bool,
    acquires: bool,
}

impl Site<'_, '_> {
    pub(super) fn mbarrier(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        self.decoder.program.mbarriers = true;
        let name = ["init", "inval", "arrive", "expect_tx", "try_wait", "test_wait"]
            .into_iter()
            .find(|name| m.take(name))
            .ok_or_else(|| self.problem("unsupported form of mbarrier"))?;
        let semantics = self.semantics(m);
        // An address within a cluster of one block is one within the block.
        let cluster = m.take("shared::cluster");
        let space = if cluster { Some(Space::Shared) } else { self.space(m)? };
        let space = space.unwrap_or(Space::Generic);
        if !matches!(space, Space::Shared | Space::Generic) {
            return Err(self.problem("an mbarrier lies in shared memory"));
        }
        let expects = name == "arrive" && m.take("expect_tx");
        let incomplete = name == "arrive" && m.take("noComplete");
        let parity = m.take("parity");
        m.ty_of(&[Type::B64])?;
        let (op, place) = match name {
            "init" => self.initialize(operands)?,
            "inval" => {
                let [barrier] = self.exactly(operands)?;
                (MbarrierOp::Invalidate, self.place(barrier)?)
            }
            "expect_tx" => {
                let [barrier, bytes] = self.exactly(operands)?;
                (MbarrierOp::Expect { bytes: self.uniform(bytes)? }, self.place(barrier)?)
            }
            "arrive" => self.arrive(operands, [expects, incomplete, semantics.releases])?,
            _ => self.wait(operands, parity, name == "try_wait", semantics.acquires)?,
        };
        if parity && !matches!(op, MbarrierOp::Wait { .. }) {
            return Err(self.problem("unknown modifier .parity"));
        }
        let Place { address, offset, .. } = place;
        self.emit(Mbarrier { op, space, address, offset })
    }

    fn semantics(&self, m: &mut Modifiers<'_>) -> Semantics {
        let relaxed = m.take("relaxed");
        let [release, acquire] = ["release", "acquire"].map(|name| m.take(name));
        m.drop_all(|name| matches!(name, "cta" | "cluster"));
        // Without a word an arrival releases and a wait acquires.
        Semantics { releases: !relaxed && !acquire, acquires: !relaxed && !release }
    }

    fn initialize(&mut self, operands: &[Operand]) -> Result<(MbarrierOp, Place), Problem> {
        let [barrier, count] = self.exactly(operands)?;
        Ok((MbarrierOp::Initialize { count: self.uniform(count)? }, self.place(barrier)?))
    }

    fn arrive(
        &mut self,
        operands: &[Operand],
        [expects, incomplete, releases]: [bool; 3],
    ) -> Result<(MbarrierOp, Place), Problem> {
        let (state, barrier, number) = match operands {
            [state, barrier] if !expects && !incomplete => (state, barrier, None),
            [state, barrier, number] => (state, barrier, Some(number)),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let one = Operand::Integer(1);
        let count = number.filter(|_| !expects).unwrap_or(&one);
        let op = MbarrierOp::Arrive {
            expected: match number.filter(|_| expects) {
                Some(bytes) => Some(self.uniform(bytes)?),
                None => None,
            },
            count: self.uniform(count)?,
            state: self.destination(state, Type::B64)?,
            incomplete,
            releases,
        };
        Ok((op, self.place(barrier)?))
    }

    fn wait(
        &mut self,
        operands: &[Operand],
        parity: bool,
        holds: bool,
        acquires: bool,
    ) -> Result<(MbarrierOp, Place), Problem> {
        let (d, barrier, phase) = match operands {
            [d, barrier, phase] => (d, barrier, phase),
            [d, barrier, phase, hint] if holds => {
                self.uniform(hint)?;
                (d, barrier, phase)
            }
            _ => return Err(self.problem("wrong number of operands")),
        };
        let phase = match parity {
            true => PhaseName::Parity(self.uniform(phase)?),
            false => PhaseName::State(self.source(phase, Type::B64)?),
        };
        let d = self.destination(d, Type::Pred)?;
        Ok((MbarrierOp::Wait { phase, d, holds, acquires }, self.place(barrier)?))
    }

    /// `cp.async.bulk.tensor` from global to shared memory, by an mbarrier.
    pub(super) fn tensor_copy(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let unsupported = || self.problem("unsupported form of cp.async.bulk");
        let rank =
            m.take_map(|name| ["1d", "2d", "3d", "4d", "5d"].iter().position(|rank| *rank == name));
        let to_shared = m.take("shared::cluster") || m.take("shared::cta");
        let by_mbarrier = m.take("mbarrier::complete_tx::bytes");
        if !m.take("tensor") || !to_shared || !m.take("global") || !by_mbarrier {
            return Err(unsupported());
        }
        let rank = rank.ok_or_else(unsupported)? + 1;
        m.take("tile");
        let policy = m.take("L2::cache_hint");
        let operands = self.without_policy(policy, operands)?;
        let [to, tensor, barrier] = self.exactly(operands)?;
        let Operand::Tensor { base, offset, coordinates } = tensor else {
            return Err(self.problem("expected a tensor with coordinates"));
        };
        if coordinates.len() != rank {
            return Err(self.problem("as many coordinates are needed as the tensor has dimensions"));
        }
        let map = self.place(&Operand::Memory { base: base.clone(), offset: *offset })?;
        let (to, barrier) = (self.place(to)?, self.place(barrier)?);
        let coordinates =
            coordinates.iter().map(|one| self.uniform(one)).collect::<Result<_, _>>()?;
        self.decoder.program.mbarriers = true;
        self.emit(MemoryOp::TensorCopy(Box::new(TensorCopy {
            to: to.address,
            to_offset: to.offset,
            map_space: map.space.unwrap_or(Space::Generic),
            map: map.address,
            map_offset: map.offset,
            coordinates,
            barrier: barrier.address,
            barrier_offset: barrier.offset,
        })))
    }
}
