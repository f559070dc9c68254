__device__ __forceinline__ float body(
        const float acc,
        const float acc1,
        const int exponents_x,
        const int exponents_gate,
        const int exponents_up) {
    return silu(unscale(acc, exponents_x, exponents_gate)) *
        unscale(acc1, exponents_x, exponents_up);
}
