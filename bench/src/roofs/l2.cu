// Copies stages of 48 KB, as of a 128x256x64 block of f16, through a ring of four by cp.async.
// SHARERS blocks that are neighbours read the same four stages.

constexpr int STAGES = 4, STAGE_BYTES = 48 << 10;
constexpr int TILES = 256;  // of four stages: the source

__device__ __forceinline__ void copy_stage(unsigned to, const uint4* from) {
#pragma unroll
    for (int i = 0; i < STAGE_BYTES / 16 / THREADS; ++i) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :: "r"(to + i * THREADS * 16),
                        "l"(__cvta_generic_to_global(from + i * THREADS)) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) roof(
    const uint4* source, unsigned* target, long long steps, u64 never) {
    extern __shared__ __align__(128) uint4 shared[];
    const unsigned ring = unsigned(__cvta_generic_to_shared(shared)) + threadIdx.x * 16;
    const int tile = blockIdx.x / SHARERS % TILES;
    const uint4* from = source + tile * (STAGES * STAGE_BYTES / 16) + threadIdx.x;
    for (long long step = 0; step < steps; ++step) {
        const int stage = step % STAGES;
        copy_stage(ring + stage * STAGE_BYTES, from + stage * (STAGE_BYTES / 16));
        asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 1) : "memory");
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    const uint4 word = shared[threadIdx.x];  // one of the thread's own copies
    keep(word.x ^ word.y ^ word.z ^ word.w, target, unsigned(never));
}
