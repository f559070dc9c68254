
    // Loads those of the k-tile, if there is one, when all lanes have copied them.
    __device__ __forceinline__ void load_copied() {
        if (k >= end) return;
        cp_async_wait<STAGES - 2>();
        __syncwarp();
        this->load(stages + stage * STAGE_BYTES);
    }
