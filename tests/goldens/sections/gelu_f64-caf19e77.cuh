// x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - z / 2 * erfc(z / sqrt(2)), z = |x|, where no digits
// cancel. The difference of -0 keeps the sign of a zero.
// The argument of erfc is y + rest: without rest its relative error would be multiplied by x^2.
// From 40 on erfc is 0.
__device__ __forceinline__ double gelu_f64(const double x) {
    const double z = fmin(fabs(x), 40.0);
    const double y = 0.7071067811865476 * z;
    const double rest = fma(0.7071067811865476, z, -y) - 4.833646656726457e-17 * z;
    const double tail = 0.5 * z * fma(-2.0 * y, rest, 1.0) * erfc(y);
    return x != x ? x : fmax(x, -0.0) - tail;
}
