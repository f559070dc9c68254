    // From a stage, for lines from `mn` on and the part that begins at `k`.
    __device__ __forceinline__ void load(unsigned stage, int mn, int k) {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            const int at = Tile::STAGE_OFFSET + Tile::offset(mn + Of::line(i), k / Of::K);
            load_scale(loaded[i], stage + at);
        }
    }
