//! [`Form`]: who copies the k-tiles of a block, and who multiplies them.

use crate::axis::PerSide;
use crate::spec::{CopyAtom, Mma};

/// Who copies the k-tiles of a kernel, and who multiplies them.
///
/// It follows from the MMA atom and the copy atoms, and everything that differs between the generations of
/// kernels follows from it. A further generation is a further variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Warps copy, and multiply by `mma.sync`.
    Warps(ByThreads),
    /// A unit of the SM copies, and warps multiply by `mma.sync`.
    WarpsByTensors,
    /// Warps copy, and their lanes multiply in register tiles, without tensor cores.
    Lanes(ByThreads),
    /// A unit of the SM copies, and warpgroups multiply from shared memory by `wgmma`. A further
    /// warpgroup, the producer, waits for free stages.
    Groups,
}

/// How the threads of a block copy tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByThreads {
    /// `ld.global` and `st.shared`, through registers.
    LdGlobal,
    /// `cp.async`.
    CpAsync,
}

impl Form {
    /// The form of an atom whose tiles are copied by these atoms. Where no kernel has such copies, the one
    /// that the atom has by default, so that the rest of a schedule can be judged.
    pub(crate) fn of(mma: Mma, copy: &PerSide<CopyAtom>) -> Form {
        let by_threads = match copy.a {
            CopyAtom::LdGlobal { .. } => ByThreads::LdGlobal,
            CopyAtom::CpAsync { .. } | CopyAtom::Tma { .. } => ByThreads::CpAsync,
        };
        match mma {
            Mma::Wgmma(_) => Form::Groups,
            Mma::Fma { .. } => Form::Lanes(by_threads),
            _ if copy.a.is_tma() && copy.b.is_tma() => Form::WarpsByTensors,
            _ => Form::Warps(by_threads),
        }
    }

    /// Whether tensor copies bring the tiles: a launch first copies what they cannot read (`padding`).
    pub const fn copies_tensors(self) -> bool {
        matches!(self, Form::WarpsByTensors | Form::Groups)
    }
}

/// That of kernels about which nothing else is known.
impl Default for Form {
    fn default() -> Form {
        Form::Warps(ByThreads::CpAsync)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_atom_decides_before_its_copies() {
        let bytes = std::num::NonZeroU16::new(16).unwrap();
        let (through_registers, tensors) = (CopyAtom::LdGlobal { bytes }, CopyAtom::TMA);
        let wgmma = Mma::Wgmma(None);
        let fma = Mma::Fma { m: bytes, n: bytes };
        let of = |mma, a, b| Form::of(mma, &PerSide { a, b });
        for copy in [through_registers, tensors] {
            assert_eq!(of(wgmma, copy, copy), Form::Groups);
        }
        assert_eq!(of(fma, tensors, tensors), Form::Lanes(ByThreads::CpAsync));
        assert_eq!(of(Mma::M16n8k16, tensors, tensors), Form::WarpsByTensors);
        assert_eq!(of(Mma::M16n8k16, tensors, through_registers), Form::Warps(ByThreads::CpAsync));
        let both = of(Mma::M16n8k16, through_registers, through_registers);
        assert_eq!(both, Form::Warps(ByThreads::LdGlobal));
    }
}
