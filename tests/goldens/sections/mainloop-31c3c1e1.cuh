// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N). The products of a k-tile are in
// flight while the next one is waited for and issued; then its stage is left.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, Place& place, Warp warp, int k) {
    const int tiles = tiles_of(k);
    if (tiles == 0) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
            for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
        }
        return;
    }
    forget(acc);
    multiply<true>(acc, ring, place, warp);
    unsigned multiplied = place.stage;  // of the k-tile before
    place.advance();
    for (int tile = 1; tile < tiles; ++tile, place.advance()) {
        multiply<false>(acc, ring, place, warp);
        wgmma_wait<1>();
        leave(ring, multiplied);
        multiplied = place.stage;
    }
    wgmma_wait<0>();
    pin(acc);
}
