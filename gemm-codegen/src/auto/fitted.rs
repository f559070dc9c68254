//! What was fitted. Rates are shares of what the machine has, so that they scale with it; times are
//! latencies, which differ little from one GPU to the next.

/// Of the multiply-adds that `mma.sync` can do.
pub(super) const TENSOR: f64 = 0.847;
/// Bytes a cycle that an SM loads from shared memory; its peak is 128.
pub(super) const SHARED: f64 = 112.5;
/// The same where warps start no copies. It is above the peak: what they load then is hidden, and
/// the sum of all that goes on comes out right.
pub(super) const SHARED_BESIDE_TENSORS: f64 = 505.0;
/// Bytes a cycle that the threads of an SM copy from L2, and its copy unit.
pub(super) const L2: f64 = 59.5;
pub(super) const L2_BY_TENSORS: f64 = 66.6;
/// Of the bytes a second of device memory.
pub(super) const MEMORY: f64 = 0.950;
/// Bytes a cycle by which an SM fills its rings before the first product.
pub(super) const FILL: f64 = 73.3;
/// Seconds from a copy to its data.
pub(super) const LATENCY: f64 = 0.637e-6;
/// Seconds of a k-step, of a tile, of a wave and of a launch that nothing hides.
pub(super) const STEP: f64 = 0.0456e-6;
pub(super) const TILE: f64 = 0.0427e-6;
pub(super) const WAVE: f64 = 1.107e-6;
pub(super) const WAVE_BY_TENSORS: f64 = 1.017e-6;
pub(super) const LAUNCH: f64 = 0.096e-6;
/// Seconds of an element that is stored, and of one that is staged by each warp along K.
pub(super) const STORE: f64 = 5.01e-11;
pub(super) const STAGE: f64 = 4.21e-11;
/// Seconds in which the blocks of a tile meet, and of each sum that they leave.
pub(super) const MEET: f64 = 2.25e-6;
pub(super) const MEET_BY_TENSORS: f64 = 2.99e-6;
pub(super) const PARTIAL: f64 = 3.90e-11;

/// What a schedule takes by what the model says, where that differed for all shapes alike: BLK_M, BLK_N,
/// bytes of BLK_K; warps along M, N and K; stages.
pub(super) const CORRECTIONS: [(Schedule, f64); 13] = [
    (([192, 256, 128], [2, 4, 1], 4), 1.041),
    (([128, 256, 128], [2, 4, 1], 4), 1.051),
    (([128, 192, 128], [2, 4, 1], 5), 1.051),
    (([128, 128, 128], [2, 4, 1], 6), 1.010),
    (([64, 64, 128], [2, 2, 1], 6), 0.980),
    (([128, 256, 64], [2, 4, 1], 4), 1.010),
    (([128, 128, 64], [2, 2, 1], 4), 1.010),
    (([128, 128, 128], [2, 4, 1], 4), 0.923),
    (([64, 64, 128], [2, 2, 1], 5), 0.970),
    (([32, 64, 256], [1, 2, 2], 4), 1.083),
    (([16, 32, 512], [1, 1, 8], 5), 0.970),
    (([128, 32, 256], [4, 1, 2], 4), 0.951),
    (([128, 64, 256], [4, 1, 2], 4), 0.970),
];

/// What tells schedules apart.
pub(super) type Schedule = ([u32; 3], [u32; 3], u32);
