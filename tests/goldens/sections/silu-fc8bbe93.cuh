// x * sigmoid(x).
__device__ __forceinline__ float silu(const float x) {
    return times_sigmoid(x, x);
}
