//! Loads, stores, atomics, asynchronous copies.

use super::Class;
use super::operands::Place;
use super::site::Site;
use crate::program::{Access, AsyncCopy, Extend, MemoryFence, MemoryOp, Op, Scope};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

/// Modifiers of an instruction that steer caches, or that state the program order.
fn is_hint(base: &str, name: &str) -> bool {
    let scope = matches!(name, "cta" | "cluster" | "gpu" | "sys");
    let eviction = match name.split_once("::evict_") {
        Some(("L1" | "L2", "normal" | "first" | "last")) | Some(("L1", "unchanged")) => true,
        _ => name == "L1::no_allocate",
    };
    let order = matches!(name, "volatile" | "relaxed" | "weak" | "mmio");
    match base {
        "ld" => {
            let operator = matches!(name, "ca" | "cg" | "cs" | "lu" | "cv" | "acquire");
            scope || eviction || order || operator || is_prefetch_size(name)
        }
        "st" => scope || eviction || order || matches!(name, "wb" | "cg" | "cs" | "wt" | "release"),
        "atom" | "red" => scope || name == "relaxed",
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
        _ => false,
    }
}

/// How much more a load may fetch into a cache.
fn is_prefetch_size(name: &str) -> bool {
    matches!(name, "L2::64B" | "L2::128B" | "L2::256B")
}

impl Site<'_, '_> {
    pub(super) fn memory(&mut self) -> Result<(), Problem> {
        let base = self.base;
        if base != "ldu" {
            self.take_policy()?;
        }
        if matches!(base, "atom" | "red") {
            return self.ordered_atomic();
        }
        self.decoder.program.means.strong_accesses |= self.take_all(|name| is_strong(base, name));
        self.take_all(|name| is_hint(base, name));
        match base {
            "ld" | "ldu" => self.load(),
            "st" => self.store(),
            "prefetch" if self.take("tensormap") => {
                self.space();
                let [map] = self.exactly()?;
                self.place(map)?;
                self.emit(Op::Nop)
            }
            // Caches are not modelled, so that prefetching has no effect.
            _ => self.emit(Op::Nop),
        }
    }

    /// An atomic. One that releases or acquires is taken for one between fences of its scope, which order no less.
    fn ordered_atomic(&mut self) -> Result<(), Problem> {
        let both = self.base == "atom" && self.take("acq_rel");
        let releases = both || self.take("release");
        let acquires = both || (self.base == "atom" && self.take("acquire"));
        let (block, cluster) = (self.take("cta"), self.take("cluster"));
        self.take_all(|name| is_hint("atom", name));
        let scope = if block { Scope::Block } else { Scope::Cluster };
        let device = !block && !cluster;
        let fence = MemoryFence { scope, device, releases, acquires, restricted: false };
        if releases {
            self.decoder.program.means.fences = true;
            self.emit(MemoryOp::Fence(MemoryFence { acquires: false, ..fence }))?;
        }
        self.atomic()?;
        if acquires {
            self.decoder.program.means.fences = true;
            self.emit(MemoryOp::Fence(MemoryFence { releases: false, ..fence }))?;
        }
        Ok(())
    }

    /// Takes the modifier of a cache policy, and its register, which is the last operand.
    pub(super) fn take_policy(&mut self) -> Result<(), Problem> {
        if !self.take("L2::cache_hint") {
            return Ok(());
        }
        let [rest @ .., policy] = self.operands else {
            return Err(self.problem("cache policy is missing"));
        };
        self.source(policy, Type::B64)?;
        self.operands = rest;
        Ok(())
    }

