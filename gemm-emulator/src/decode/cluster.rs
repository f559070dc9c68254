//! Instructions of a cluster, and the scopes of orders.

use super::Class;
use super::site::Site;
use crate::program::{ClusterOp, MemoryFence, MemoryOp, Ordering, Scope};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

impl Site<'_, '_> {
    pub(super) fn cluster_barrier(&mut self) -> Result<(), Problem> {
        let arrives = self.required(&[("arrive", true), ("wait", false)], "unsupported form")?;
        let [] = self.exactly()?;
        let aligned = self.take("aligned");
        if !arrives {
            self.take("acquire");
            return self.emit(ClusterOp::Wait { aligned });
        }
        // Without a modifier an arrival releases.
        let (relaxed, _release) = (self.take("relaxed"), self.take("release"));
        self.emit(ClusterOp::Arrive { releases: !relaxed, aligned })
    }

    pub(super) fn map_address(&mut self) -> Result<(), Problem> {
        let generic = !self.take("shared::cluster");
        let ty = self.ty_of(&[Type::U32, Type::U64])?;
        let long = ty == Type::U64;
        if generic && !long {
            return Err(self.problem("a generic address has 64 bits"));
        }
        let [d, a, rank] = self.exactly()?;
        // A variable may be named without brackets.
        let base = Box::new(a.clone());
        let a = self.place(&Operand::Memory { base, offset: 0 })?.address;
        let (rank, d) = (self.uniform(rank)?, self.destination(d, ty)?);
        self.emit(ClusterOp::Map { long, generic, d, a, rank })
    }

    pub(super) fn rank_of_address(&mut self) -> Result<(), Problem> {
        let generic = !self.take("shared::cluster");
        self.ty_of(&[Type::U32, Type::U64])?;
        let [d, a] = self.exactly()?;
        if generic && self.class_of(a, Type::U64) != Class::Long {
            return Err(self.problem("a generic address has 64 bits"));
        }
        let base = Box::new(a.clone());
        let a = self.place(&Operand::Memory { base, offset: 0 })?.address;
        let d = self.destination(d, Type::U32)?;
        self.emit(ClusterOp::Rank { generic, d, a })
    }

    /// The order of an arrival (`release`) or a wait (`acquire`) at an mbarrier; without a modifier it has one, of the
    /// scope of the block.
    pub(super) fn ordering(&mut self) -> Ordering {
        let relaxed = self.take("relaxed");
        let _ = self.take("release") || self.take("acquire");
        let cluster = self.take_named(&[("cta", false), ("cluster", true)]).unwrap_or(false);
        Ordering { orders: !relaxed, scope: if cluster { Scope::Cluster } else { Scope::Block } }
    }

    /// A fence between threads.
    pub(super) fn memory_fence(&mut self) -> Result<(), Problem> {
        let device = self.take_all(|name| matches!(name, "gl" | "gpu" | "sys"));
        let cluster = self.take("cluster");
        self.take("cta");
        let (release, acquire) = (self.take("release"), self.take("acquire"));
        self.take_all(|name| matches!(name, "sc" | "acq_rel"));
        let restricted = self.restricted(release, acquire, cluster)?;
        self.decoder.program.means.fences |= !restricted;
        let scope = if device || cluster { Scope::Cluster } else { Scope::Block };
        let (releases, acquires) = (!acquire, !release);
        let fence = MemoryFence { scope, device, releases, acquires, restricted };
        self.emit(MemoryOp::Fence(fence))
    }

    /// `.sync_restrict`, which a release has for the block's own shared memory and an acquire for that of the cluster.
    fn restricted(&mut self, release: bool, acquire: bool, cluster: bool) -> Result<bool, Problem> {
        let spaces = [
            ("sync_restrict::shared::cta", Space::Shared),
            ("sync_restrict::shared::cluster", Space::Cluster),
        ];
        match self.take_named(&spaces) {
            None => Ok(false),
            Some(Space::Shared) if release && cluster => Ok(true),
            Some(Space::Cluster) if acquire && cluster => Ok(true),
            Some(_) => Err(self.problem("unsupported form of .sync_restrict")),
        }
    }
}
