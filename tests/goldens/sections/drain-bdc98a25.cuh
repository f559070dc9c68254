// Waits until every stage has been left. Until then blocks of the cluster read what this one has
// copied to them, and arrive at its barriers.
__device__ __forceinline__ void drain(Ring ring, Place place) {
    for (int stage = 0; stage < STAGES; ++stage, place.advance()) {
        mbarrier_wait_cluster(ring.empty + place.stage * 8, place.parity);
    }
}
