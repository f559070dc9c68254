// Says that the warp has multiplied the k-tile of a stage, a lane to each block that fills the
// stage: those that multiply the same tile of A or of B.
__device__ __forceinline__ void consumer_release(Ring ring, unsigned stage) {
    const unsigned lane = threadIdx.x % 32, rank = cluster_rank();
    const bool fills = lane % CLUSTER_M == rank % CLUSTER_M || lane / CLUSTER_M == rank / CLUSTER_M;
    if (lane < CLUSTER && fills) mbarrier_arrive_at(ring.empty_barrier(stage), lane);
}
