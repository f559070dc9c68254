//! [`PtxFeature`]: instructions that not every NVRTC of CUDA 12 compiles.
//!
//! An NVRTC compiles the PTX ISA of its own CUDA version (PTX ISA, "Release Notes"). CUDA 12.0, with PTX
//! ISA 8.0, is the oldest that is supported: what it has is not a feature here. The tests compile kernels
//! with several versions and compare (`cargo xtask test`).

use std::fmt;

use crate::element::Element;
use crate::hardware::Target;
use crate::level::mma::Unit;
use crate::plan::Plan;

/// Instructions of a kernel that need a later PTX ISA than 8.0, that of CUDA 12.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PtxFeature {
    /// `cvt` from and to 8-bit floats on sm_89 (PTX ISA, "cvt", PTX ISA notes of `.e4m3x2`; on sm_90 it is
    /// of 7.8).
    Float8Conversions,
    /// `mma.sync` of 8-bit floats (PTX ISA, "mma", PTX ISA notes).
    Float8Products,
    /// `wgmma` of i8 by u8 or of u8 by i8 (PTX ISA, "wgmma.mma_async"; seen: NVRTC 12.3 refuses it, 12.4
    /// does not).
    MixedSigns,
    /// `fence.sync_restrict`, and `.relaxed` of `mbarrier.arrive` and `mbarrier.try_wait`, with which
    /// blocks of a cluster synchronise (PTX ISA, "fence", PTX ISA notes; seen: NVRTC 12.6 refuses each).
    ClusterFences,
}

impl PtxFeature {
    /// Every feature, in the order of their versions.
    pub const ALL: [PtxFeature; 4] = [
        PtxFeature::Float8Conversions,
        PtxFeature::Float8Products,
        PtxFeature::MixedSigns,
        PtxFeature::ClusterFences,
    ];

    /// The first version of the PTX ISA that has it, major and minor.
    pub const fn ptx(self) -> (u32, u32) {
        match self {
            PtxFeature::Float8Conversions => (8, 1),
            PtxFeature::Float8Products | PtxFeature::MixedSigns => (8, 4),
            PtxFeature::ClusterFences => (8, 6),
        }
    }

    /// The first NVRTC that compiles it, major and minor. PTX ISA 8.6 is that of CUDA 12.7, which was
    /// never published: 12.8 is the first after 12.6.
    pub const fn nvrtc(self) -> (u32, u32) {
        match self.ptx() {
            (8, minor @ 0..=5) => (12, minor),
            _ => (12, 8),
        }
    }

    /// The feature of a plan that needs the newest PTX ISA, on any of its targets; `None` if PTX ISA 8.0
    /// has all of its instructions.
    pub fn newest(plan: &Plan) -> Option<PtxFeature> {
        PtxFeature::ALL.into_iter().rev().find(|feature| feature.is_in(plan))
    }

    /// Whether the text of a plan has it, compiled for one of its targets.
    fn is_in(self, plan: &Plan) -> bool {
        let multiply = plan.mma();
        let factors = [multiply.elements.a, multiply.elements.b];
        match self {
            PtxFeature::Float8Conversions => {
                plan.targets().contains(&Target::Sm89) && elements(plan).any(Element::is_float8)
            }
            PtxFeature::Float8Products => {
                matches!(multiply.unit, Unit::TensorCore(_))
                    && factors.into_iter().any(Element::is_float8)
            }
            PtxFeature::MixedSigns => {
                matches!(multiply.unit, Unit::Warpgroup(_))
                    && factors.contains(&Element::I8)
                    && factors.contains(&Element::U8)
            }
            PtxFeature::ClusterFences => {
                plan.cluster().is_some() || plan.scheduler().cluster_split_k().is_some()
            }
        }
    }
}

/// The instructions, in words.
impl fmt::Display for PtxFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PtxFeature::Float8Conversions => "`cvt` of 8-bit floats on sm_89",
            PtxFeature::Float8Products => "`mma.sync` of 8-bit floats",
            PtxFeature::MixedSigns => "`wgmma` of i8 by u8",
            PtxFeature::ClusterFences => "`fence.sync_restrict` between blocks of a cluster",
        })
    }
}

/// The elements of all operands and outputs.
fn elements(plan: &Plan) -> impl Iterator<Item = Element> {
    plan.problem().parameters().filter_map(|kind| kind.element())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_in_the_order_of_their_versions() {
        for pair in PtxFeature::ALL.windows(2) {
            assert!(pair[0].ptx() <= pair[1].ptx() && pair[0].nvrtc() <= pair[1].nvrtc());
        }
        let versions = PtxFeature::ALL.map(PtxFeature::nvrtc);
        assert_eq!(versions, [(12, 1), (12, 4), (12, 4), (12, 8)]);
    }
}
