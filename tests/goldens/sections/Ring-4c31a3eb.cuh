    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(&shared))),
          full(stages + BARRIERS_OFFSET), empty(full + STAGES * 8) {}
};
