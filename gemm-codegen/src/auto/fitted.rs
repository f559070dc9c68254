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
/// Seconds in which a block reduces rows or columns of its tile, and memory answers: not fitted. `sum(h * h)` of rows at
/// 4096 and of 4096 × 14336 × 4096 took 2.2 to 4.5 µs of each tile of 128 × 256.
pub(super) const REDUCED: f64 = 4.0e-6;

/// Seconds of an instruction of the body for an element: bias and GELU by tanh took 4.7 µs longer at 2048
/// × 2048 × 2048 on an H200, a tile of 128 × 256 on each SM.
pub(super) const BODY: f64 = 0.9e-11;
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

/// Of kernels of lanes. Not fitted: by the table of latencies and by what two kernels took.
pub(in crate::auto) mod lanes {
    use super::Schedule;

    /// How many times its bytes a load takes of shared memory. Eight lanes read each factor of A and
    /// four each of B; two of them, next to each other, are served at once.
    pub(in crate::auto) const PASSES: [f64; 2] = [4.0, 2.0];
    /// Seconds of a k-step that nothing hides: a load from shared memory, 29 cycles on an H100 (Luo et
    /// al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking"),
    /// and an FMA, 4.
    pub(in crate::auto) const STEP: f64 = 0.0167e-6;
    /// As [`CORRECTIONS`](super::CORRECTIONS): two blocks of 128 × 128 on an SM take 1.08 times as long
    /// as one of 128 × 256, as measured with eight warps each (`docs/lab-notes.md`, exact f32).
    pub(in crate::auto) const CORRECTIONS: [(Schedule, f64); 2] =
        [(([128, 128, 64], [4, 2, 1], 3), 1.08), (([128, 128, 128], [2, 2, 1], 3), 1.08)];
}

/// Of kernels of warpgroups: fitted to the times of 114 schedules at 118 shapes of f16 on an H200, and to
/// those of 47 schedules without clusters at 203 shapes, beside schedules of warps; those near the fastest
/// of their shape count most.
pub(in crate::auto) mod groups {
    use super::Schedule;

    /// As [`CORRECTIONS`](super::CORRECTIONS): a tile of 256 × 96 took 1.00 to 1.02 times as long as one of 128 × 192 for
    /// products of 256 to 768 rows, though its instructions read more of shared memory (H200).
    pub(in crate::auto) const CORRECTIONS: [(Schedule, f64); 1] =
        [(([256, 96, 128], [2, 1, 1], 5), 0.92)];
    /// Of the multiply-adds that `wgmma` can do.
    pub(in crate::auto) const TENSOR: f64 = 1.06;
    /// Bytes a cycle that `wgmma` reads from shared memory.
    pub(in crate::auto) const SHARED: f64 = 97.4;
    /// Bytes a cycle that an SM takes in; how many times as long it takes where rows begin within sectors of
    /// L2, and where they come to several blocks of a cluster.
    pub(in crate::auto) const L2: f64 = 88.3;
    pub(in crate::auto) const TAKEN_IN_SECTOR: f64 = 1.45;
    pub(in crate::auto) const MULTICAST: f64 = 1.14;
    /// How many times as long it takes to fill a row outside of a matrix with zeros as to copy one, where a
    /// box lies partly and where it lies wholly there.
    pub(in crate::auto) const FILLED: f64 = 1.52;
    pub(in crate::auto) const FILLED_WHOLE: f64 = 0.711;
    /// Bytes a cycle that L2 gives to all SMs, for each of them, where rows begin with its lines; how many
    /// times as many it reads where they begin within lines, and within sectors. Measured are at most 15.4,
    /// 9.6 and 7.2 TB/s.
    pub(in crate::auto) const L2_OF_ALL: f64 = 123.0;
    pub(in crate::auto) const IN_LINE: f64 = 1.36;
    pub(in crate::auto) const STRADDLE: f64 = 4.26;
    /// Of the bytes a second of device memory.
    pub(in crate::auto) const MEMORY: f64 = 0.859;
    /// Seconds from a copy to its data.
    pub(in crate::auto) const LATENCY: f64 = 0.769e-6;
    /// Bytes a cycle by which an SM fills its ring before the first product.
    pub(in crate::auto) const FILL: f64 = 151.0;
    /// Seconds of a tile of K that the products of the one before do not hide.
    pub(in crate::auto) const TILE: f64 = 0.0808e-6;
    /// Seconds of a launch; of the first wave, of two warpgroups, that nothing hides, and what a later one
    /// takes of it; of each further warpgroup; of clusters of two blocks, and of more.
    pub(in crate::auto) const LAUNCH: f64 = 0.87e-6;
    pub(in crate::auto) const WAVE: f64 = 0.752e-6;
    pub(in crate::auto) const AGAIN: f64 = 1.52;
    pub(in crate::auto) const WARPGROUP: f64 = 0.206e-6;
    pub(in crate::auto) const PAIR: f64 = 0.136e-6;
    pub(in crate::auto) const CLUSTER: f64 = 0.162e-6;
    /// The share of SMs that run clusters of more than two blocks: 120 of 132 of an H200, not fitted.
    pub(in crate::auto) const IN_CLUSTERS: f64 = 10.0 / 11.0;
    /// Seconds of an element that is stored, and of one that a warpgroup stages.
    pub(in crate::auto) const STORE: f64 = 3.91e-11;
    pub(in crate::auto) const STAGED: f64 = 4.21e-11;
    /// Seconds from one tile of a block that walks to the next, and of an element that is staged meanwhile.
    pub(in crate::auto) const BETWEEN: f64 = 0.063e-6;
    pub(in crate::auto) const STAGE: f64 = 3.74e-11;
    /// Seconds of an element of 4 bytes beyond those of one of 2, where warpgroups wait together until it is
    /// stored: all SMs store at the same time. Not fitted: tiles of 128 × 256 of s32 at 4096 took 104 µs, by
    /// turns 95.
    pub(in crate::auto) const WIDE: f64 = 1.1e-10;
    /// Seconds in which the blocks of a cluster that share a tile meet, and of a sum that one sends.
    pub(in crate::auto) const MEET: f64 = 0.966e-6;
    pub(in crate::auto) const SENT: f64 = 1.4e-10;
    /// Cycles until a warpgroup has promoted the sums of an instruction and issued the next products; of
    /// several warpgroups on an SM it is this power of their number that is shared. Fitted to the schedules of
    /// `precision = f16x3` at 7 shapes and of e4m3 at 12: those chosen take 1.05 and 1.01 times as long as the
    /// fastest.
    pub(in crate::auto) const PROMOTION: f64 = 320.0;
    pub(in crate::auto) const HIDDEN: f64 = 1.25;
    /// The share of these cycles that remains where one half is promoted while the other is multiplied. Not fitted: with
    /// it, estimates of e4m3 at 8192 by tiles of 128 × 192 and of 128 × 128 are the same share of their times.
    pub(in crate::auto) const OF_HALVES: f64 = 0.7;
    /// Seconds from one turn to the next.
    pub(in crate::auto) const TURN: f64 = 0.214e-6;
}

