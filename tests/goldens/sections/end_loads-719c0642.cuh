    __device__ __forceinline__ void end_loads(int step) {
        if (STEPS_K > 1 && step == 0) copy_next_tile();
    }
