// Lets a stage expect a k-tile.
__device__ __forceinline__ void expect(Ring ring, unsigned stage) {
    mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES);
}
