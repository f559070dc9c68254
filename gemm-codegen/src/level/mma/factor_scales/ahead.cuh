// Scales of a warp that lie in the stages, after the factors. Those of a k-tile are copied while
// the STAGES - 1 before it are multiplied.
template <class Scales>
struct Ahead : Scales {
    unsigned stages;  // where the warpgroup's scales lie in the first one
    unsigned stage;   // of the k-tile
    int k, end;       // its first k, all k

    __device__ __forceinline__ Ahead(
        const Scales& scales, Ring ring, unsigned stage, int k, int end)
        : Scales(scales), stage(stage), k(k), end(end) {
        const int group = threadIdx.x / 128;
        stages = ring.stages + TileA::BYTES + TileB::BYTES + group * Scales::BYTES;
        for (int tile = 0; tile < STAGES - 1; ++tile) copy_ahead(tile);
        load_copied();
    }

    // Begins to copy those of the k-tile that is this many further, if there is one.
    __device__ __forceinline__ void copy_ahead(int tiles) {
        const unsigned to = (stage + tiles) % STAGES;
        const int at_k = k + tiles * BLK_K;
        if (at_k < end) this->copy(stages + to * STAGE_BYTES, at_k, end);
        cp_async_commit();
    }

    // Loads those of the k-tile, if there is one, when all lanes have copied them.
    __device__ __forceinline__ void load_copied() {
        if (k >= end) return;
        cp_async_wait<STAGES - 2>();
        __syncwarp();
        this->load(stages + stage * STAGE_BYTES);
    }

    // Goes on to the next k-tile.
    __device__ __forceinline__ void advance() {
        k += BLK_K;
        stage = (stage + 1) % STAGES;
        copy_ahead(STAGES - 2);
        load_copied();
    }
};
