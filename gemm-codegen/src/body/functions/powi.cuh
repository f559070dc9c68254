// x^n by repeated squaring, in the order of Rust's f32::powi.
__device__ __forceinline__ float powi(const float x, const int n) {
    float power = 1.0f;
    float square = x;
    for (unsigned rest = n < 0 ? 0u - n : n; rest != 0; rest >>= 1) {
        if (rest & 1) power *= square;
        square *= square;
    }
    return n < 0 ? 1.0f / power : power;
}

// x^n by repeated squaring, in the order of Rust's f64::powi.
__device__ __forceinline__ double powi_f64(const double x, const int n) {
    double power = 1.0;
    double square = x;
    for (unsigned rest = n < 0 ? 0u - n : n; rest != 0; rest >>= 1) {
        if (rest & 1) power *= square;
        square *= square;
    }
    return n < 0 ? 1.0 / power : power;
}
