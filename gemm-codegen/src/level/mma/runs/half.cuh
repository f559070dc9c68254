// A lane's run of 4 neighbours along k, as the pairs that are multiplied: the first half of a run
// of 8, whose other half is dropped.
template <class Element>
__device__ __forceinline__ void to_factor(unsigned (&pairs)[2], const unsigned* half) {
    constexpr int WORDS = int(sizeof(Element));
    unsigned run[2 * WORDS], all[4];
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        run[i] = half[i];
        run[WORDS + i] = 0;
    }
    to_factor<Element>(all, run);
#pragma unroll
    for (int i = 0; i < 2; ++i) pairs[i] = all[i];
}
