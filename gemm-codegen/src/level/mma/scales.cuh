// What a factor without scales is multiplied by.
struct Unscaled {
    __device__ __forceinline__ Sum value(int) const { return 1; }
    __device__ __forceinline__ void advance(int) {}
};

// The scales of the lines of a factor to which a lane's sums belong, for the part of k that is
// summed. They are loaded when it begins and needed when it ends.
template <class Of>
struct Scales {
    typedef typename Of::Element Element;

    const Element* first;
    long long ld;
    int mn0, mn, k, end;  // the warp's first line, all lines, the part's first k, all k
    Element loaded[Of::COUNT];

    __device__ __forceinline__ Scales(
        const Element* first, long long ld, int mn0, int mn, int k, int end)
        : first(first), ld(ld), mn0(mn0), mn(mn), k(k), end(end) {
        load();
    }

    __device__ __forceinline__ void load() {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            const int line = mn0 + Of::line(i);
            const long long along_mn = line / Of::LINES, along_k = k / Of::K;
            const Element* const from =
                first + (Of::K_CONTIGUOUS ? along_mn * ld + along_k : along_k * ld + along_mn);
            loaded[i] = line < mn && k < end ? *from : Element{};
        }
    }

    // Goes on to the part of k that begins `by` later.
    __device__ __forceinline__ void advance(int by) {
        k += by;
        load();
    }

    __device__ __forceinline__ Sum value(int i) const { return to_value(loaded[i]); }
};
