    __device__ __forceinline__ SourcesOfB(const FactorsOfB& b, int n0, int n, int k)
        : source(b.of[FACTOR], b.ld[FACTOR], n0, n, k), others(b, n0, n, k) {}
};
template <>
struct SourcesOfB<PRODUCTS> {
    __device__ __forceinline__ SourcesOfB(const FactorsOfB&, int, int, int) {}
};
typedef Source<TileA> SourceA;
typedef SourcesOfB<0> SourceB;
