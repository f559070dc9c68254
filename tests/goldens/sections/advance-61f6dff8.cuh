
    // Goes on to the part of k that begins `by` later.
    __device__ __forceinline__ void advance(int by) {
        k += by;
        load();
    }
