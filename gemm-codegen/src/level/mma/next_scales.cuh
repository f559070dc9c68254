// Goes on to the scales of what is summed after k-step `step` of a stage.
__device__ __forceinline__ void next_scales(ScalesA& scales_a, ScalesB& scales_b, int step) {
    // Other warps have the rest of a stage's k.
    const int by = SCALED_STEPS * MMA_K + (step + 1 == STEPS_K ? BLK_K - WARP_K : 0);
    scales_a.advance(by);
    scales_b.advance(by);
}
