// One of two consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N). When all its products
// have been issued it is the turn of warpgroup `next`, if that is not -1: its products follow those
// in flight.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales, int k,
    int next) {
    const int tiles = k_tiles(k);
    if (tiles == 0) {
        if (next >= 0) ordered_barrier_arrive(next);
        clear(acc);
        return;
    }
    const unsigned last = multiply_all(acc, ring, state, warpgroup, scales, tiles);
    if (next >= 0) ordered_barrier_arrive(next);
    wait_for_products(acc);
    consumer_release(ring, last);
}
