
    // Loads the next k-tile; those past the end of k are zeros.
    __device__ __forceinline__ void begin_tile() {
        global_to_register(held_a, from.a);
        global_to_register(held_b, from.b);
    }
