// A lane's run of 8 neighbours along k, as the pairs that are multiplied: each of an element and
// the one that lies 4 beyond it, as the other factor is converted.
template <class Element>
__device__ __forceinline__ void to_factor(unsigned (&pairs)[4], const unsigned* run) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        pairs[i] = __byte_perm(run[i / 2], run[i / 2 + 2], i % 2 == 0 ? 0x5410 : 0x7632);
    }
}
