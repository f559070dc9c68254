//! What was fitted. Rates are shares of what the machine has, so that they scale with it; times are
//! latencies, which differ little from one GPU to the next.

/// Of the multiply-adds that `mma.sync` can do.
pub(super) const TENSOR: f64 = 0.973;
/// Bytes a cycle that an SM loads from shared memory; its peak is 128.
pub(super) const SHARED: f64 = 110.5;
/// The same where warps start no copies. It is above the peak: what they load then is hidden, and
/// the sum of all that goes on comes out right.
pub(super) const SHARED_BESIDE_TENSORS: f64 = 507.0;
/// Bytes a cycle that the threads of an SM copy from L2, and its copy unit.
pub(super) const L2: f64 = 51.7;
pub(super) const L2_BY_TENSORS: f64 = 75.3;
/// How many times its bytes an operand moves whose rows begin within sectors of L2.
pub(super) const STRADDLE: f64 = 1.66;
/// Of the bytes a second of device memory.
pub(super) const MEMORY: f64 = 0.882;
/// Bytes a cycle by which an SM fills its rings before the first product.
pub(super) const FILL: f64 = 73.6;
/// Seconds from a copy to its data.
pub(super) const LATENCY: f64 = 0.559e-6;
/// Seconds of a k-step, of a tile, of a wave and of a launch that nothing hides.
pub(super) const STEP: f64 = 0.0422e-6;
pub(super) const TILE: f64 = 0.0423e-6;
pub(super) const WAVE: f64 = 1.208e-6;
pub(super) const WAVE_BY_TENSORS: f64 = 1.036e-6;
pub(super) const LAUNCH: f64 = 0.097e-6;
/// Seconds of an element that is stored, and of one that is staged by each warp along K.
pub(super) const STORE: f64 = 5.14e-11;
pub(super) const STAGE: f64 = 4.55e-11;
/// Seconds in which the blocks of a tile meet, and of each sum that they leave.
pub(super) const MEET: f64 = 2.17e-6;
pub(super) const MEET_BY_TENSORS: f64 = 2.92e-6;
pub(super) const PARTIAL: f64 = 4.38e-11;

/// What a schedule takes by what the model says, where that differed for all shapes alike: BLK_M, BLK_N,
/// bytes of BLK_K; warps along M, N and K; stages. Whether blocks share K makes no difference.
pub(super) const CORRECTIONS: [(Schedule, f64); 18] = [
    (([128, 128, 64], [2, 2, 1], 4), 1.04),
    (([128, 192, 128], [2, 4, 1], 5), 0.98),
    (([64, 128, 128], [2, 4, 1], 8), 1.06),
    (([64, 64, 128], [2, 2, 1], 6), 1.07),
    (([64, 128, 256], [2, 2, 2], 4), 1.08),
    (([32, 64, 512], [1, 2, 4], 4), 1.03),
    (([128, 256, 64], [2, 4, 1], 4), 0.98),
    (([128, 128, 128], [2, 2, 1], 3), 1.05),
    (([64, 64, 128], [2, 2, 1], 5), 0.93),
    (([64, 64, 256], [2, 2, 2], 4), 0.98),
    (([64, 32, 256], [2, 1, 4], 6), 0.93),
    (([32, 64, 256], [1, 2, 2], 4), 0.96),
    (([32, 64, 256], [1, 2, 4], 6), 0.90),
    (([16, 64, 256], [1, 2, 4], 5), 0.96),
    (([16, 32, 256], [1, 1, 4], 4), 0.96),
    (([16, 32, 512], [1, 1, 8], 5), 1.02),
    (([128, 32, 256], [4, 1, 2], 4), 0.90),
    (([128, 64, 256], [4, 1, 2], 4), 0.94),
];

/// What tells schedules apart.
pub(super) type Schedule = ([u32; 3], [u32; 3], u32);

/// Of kernels of warpgroups. Estimates from the times of 128 x 256 at 4096 and 8192 (`docs/performance.md`)
/// and from what the hardware has, not fitted to measurements of many schedules yet.
pub(in crate::auto) mod groups {
    /// Of the multiply-adds that `wgmma` can do: the clock falls under its load.
    pub(in crate::auto) const TENSOR: f64 = 0.916;
    /// Bytes a cycle that `wgmma` reads from shared memory: the peak.
    pub(in crate::auto) const SHARED: f64 = 128.0;
    /// Bytes a cycle that an SM copies from L2: the width of its port.
    pub(in crate::auto) const L2: f64 = 64.0;
    /// Of the bytes a second of device memory. Their copies name no cache policy, which costs products of
    /// few rows 1 to 6 %.
    pub(in crate::auto) const MEMORY: f64 = 0.855;
    /// Rows or columns of an output for which they are not measured yet, and those of warps are: what the
    /// estimate is multiplied by keeps them out of a choice by the model, not of a measurement.
    pub(in crate::auto) const FEW: u64 = 32;
    pub(in crate::auto) const OF_FEW: f64 = 1.5;
    /// Seconds of a tile of K that the products of the one before do not hide.
    pub(in crate::auto) const TILE: f64 = 0.06e-6;
    /// Seconds of a wave that nothing hides.
    pub(in crate::auto) const WAVE: f64 = 1.3e-6;
    /// Seconds of an element that is staged and stored.
    pub(in crate::auto) const STORE: f64 = 2.2e-11;
}
