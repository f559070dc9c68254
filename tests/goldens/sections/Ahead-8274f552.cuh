    __device__ __forceinline__ Ahead(
        const Scales& scales, Ring ring, unsigned stage, int k, int end)
        : Scales(scales), stage(stage), k(k), end(end) {
        const int group = threadIdx.x / 128;
        stages = ring.stages + TileA::BYTES + TileB::BYTES + group * Scales::BYTES;
        for (int tile = 0; tile < STAGES - 1; ++tile) copy_ahead(tile);
        load_copied();
    }
