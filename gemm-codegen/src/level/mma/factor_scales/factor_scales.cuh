// Scales that a lane loads a k-tile ahead.
template <class Of>
struct FactorScales : LineScales<Of> {
    typedef LineScales<Of> Lines;
    typedef typename Lines::Element Element;

    const Element* first;
    long long ld;
    int mn0, mn, k, end;  // the warpgroup's first line, all lines, the k-tile's first k, all k

    __device__ __forceinline__ FactorScales(
        const Element* first, long long ld, int mn0, int mn, int k, int end)
        : first(first), ld(ld), mn0(mn0), mn(mn), k(k), end(end) {
        load();
    }

    __device__ __forceinline__ void load() {
#pragma unroll
        for (int part = 0; part < Lines::PARTS; ++part) {
            const int at_k = k + part * Of::K;
#pragma unroll
            for (int i = 0; i < Of::COUNT; ++i) {
                const int line = mn0 + Of::line(i);
                const long long along_mn = line / Of::LINES, along_k = at_k / Of::K;
                const Element* const from =
                    first + (Of::K_CONTIGUOUS ? along_mn * ld + along_k : along_k * ld + along_mn);
                this->loaded[part][i] = line < mn && at_k < end ? *from : Element{};
            }
        }
    }

    // Goes on to the next k-tile.
    __device__ __forceinline__ void advance() {
        k += BLK_K;
        load();
    }
};
