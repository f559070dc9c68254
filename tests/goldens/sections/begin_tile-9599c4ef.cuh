
    // Refills the stage that the previous k-tile was read from; a barrier lies between. The copies
    // follow the loads that the next k-step waits for, except where the only k-step waits for
    // their group.
    __device__ __forceinline__ void begin_tile() {
        if (STEPS_K == 1) copy_next_tile();
    }
