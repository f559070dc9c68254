//! `mbarrier`, and the tensor copies that complete its phases.

use super::site::Site;
use crate::program::{
    BulkWait, CopySource, Mbarrier, MbarrierArrive, MbarrierOp, MbarrierWait, MemoryOp, Ordering,
    PhaseName, TensorBox, TensorCopy, TensorStore,
};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

impl<'d> Site<'d, '_> {
    pub(super) fn mbarrier(&mut self) -> Result<(), Problem> {
        self.decoder.program.clocks = true;
        let names = ["init", "inval", "arrive", "expect_tx", "try_wait", "test_wait"];
        let names = names.map(|name| (name, name));
        let name = self.required(&names, "unsupported form of mbarrier")?;
        let ordering = self.ordering();
        let space = self.space().unwrap_or(Space::Generic);
        let away = matches!(name, "arrive" | "expect_tx") && space == Space::Cluster;
        if !away && !matches!(space, Space::Shared | Space::Generic) {
            return Err(self.problem("an mbarrier lies in shared memory"));
        }
        let (op, barrier) = match name {
            "init" => {
                let [barrier, count] = self.exactly()?;
                (MbarrierOp::Initialize(self.uniform(count)?), barrier)
            }
            "inval" => {
                let [barrier] = self.exactly()?;
                (MbarrierOp::Invalidate, barrier)
            }
            "expect_tx" => {
                let [barrier, bytes] = self.exactly()?;
                (MbarrierOp::Expect(self.uniform(bytes)?), barrier)
            }
            "arrive" => self.arrive(ordering)?,
            _ => self.wait(name == "try_wait", ordering)?,
        };
        self.ty_of(&[Type::B64])?;
        let address = self.place(barrier)?.address;
        self.emit(Mbarrier { op, space, address })
    }

    fn arrive(&mut self, ordering: Ordering) -> Result<(MbarrierOp, &'d Operand), Problem> {
        let (expects, incomplete) = (self.take("expect_tx"), self.take("noComplete"));
        let (state, barrier, number) = match self.operands {
            [state, barrier] if !expects && !incomplete => (state, barrier, None),
            [state, barrier, number] => (state, barrier, Some(number)),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let count = number.filter(|_| !expects).unwrap_or(&Operand::Integer(1));
        let expected = number.filter(|_| expects);
        let arrive = MbarrierArrive {
            expected: expected.map(|bytes| self.uniform(bytes)).transpose()?,
            count: self.uniform(count)?,
            state: self.destination(state, Type::B64)?,
            incomplete,
            ordering,
        };
        Ok((MbarrierOp::Arrive(arrive), barrier))
    }

    fn wait(
        &mut self,
        holds: bool,
        ordering: Ordering,
    ) -> Result<(MbarrierOp, &'d Operand), Problem> {
        let parity = self.take("parity");
        let (d, barrier, phase) = match self.operands {
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
        Ok((MbarrierOp::Wait(MbarrierWait { phase, d, holds, ordering }), barrier))
    }

    /// `cp.async.bulk`: tensor copies to shared memory, tensor stores from there, and their groups.
    pub(super) fn bulk_copy(&mut self) -> Result<(), Problem> {
        if self.take("commit_group") {
            let [] = self.exactly()?;
            return self.emit(MemoryOp::BulkCommit);
        }
        if self.take("wait_group") {
            let [groups] = self.exactly()?;
            let groups = u32::try_from(self.immediate(groups)?);
            let groups = groups.map_err(|_| self.problem("number of groups is out of range"))?;
            let reads = self.take("read");
            return self.emit(MemoryOp::BulkWait(BulkWait { groups, reads }));
        }
        let ranks = [("1d", 1), ("2d", 2), ("3d", 3), ("4d", 4), ("5d", 5)];
        let (tensor, rank) = (self.take("tensor"), self.take_named(&ranks));
        let (by_mbarrier, by_group) =
            (self.take("mbarrier::complete_tx::bytes"), self.take("bulk_group"));
        let in_shared = self.take("shared::cta") || by_mbarrier && self.take("shared::cluster");
        let known = in_shared && self.take("global") && by_mbarrier != by_group;
        if !known || tensor != rank.is_some() || by_group && !tensor {
            return Err(self.problem("unsupported form of cp.async.bulk"));
        }
        self.take("tile");
        self.take_policy()?;
        self.decoder.program.clocks = true;
        let multicast = if by_mbarrier { self.take_mask()? } else { None };
        let Some(rank) = rank else { return self.copy_of_bytes(multicast) };
        if by_group {
            let [tensor, from] = self.exactly()?;
            let (to, from) = (self.tensor_box(tensor, rank)?, self.place(from)?.address);
            return self.emit(MemoryOp::TensorStore(Box::new(TensorStore { from, to })));
        }
        let [to, tensor, barrier] = self.exactly()?;
        let from = CopySource::Box(self.tensor_box(tensor, rank)?);
        let (to, barrier) = (self.place(to)?.address, self.place(barrier)?.address);
        let copy = TensorCopy { to, from, barrier, multicast };
        self.emit(MemoryOp::TensorCopy(Box::new(copy)))
    }

    /// Takes the modifier of a multicast, and its mask, which is the last operand.
    fn take_mask(&mut self) -> Result<Option<u32>, Problem> {
        if !self.take("multicast::cluster") {
            return Ok(None);
        }
        let [rest @ .., mask] = self.operands else {
            return Err(self.problem("mask of a multicast is missing"));
        };
        self.operands = rest;
        self.source(mask, Type::B16).map(Some)
    }

    fn copy_of_bytes(&mut self, multicast: Option<u32>) -> Result<(), Problem> {
        let [to, from, bytes, barrier] = self.exactly()?;
        let (from, bytes) = (self.place(from)?.address, self.uniform(bytes)?);
        let (to, barrier) = (self.place(to)?.address, self.place(barrier)?.address);
        let from = CopySource::Bytes(from, bytes);
        let copy = TensorCopy { to, from, barrier, multicast };
        self.emit(MemoryOp::TensorCopy(Box::new(copy)))
    }

    fn tensor_box(&mut self, tensor: &Operand, rank: usize) -> Result<TensorBox, Problem> {
        let Operand::Tensor { base, offset, coordinates } = tensor else {
            return Err(self.problem("expected a tensor with coordinates"));
        };
        if coordinates.len() != rank {
            return Err(self.problem("as many coordinates are needed as the tensor has dimensions"));
        }
        let map = self.place(&Operand::Memory { base: base.clone(), offset: *offset })?;
        let coordinates = coordinates.iter().map(|one| self.uniform(one));
        let coordinates = coordinates.collect::<Result<_, _>>()?;
        let (map, map_space) = (map.address, map.space.unwrap_or(Space::Generic));
        Ok(TensorBox { map_space, map, coordinates })
    }
}
