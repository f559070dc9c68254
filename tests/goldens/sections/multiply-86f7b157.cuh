// Converts A's factors of a part of a k-tile, and issues its products. The first one defines the
// sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Accumulators& acc, FactorsA& factors, int number, unsigned of_a, unsigned of_b,
    Warpgroup warpgroup, const ScalesA& scales) {
    const int step0 = number * CONVERTED_STEPS;
    convert(factors, of_a, warpgroup.m, step0, scales);
    wgmma_fence();
    const auto first = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
#pragma unroll
    for (int step = 0; step < CONVERTED_STEPS; ++step) {
        const auto b = first + instruction_offset<TileB>(0, (step0 + step) * MMA_K) / 16;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            if (FIRST && step == 0) wgmma<false>(acc[i], factors[i][step], b);
            else wgmma<true>(acc[i], factors[i][step], b);
        }
    }
    wgmma_commit();
}
