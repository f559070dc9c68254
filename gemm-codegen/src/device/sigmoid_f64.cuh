// 1 / (1 + e^-x). Where e^-x overflows the result is 0.
__device__ __forceinline__ double sigmoid_f64(const double x) {
    return 1.0 / (1.0 + exp(-x));
}
