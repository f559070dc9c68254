// A thread's copies of the next k-tile of the factors of B from number FACTOR on.
template <int FACTOR>
struct HeldOfB {
    Held<PartOfB<FACTOR>> held;
    HeldOfB<FACTOR + 1> others;
};
template <> struct HeldOfB<PRODUCTS> {};
typedef Held<TileA> HeldA;
typedef HeldOfB<0> HeldB;

// Issues the loads of the next k-tile of each factor.
template <int FACTOR>
__device__ __forceinline__ void global_to_register(
    HeldOfB<FACTOR>& held, SourcesOfB<FACTOR>& sources) {
    if constexpr (FACTOR < PRODUCTS) {
        global_to_register(held.held, sources.source);
        global_to_register(held.others, sources.others);
    }
}

// Stores the loaded copies of each factor to its part of TileB.
template <int FACTOR>
__device__ __forceinline__ void register_to_shared(
    unsigned stage, const HeldOfB<FACTOR>& held) {
    if constexpr (FACTOR < PRODUCTS) {
        register_to_shared(stage, held.held);
        register_to_shared(stage, held.others);
    }
}
