// Waits until the consumers have left a stage, and lets it expect a k-tile.
__device__ __forceinline__ void reserve(Ring ring, Place place) {
    mbarrier_wait(ring.empty + place.stage * 8, place.parity);
    expect(ring, place.stage);
}
