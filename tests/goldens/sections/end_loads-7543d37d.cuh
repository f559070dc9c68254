    __device__ __forceinline__ void end_loads(int) {}

    __device__ __forceinline__ void store(unsigned stage) {
        register_to_shared(stage, held_a);
        register_to_shared(stage + TileA::BYTES, held_b);
        __syncthreads();
    }
