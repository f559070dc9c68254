// The address of a place in this block's shared memory, but in the block of that rank.
// (PTX ISA, mapa)
__device__ __forceinline__ unsigned at_rank(const Sum* place, unsigned rank) {
    unsigned remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(remote)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(place))), "r"(rank));
    return remote;
}
