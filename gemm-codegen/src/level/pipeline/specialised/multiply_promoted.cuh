// Multiplies all k-tiles, one at least, PROMOTED of them at a time and one atom after the other.
// Their stages are then released, but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    clear(acc);
    for (int left = tiles;; left -= PROMOTED) {
        const int count = PROMOTED == 1 ? 1 : min(left, PROMOTED);
        const bool is_last = left <= PROMOTED;
        unsigned latest;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            Unpromoted now;
            multiply(now, ring, state, warpgroup, i, count, [] {});
            wgmma_wait<0>();
            if (i == ATOMS_M - 1) latest = release(ring, state, count, is_last);
            promote(acc[i], now);
        }
        if (is_last) return latest;
    }
}
