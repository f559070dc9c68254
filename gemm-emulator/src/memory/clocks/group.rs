//! Lanes of a warp that a stamp stands for.

/// Lanes of a warp that have read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::memory) struct Group {
    pub(in crate::memory) warp: u32,
    pub(in crate::memory) lanes: u32,
    /// By one warp-wide instruction: whatever one of the lanes does next comes after all of it.
    pub(in crate::memory) together: bool,
    /// Those of the lanes that have passed a proxy fence since they read.
    pub(in crate::memory) fenced: u32,
}

impl Group {
    /// Lanes that have passed no fence.
    pub(in crate::memory) fn new(warp: u32, lanes: u32, together: bool) -> Group {
        Group { warp, lanes, together, fenced: 0 }
    }

    /// Whether all its lanes, or one if they read together, are `settled`: done with what they read.
    pub(super) fn is(self, lanes: u32, settled: impl Fn(u32) -> bool) -> bool {
        let mut lanes = (0..32).filter(|lane| lanes >> lane & 1 == 1);
        let settled = |lane: u32| settled(self.warp * 32 + lane);
        if self.together { lanes.any(settled) } else { lanes.all(settled) }
    }
}
