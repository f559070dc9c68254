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
/// Seconds of a copy of an operand to padded rows that nothing hides, and the share of the bytes a second
/// of device memory that it reads and writes: two of 4095 × 4095 halves take 35 to 40 µs on an H200.
pub(super) const COPY: f64 = 2.0e-6;
pub(super) const COPIED: f64 = 0.8;
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

/// Of kernels of warpgroups: fitted to 400 times, of 41 schedules at 29 shapes of f16 on an H200, each
/// schedule no slower than 1.4 times the fastest of its shape.
pub(in crate::auto) mod groups {
    /// Of the multiply-adds that `wgmma` can do: the clock falls under its load.
    pub(in crate::auto) const TENSOR: f64 = 0.8515;
    /// Bytes a cycle that `wgmma` reads from shared memory. It is above the peak, as is
    /// [`SHARED_BESIDE_TENSORS`](super::SHARED_BESIDE_TENSORS), and the next one.
    pub(in crate::auto) const SHARED: f64 = 161.8;
    /// Bytes a cycle that the copy unit of an SM brings from L2.
    pub(in crate::auto) const L2: f64 = 91.3;
    /// How many times its bytes an operand moves whose rows begin within sectors of L2.
    pub(in crate::auto) const STRADDLE: f64 = 2.2;
    /// Of the bytes a second of device memory.
    pub(in crate::auto) const MEMORY: f64 = 0.889;
    /// Bytes a cycle by which an SM fills its ring before the first product.
    pub(in crate::auto) const FILL: f64 = 102.6;
    /// Rows or columns of an output up to which the estimate comes out too short, and what it is
    /// multiplied by then.
    pub(in crate::auto) const FEW: u64 = 64;
    pub(in crate::auto) const OF_FEW: f64 = 1.2;
    /// Seconds of a tile of K that the products of the one before do not hide.
    pub(in crate::auto) const TILE: f64 = 0.076e-6;
    /// Seconds of a wave that nothing hides: 0.2 µs less than fitted, since small products by warps take
    /// longer than the model says (512³: 4.1 µs, by warpgroups 3.6).
    pub(in crate::auto) const WAVE: f64 = 1.75e-6;
    /// Seconds of an element that is staged and stored.
    pub(in crate::auto) const STORE: f64 = 2.46e-11;
    /// Seconds from one tile of a block that walks to the next, and of an element that is staged meanwhile.
    pub(in crate::auto) const BETWEEN: f64 = 0.316e-6;
    pub(in crate::auto) const STAGE: f64 = 2.69e-11;
    /// Seconds in which the blocks of a cluster meet, of 7 times of 128 × 4096 × 4096 and 14336.
    pub(in crate::auto) const MEET: f64 = 0.5e-6;
    /// Seconds from one turn to the next.
    pub(in crate::auto) const TURN: f64 = 0.267e-6;
}
