    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          full(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.full))),
          empty(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.empty))) {}
    __device__ __forceinline__ unsigned full_barrier(unsigned stage) const {
        return full + stage * BARRIER_BYTES;
    }
