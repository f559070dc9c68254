// The consumers: acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N).
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int k) {
    const int tiles = k_tiles(k);
    if (tiles == 0) return;
    const unsigned last = multiply_all(acc, ring, state, warpgroup, tiles);
    wait_for_products(acc);
    consumer_release(ring, last);
}
