
    // Goes on to the next k-tile.
    __device__ __forceinline__ void advance() {
        k += BLK_K;
        stage = (stage + 1) % STAGES;
        copy_ahead(STAGES - 2);
        load_copied();
    }
};