    /// The access that modifiers, memory operand and data registers describe, and the type of the registers.
    fn access(&mut self, memory: &Operand, data: &[Operand]) -> Result<(Access, Type), Problem> {
        let space = self.space().unwrap_or(Space::Generic);
        let count = self.take_named(&[("v2", 2), ("v4", 4)]).unwrap_or(1);
        let ty = self.ty()?;
        if data.len() != usize::from(count) {
            return Err(self.problem("wrong number of registers for the vector"));
        }
        if ty == Type::Pred || ty.bytes() * u32::from(count) > 16 {
            return Err(self.problem("unsupported access width"));
        }
        let Place { address, space: named } = self.place(memory)?;
        let space = match (space, named) {
            // Arguments of device functions live in local memory.
            (Space::Parameter, Some(named)) => named,
            (Space::Parameter, None) if self.frame.end.is_some() => Space::Local,
            (Space::Generic, Some(named)) => named,
            (space, _) => space,
        };
        // The registers may be of a wider class than the type.
        let register = data.iter().find(|operand| matches!(operand, Operand::Register(_)));
        let class = register.map_or(Class::of(ty), |register| self.class_of(register, ty));
        let extend = match (ty.is_signed(), class) {
            (false, _) => Extend::Zero,
            (true, Class::Long) => Extend::Sign64,
            (true, _) => Extend::Sign32,
        };
        let long = class == Class::Long;
        let (width, non_coherent) = (ty.bytes() as u8, false);
        let access = Access { space, address, width, count, extend, long, non_coherent };
        Ok((access, if long && Class::of(ty) != Class::Long { Type::B64 } else { ty }))
    }

    fn load(&mut self) -> Result<(), Problem> {
        let non_coherent = self.base == "ldu" || self.take("nc");
        let [d, memory] = self.exactly()?;
        let data = self.elements(d);
        let (access, ty) = self.access(memory, data)?;
        self.decoder.program.non_coherent |= non_coherent;
        let registers = self.destinations(data, ty)?;
        self.emit(MemoryOp::Load(Access { non_coherent, ..access }, registers))
    }

    fn store(&mut self) -> Result<(), Problem> {
        let [memory, a] = self.exactly()?;
        let data = self.elements(a);
        let (access, ty) = self.access(memory, data)?;
        let registers = self.sources(data, ty)?;
        self.emit(MemoryOp::Store(access, registers))
    }

    /// The `cp.async` family.
    pub(super) fn async_copy(&mut self) -> Result<(), Problem> {
        if !self.take("async") {
            return Err(self.problem("unknown instruction cp"));
        }
        if self.take("bulk") {
            return self.bulk_copy();
        }
        if self.take("commit_group") {
            let [] = self.exactly()?;
            return self.emit(MemoryOp::AsyncCommit);
        }
        if self.take("wait_all") {
            let [] = self.exactly()?;
            return self.emit(MemoryOp::AsyncWaitAll);
        }
        if self.take("wait_group") {
            let [groups] = self.exactly()?;
            let groups = u32::try_from(self.immediate(groups)?);
            let groups = groups.map_err(|_| self.problem("number of groups is out of range"))?;
            return self.emit(MemoryOp::AsyncWait(groups));
        }
        let (ca, cg) = (self.take("ca"), self.take("cg"));
        let shared = self.take("shared") || self.take("shared::cta");
        if ca == cg || !shared || !self.take("global") {
            return Err(self.problem("unsupported form of cp.async"));
        }
        self.take_policy()?;
        self.take_all(is_prefetch_size);
        self.copy_to_shared(cg)
    }

    fn copy_to_shared(&mut self, past_l1: bool) -> Result<(), Problem> {
        let [to, from, bytes, rest @ ..] = self.operands else {
            return Err(self.problem("expected two addresses and a size"));
        };
        let bytes = self.immediate(bytes)?;
        if !matches!(bytes, 4 | 8 | 16) || (past_l1 && bytes != 16) {
            return Err(self.problem(format!("cp.async cannot copy {bytes} bytes")));
        }
        let (mut source_bytes, mut ignore_source) = (None, None);
        match rest {
            [] => {}
            [size] if self.class_of(size, Type::U32) == Class::Word => {
                source_bytes = Some(self.source(size, Type::U32)?);
            }
            [ignore] => ignore_source = Some(self.predicate(ignore)?),
            _ => return Err(self.problem("wrong number of operands")),
        }
        let (to, from) = (self.place(to)?.address, self.place(from)?.address);
        let bytes = bytes as u8;
        let copy = AsyncCopy { to, from, bytes, past_l1, source_bytes, ignore_source };
        self.emit(MemoryOp::AsyncCopy(Box::new(copy)))
    }
}
