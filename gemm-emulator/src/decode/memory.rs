//! Loads, stores, atomics, asynchronous copies.

use super::modifiers::Modifiers;
use super::operands::Place;
use super::{Class, Site};
use crate::program::{Access, AsyncCopy, Extend, MemoryOp, Op};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

/// Modifiers of an instruction that steer caches, or that say no more than that the program order holds.
fn is_hint(base: &str, name: &str) -> bool {
    let scope = matches!(name, "cta" | "cluster" | "gpu" | "sys");
    let eviction = matches!(
        name,
        "L1::evict_normal"
            | "L1::evict_unchanged"
            | "L1::evict_first"
            | "L1::evict_last"
            | "L1::no_allocate"
            | "L2::evict_normal"
            | "L2::evict_first"
            | "L2::evict_last"
    );
    let order = matches!(name, "volatile" | "relaxed" | "weak" | "mmio");
    match base {
        "ld" => {
            scope
                || eviction
                || order
                || matches!(name, "ca" | "cg" | "cs" | "lu" | "cv" | "acquire")
                || is_prefetch_size(name)
        }
        "st" => scope || eviction || order || matches!(name, "wb" | "cg" | "cs" | "wt" | "release"),
        "atom" => scope || matches!(name, "relaxed" | "acquire" | "release" | "acq_rel"),
        "red" => scope || matches!(name, "relaxed" | "release"),
        "ldu" => false,
        _ => matches!(name, "global" | "local" | "L1" | "L2") || eviction,
    }
}

/// Modifiers of accesses that may order what other blocks see.
fn is_strong(base: &str, name: &str) -> bool {
    let relaxed = matches!(name, "volatile" | "relaxed" | "mmio");
    match base {
        "ld" => relaxed || name == "acquire",
        "st" => relaxed || name == "release",
        "atom" => matches!(name, "acquire" | "release" | "acq_rel"),
        "red" => name == "release",
        _ => false,
    }
}

/// How much more a load may fetch into a cache.
fn is_prefetch_size(name: &str) -> bool {
    matches!(name, "L2::64B" | "L2::128B" | "L2::256B")
}

impl Site<'_, '_> {
    pub(super) fn memory(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let policy = base != "ldu" && m.take("L2::cache_hint");
        let operands = self.without_policy(policy, operands)?;
        self.decoder.program.means.strong_accesses |= m.take_all(|name| is_strong(base, name));
        m.drop_all(|name| is_hint(base, name));
        match base {
            "ld" | "ldu" => {
                let non_coherent = base == "ldu" || m.take("nc");
                self.load(non_coherent, m, operands)
            }
            "st" => self.store(m, operands),
            "atom" => self.atomic(true, m, operands),
            "red" => self.atomic(false, m, operands),
            "prefetch" if m.take("tensormap") => {
                self.space(m)?;
                let [map] = self.exactly(operands)?;
                self.place(map)?;
                self.emit(Op::Nop)
            }
            _ => {
                // Nothing is modelled below memory, so that prefetching has no effect.
                self.emit(Op::Nop)
            }
        }
    }

