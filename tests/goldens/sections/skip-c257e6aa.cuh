    // Leaves out the k-tiles of the other warpgroup.
    __device__ __forceinline__ void skip(int tiles) {
        const unsigned to = stage + tiles;
        stage = to % STAGES, parity ^= to / STAGES & 1;
    }
};
