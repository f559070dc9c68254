// Multiplies all k-tiles, one at least, PROMOTED of them at a time, each half of the columns by its
// own instructions: one half is promoted while the other is multiplied. Their stages are then
// released, but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    static_assert(ATOMS_M == 1, "both halves are of the same rows");
    clear(acc);
    const Warpgroup right_half{warpgroup.m, warpgroup.n + MMA_N / 2};
    for (int left = tiles;; left -= PROMOTED) {
        const int count = PROMOTED == 1 ? 1 : min(left, PROMOTED);
        Unpromoted before, now;
        multiply(before, ring, state, warpgroup, 0, count, [] {});
        multiply(now, ring, state, right_half, 0, count, [&] {
            wgmma_wait<1>();
            promote(acc[0], before);
        });
        wgmma_wait<0>();
        const bool is_last = left <= PROMOTED;
        const unsigned latest = release(ring, state, count, is_last);
        promote(acc[0], now, PROMOTED_SUMS);
        if (is_last) return latest;
    }
}
