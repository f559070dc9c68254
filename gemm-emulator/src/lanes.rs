//! The lanes of a warp.

/// Number of lanes of a warp.
pub(crate) const LANES: usize = 32;

/// Number of warps of a warpgroup.
pub(crate) const WARPS: u32 = 4;

/// The mask of a whole warp.
pub(crate) const ALL: u32 = u32::MAX;

/// One value a lane.
pub(crate) type Lanes<T> = [T; LANES];

/// The lanes of a mask in ascending order.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|mask| *mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}

/// The mask of the lanes for which `f` holds.
#[inline(always)]
pub(crate) fn mask_of(f: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..LANES {
        mask |= u32::from(f(lane)) << lane;
    }
    mask
}
