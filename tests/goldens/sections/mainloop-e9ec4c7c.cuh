// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N). Nobody fills the last stage
// again.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales, int k) {
    const int tiles = k_tiles(k);
    if (tiles == 0) {
        clear(acc);
        return;
    }
    multiply_all(acc, ring, state, warpgroup, scales, tiles);
    wait_for_products(acc);
}
