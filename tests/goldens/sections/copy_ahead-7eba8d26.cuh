
    // Begins to copy those of the k-tile that is this many further, if there is one.
    __device__ __forceinline__ void copy_ahead(int tiles) {
        const unsigned to = (stage + tiles) % STAGES;
        const int at_k = k + tiles * BLK_K;
        if (at_k < end) this->copy(stages + to * STAGE_BYTES, at_k, end);
        cp_async_commit();
    }
