// A lane's run of 8 neighbours along k, as the pairs that are multiplied.
template <class Element>
__device__ __forceinline__ void to_factor(unsigned (&pairs)[4], const unsigned* run) {
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = run[i];  // they are stored as they are multiplied
}
