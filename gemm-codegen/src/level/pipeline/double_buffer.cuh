// Two stages in shared memory: while one is multiplied, the next k-tile is loaded to registers, and
// from there stored to the other.
struct Pipeline {
    Sources& from;
    unsigned read, write;  // the two stages
    HeldA held_a;
    HeldB held_b;

    // The first k-tile is stored.
    __device__ __forceinline__ Pipeline(Shared& shared, Sources& from)
        : from(from),
          read(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          write(read + STAGE_BYTES) {
        begin_tile();
        store(read);
    }

    // Loads the next k-tile; those past the end of k are zeros.
    __device__ __forceinline__ void begin_tile() {
        global_to_register(held_a, from.a);
        global_to_register(held_b, from.b);
    }
    __device__ __forceinline__ void end_loads(int) {}

    __device__ __forceinline__ void store(unsigned stage) {
        register_to_shared(stage, held_a);
        register_to_shared(stage + TileA::BYTES, held_b);
        __syncthreads();
    }

    // Goes on to the next k-tile, in the stage that the previous one was read from; a barrier lies
    // between.
    __device__ __forceinline__ void next_tile() {
        store(write);
        const unsigned filled = write;
        write = read;
        read = filled;
    }

    // Gives the shared memory back.
    __device__ __forceinline__ void finish() { __syncthreads(); }
};
