// Multiplies all k-tiles, one at least, PROMOTED of them at a time; then their stages are released,
// but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    clear(acc);
    unsigned last = state.stage;
    for (int first = 0; first < tiles; first += PROMOTED) {
        const int count = min(PROMOTED, tiles - first);
        promote(acc, ring, state, warpgroup, count);
        for (int tile = first; tile < first + count; ++tile, state.advance()) {
            last = state.stage;
            if (tile + 1 < tiles) consumer_release(ring, last);
        }
    }
    return last;
}
