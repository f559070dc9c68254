#if F64
// 1 / (1 + e^-x). Where e^-x overflows the result is 0.
__device__ __forceinline__ double sigmoid_f64(const double x) {
    return 1.0 / (1.0 + exp(-x));
#else
// 1 / (1 + e^-x). Where e^-x overflows the result is 0. The quotient is good to 2 units in the last
// place; one that is rounded rightly takes a branch and four times as long.
__device__ __forceinline__ float sigmoid(const float x) {
    return __fdividef(1.0f, 1.0f + expf(-x));
#endif
}
