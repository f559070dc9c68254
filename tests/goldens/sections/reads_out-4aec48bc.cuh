// Whether the body reads out. Where it does not, nothing accesses it.
__device__ __forceinline__ bool reads_out(const float beta) {
    return beta != 0.0f;
}
