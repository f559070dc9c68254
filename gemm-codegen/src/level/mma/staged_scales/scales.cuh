// What a factor without scales is multiplied by.
struct Unscaled {
    __device__ __forceinline__ Sum value(int) const { return 1; }
    __device__ __forceinline__ void load(unsigned, int, int) {}
};

// The scales of the lines of a factor to which a lane's sums belong, for the part of k that is
// summed.
template <class Of, class Tile>
struct Scales {
    typename Of::Element loaded[Of::COUNT];

    // From a stage, for lines from `mn` on and the part that begins at `k`.
    __device__ __forceinline__ void load(unsigned stage, int mn, int k) {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            const int at = Tile::STAGE_OFFSET + Tile::offset(mn + Of::line(i), k / Of::K);
            load_scale(loaded[i], stage + at);
        }
    }

    __device__ __forceinline__ Sum value(int i) const { return to_value(loaded[i]); }
};
