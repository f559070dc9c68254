// 1 / (1 + e^-x). Where e^-x overflows the result is 0.
__device__ __forceinline__ float sigmoid(const float x) {
    return 1.0f / (1.0f + expf(-x));
}
