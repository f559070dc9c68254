// The scales of a lane's lines of a factor, for a k-tile: of each line one, or several along k.
// They are loaded a k-tile ahead.
template <class Of, class Factor>
struct FactorScales {
    typedef typename Of::Element Element;
    static constexpr int PARTS = Of::K < BLK_K ? BLK_K / Of::K : 1;  // of a k-tile

    const Element* first;
    long long ld;
    int mn0, mn, k, end;  // the warpgroup's first line, all lines, the k-tile's first k, all k
    Element loaded[PARTS][Of::COUNT];

    __device__ __forceinline__ FactorScales(
        const Element* first, long long ld, int mn0, int mn, int k, int end)
        : first(first), ld(ld), mn0(mn0), mn(mn), k(k), end(end) {
        load();
    }

    __device__ __forceinline__ void load() {
#pragma unroll
        for (int part = 0; part < PARTS; ++part) {
            const int at_k = k + part * Of::K;
#pragma unroll
            for (int i = 0; i < Of::COUNT; ++i) {
                const int line = mn0 + Of::line(i);
                const long long along_mn = line / Of::LINES, along_k = at_k / Of::K;
                const Element* const from =
                    first + (Of::K_CONTIGUOUS ? along_mn * ld + along_k : along_k * ld + along_mn);
                loaded[part][i] = line < mn && at_k < end ? *from : Element{};
            }
        }
    }

    // Goes on to the next k-tile.
    __device__ __forceinline__ void advance() {
        k += BLK_K;
        load();
    }

    // That of line i at a k-step.
    __device__ __forceinline__ Sum value(int i, int step) const {
        return to_value(loaded[step * MMA_K / Of::K % PARTS][i]);
    }

    // The same rounded to what is multiplied, for each of a pair.
    __device__ __forceinline__ unsigned pair(int i, int step) const {
        Factor rounded;
        from_value(rounded, value(i, step));
        return rounded.bits * 0x10001u;
    }
};
