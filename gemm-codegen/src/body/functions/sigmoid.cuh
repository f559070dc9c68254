#if F64
// 1 / (1 + e^-x). Where e^-x overflows the result is 0.
__device__ __forceinline__ double sigmoid_f64(const double x) {
    return 1.0 / (1.0 + exp(-x));
#else
#if HALVES
// 1 / (1 + e^-x), good to 17 bits for results that are stored with 11 at most: 2^y and the
// reciprocal are the hardware's. Where e^-x overflows the result is 0. (PTX ISA, ex2 and rcp)
__device__ __forceinline__ float sigmoid(const float x) {
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return result;
#else
// 1 / (1 + e^-x). Where e^-x overflows the result is 0. The quotient is good to 2 units in the last
// place; one that is rounded rightly takes a branch and four times as long.
__device__ __forceinline__ float sigmoid(const float x) {
    return __fdividef(1.0f, 1.0f + expf(-x));
#endif
#endif
}
