__device__ __forceinline__ float body(
        const float acc,
        const int exponents_a,
        const int exponents_b) {
    return unscale(acc, exponents_a, exponents_b);
}