/// Of kernels that convert a factor: fitted to the times of their schedules at 17 products of weights of 4 and of 8 bits,
/// packed and not, on an H200. Those chosen take 1.01 times as long as the fastest.
pub(in crate::auto) mod converted {
    use super::Schedule;

    /// As [`CORRECTIONS`](super::CORRECTIONS): one warpgroup of 64 × 256 took 0.96 to 0.97 of the time of two of 128 × 128
    /// at 512 × 4096 × 4096, where a launch has 128 blocks of either (H200).
    pub(in crate::auto) const CORRECTIONS: [(Schedule, f64); 1] =
        [(([64, 256, 32], [1, 1, 1], 5), 0.95)];
    /// The same where a warp sums products of [`WIDE`] of K or more before it scales them: of weights of 4 bits, and of
    /// the last one of 8, by 16 tokens at 4096 × 4096 and 14336 × 4096 (H200). With scales for each 32 of K the model is
    /// right.
    pub(in crate::auto) const OF_WIDE_SCALES: [(Schedule, f64); 3] = [
        (([32, 16, 256], [2, 1, 4], 4), 0.98),
        (([128, 16, 128], [4, 1, 2], 3), 1.17),
        (([128, 16, 256], [4, 1, 2], 3), 1.12),
    ];
    pub(in crate::auto) const WIDE: u32 = 128;
    /// Elements that the four schedulers of an SM issue an instruction for in a cycle, a pair of each lane.
    pub(in crate::auto) const ISSUED: f64 = 256.0;
    /// Cycles of an instruction, by warpgroups, and by warps for the first factor and for the second. These load
    /// their fragments besides.
    pub(in crate::auto) const OF_GROUPS: f64 = 2.0;
    pub(in crate::auto) const OF_WARPS: [f64; 2] = [1.5, 6.0];
    /// Cycles of an instruction for the scale of a sum, with what loads and converts the scales.
    pub(in crate::auto) const OF_SCALES: f64 = 2.0;
    /// Cycles in which warpgroups wait for what they load and multiply, of a k and of a tile of K of each block.
    pub(in crate::auto) const CHAIN: f64 = 0.7;
    pub(in crate::auto) const TILE: f64 = 200.0;
}
