
    // Goes on to the next k-tile, in the stage that the previous one was read from; a barrier lies
    // between.
    __device__ __forceinline__ void next_tile() {
        store(write);
        const unsigned filled = write;
        write = read;
        read = filled;
    }