    /// The operands before the register of the cache policy, if there is one.
    pub(super) fn without_policy<'o>(
        &mut self,
        policy: bool,
        operands: &'o [Operand],
    ) -> Result<&'o [Operand], Problem> {
        match operands {
            _ if !policy => Ok(operands),
            [rest @ .., policy] => {
                self.source(policy, Type::B64)?;
                Ok(rest)
            }
            [] => Err(self.problem("cache policy is missing")),
        }
    }

    fn vector(&self, m: &mut Modifiers<'_>) -> u8 {
        m.take_map(|name| match name {
            "v2" => Some(2),
            "v4" => Some(4),
            _ => None,
        })
        .unwrap_or(1)
    }

    /// The access that modifiers, memory operand and data registers describe.
    fn access(
        &mut self,
        m: &mut Modifiers<'_>,
        memory: &Operand,
        data: &[Operand],
    ) -> Result<(Access, Type), Problem> {
        let space = self.space(m)?.unwrap_or(Space::Generic);
        let count = self.vector(m);
        let ty = m.ty()?;
        if data.len() != usize::from(count) {
            return Err(self.problem("wrong number of registers for the vector"));
        }
        if ty == Type::Pred || ty.bytes() * u32::from(count) > 16 {
            return Err(self.problem("unsupported access width"));
        }
        let Place { address, offset, space: named } = self.place(memory)?;
        let space = match (space, named) {
            // Arguments of device functions live in local memory.
            (Space::Parameter, Some(named)) => named,
            (Space::Parameter, None) if self.frame.end.is_some() => Space::Local,
            (Space::Generic, Some(named)) => named,
            (space, _) => space,
        };
        let class = self.data_class(data, ty);
        let extend = match (ty.is_signed(), class) {
            (false, _) => Extend::Zero,
            (true, Class::Long) => Extend::Sign64,
            (true, _) => Extend::Sign32,
        };
        let long = class == Class::Long;
        let width = ty.bytes() as u8;
        let non_coherent = false;
        Ok((Access { space, address, offset, width, count, extend, long, non_coherent }, ty))
    }

    /// The class of the data registers: at least that of the type, or a wider one.
    fn data_class(&self, data: &[Operand], ty: Type) -> Class {
        let register = data.iter().find(|operand| matches!(operand, Operand::Register(_)));
        register.map_or(Class::of(ty), |register| self.class_of(register, ty))
    }

    fn data_type(&self, access: &Access, ty: Type) -> Type {
        if access.long && Class::of(ty) != Class::Long { Type::B64 } else { ty }
    }

    fn load(
        &mut self,
        non_coherent: bool,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let [d, memory] = self.exactly(operands)?;
        let data = self.elements(d);
        let (access, ty) = self.access(m, memory, data)?;
        let access = Access { non_coherent, ..access };
        self.decoder.program.non_coherent |= non_coherent;
        let ty = self.data_type(&access, ty);
        let mut slots = [0; 4];
        for (slot, operand) in slots.iter_mut().zip(data) {
            *slot = self.destination(operand, ty)?;
        }
        self.emit(MemoryOp::Load { access, d: slots })
    }

    fn store(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let [memory, a] = self.exactly(operands)?;
        let data = self.elements(a);
        let (access, ty) = self.access(m, memory, data)?;
        let ty = self.data_type(&access, ty);
        let mut slots = [0; 4];
        for (slot, operand) in slots.iter_mut().zip(data) {
            *slot = self.source(operand, ty)?;
        }
        self.emit(MemoryOp::Store { access, a: slots })
    }

    /// The `cp.async` family.
    pub(super) fn async_copy(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        if !m.take("async") {
            return Err(self.problem("unknown instruction cp"));
        }
        if m.take("bulk") {
            return self.tensor_copy(m, operands);
        }
        if m.take("commit_group") {
            let [] = self.exactly(operands)?;
            return self.emit(MemoryOp::AsyncCommit);
        }
        if m.take("wait_all") {
            let [] = self.exactly(operands)?;
            return self.emit(MemoryOp::AsyncWaitAll);
        }
        if m.take("wait_group") {
            let [groups] = self.exactly(operands)?;
            let groups = u32::try_from(self.immediate(groups)?);
            let groups = groups.map_err(|_| self.problem("number of groups is out of range"))?;
            return self.emit(MemoryOp::AsyncWait { groups });
        }
        let (ca, cg) = (m.take("ca"), m.take("cg"));
        let shared = m.take("shared") || m.take("shared::cta");
        if ca == cg || !shared || !m.take("global") {
            return Err(self.problem("unsupported form of cp.async"));
        }
        let policy = m.take("L2::cache_hint");
        m.drop_all(is_prefetch_size);
        let operands = self.without_policy(policy, operands)?;
        self.copy_to_shared(cg, operands)
    }

    fn copy_to_shared(&mut self, past_l1: bool, operands: &[Operand]) -> Result<(), Problem> {
        let (to, from, bytes, rest) = match operands {
            [to, from, bytes, rest @ ..] => (to, from, bytes, rest),
            _ => return Err(self.problem("expected two addresses and a size")),
        };
        let bytes = self.immediate(bytes)?;
        if !matches!(bytes, 4 | 8 | 16) || (past_l1 && bytes != 16) {
            return Err(self.problem(format!("cp.async cannot copy {bytes} bytes")));
        }
        let (to, from) = (self.place(to)?, self.place(from)?);
        let (mut source_bytes, mut ignore_source) = (None, None);
        match rest {
            [] => {}
            [size] if self.class_of(size, Type::U32) == Class::Word => {
                source_bytes = Some(self.source(size, Type::U32)?);
            }
            [ignore] => ignore_source = Some(self.predicate(ignore)?),
            _ => return Err(self.problem("wrong number of operands")),
        }
        self.emit(MemoryOp::AsyncCopy(Box::new(AsyncCopy {
            to: to.address,
            to_offset: to.offset,
            from: from.address,
            from_offset: from.offset,
            bytes: bytes as u8,
            past_l1,
            source_bytes,
            ignore_source,
        })))
    }
}
