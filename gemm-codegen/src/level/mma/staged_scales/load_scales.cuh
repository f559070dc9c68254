// Loads a warp's scales of a k-step, and of those that are summed with it, from a stage.
__device__ __forceinline__ void load_scales(
    ScalesA& scales_a, ScalesB& scales_b, unsigned stage, Warp warp, int step) {
    const int k = warp.k + step * MMA_K;
    scales_a.load(stage, warp.m, k);
    scales_b.load(stage, warp.n, k);
}
