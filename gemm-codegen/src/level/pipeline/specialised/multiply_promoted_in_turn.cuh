// Multiplies all k-tiles, one at least, PROMOTED of them at a time. While these are multiplied, the
// ones before are promoted and their stages released, but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    static_assert(ATOMS_M == 1, "all that is promoted is added to the same sums");
    clear(acc);
    Unpromoted even, odd;
    RingState held = state;  // the first k-tile that is not released
    int left = tiles;
    const auto multiply_next = [&](Unpromoted& now, auto meanwhile) {
        const int count = PROMOTED == 1 ? 1 : min(left, PROMOTED);
        multiply(now, ring, state, warpgroup, 0, count, meanwhile);
        for (int tile = 0; tile < count; ++tile) state.advance();
        left -= count;
    };
    const auto turn = [&](Unpromoted& now, Unpromoted& before) {
        multiply_next(now, [&] {
            wgmma_wait<1>();
            release(ring, held, PROMOTED, false);
            promote(acc[0], before);
        });
    };
    const auto finish = [&](Unpromoted& last) {
        wgmma_wait<0>();
        const unsigned stage = release(ring, held, (tiles - 1) % PROMOTED + 1, true);
        promote(acc[0], last);
        return stage;
    };
    multiply_next(even, [] {});
    while (left > PROMOTED) {
        turn(odd, even);
        turn(even, odd);
    }
    if (left > 0) {
        turn(odd, even);
        return finish(odd);
    }
    return finish(even);
}
