// The factors of B: their first elements, and how far apart their rows are.
struct FactorsOfB { const TileB::Element* of[PRODUCTS]; long long ld[PRODUCTS]; };

// A thread's positions in the factors of B from number FACTOR on.
template <int FACTOR>
struct SourcesOfB {
    Source<PartOfB<FACTOR>> source;
    SourcesOfB<FACTOR + 1> others;
    __device__ __forceinline__ SourcesOfB(const FactorsOfB& b, int n0, int n, int k)
        : source(b.of[FACTOR], b.ld[FACTOR], n0, n, k), others(b, n0, n, k) {}
};
template <>
struct SourcesOfB<PRODUCTS> {
    __device__ __forceinline__ SourcesOfB(const FactorsOfB&, int, int, int) {}
};
typedef Source<TileA> SourceA;
typedef SourcesOfB<0> SourceB;
