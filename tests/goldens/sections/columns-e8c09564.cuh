    // The columns of all tiles.
    __device__ __forceinline__ int columns() const {
        int all = 0;
#pragma unroll
        for (int segment = 0; segment < SEGMENTS; ++segment) all += whole(n[segment]);
        return all;
    }
