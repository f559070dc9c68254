// Issues the copies of the next k-tile of each factor, to its part of TileB.
template <int FACTOR>
__device__ __forceinline__ void global_to_shared(unsigned stage, SourcesOfB<FACTOR>& sources) {
    if constexpr (FACTOR < PRODUCTS) {
        global_to_shared(stage, sources.source);
        global_to_shared(stage, sources.others);
    }
}
