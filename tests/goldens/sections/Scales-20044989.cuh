    __device__ __forceinline__ Scales(
        const Element* first, long long ld, int mn0, int mn, int k, int end)
        : first(first), ld(ld), mn0(mn0), mn(mn), k(k), end(end) {
        load();
    }
