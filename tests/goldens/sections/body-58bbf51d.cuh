__device__ __forceinline__ float body(
        const float acc,
        const float bias,
        const float scale_a,
        const float scale_b,
        const float scale_out) {
    return relu(scale_a * scale_b * acc + bias) / scale_out;
}
