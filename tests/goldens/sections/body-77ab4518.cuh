__device__ __forceinline__ float body(
        const float acc,
        const float alpha,
        const float beta,
        const float c) {
    return alpha * acc + beta * c;
}
