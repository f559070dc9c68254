// x / 2 * (1 + tanh(u)), u = sqrt(2 / pi) * (x + 0.044715 * x^3), which is x * sigmoid(2 * u).
__device__ __forceinline__ float gelu_tanh(const float x) {
    return times_sigmoid(x, x * (1.5957692f + 0.071354816f * x * x));
}

// x / 2 * (1 + tanh(u)), u = sqrt(2 / pi) * (x + 0.044715 * x^3), which is x * sigmoid(2 * u).
__device__ __forceinline__ double gelu_tanh_f64(const double x) {
    return times_sigmoid_f64(x, x * (1.5957691216057308 + 0.07135481627260025 * x * x));
}
