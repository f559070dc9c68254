// x * 2^(e + f), rounded once unless it is subnormal.
__device__ __forceinline__ float unscale(const float x, const int e, const int f) {
    const int power = min(max(e + f, -252), 252), half = power / 2;
    return x * __int_as_float((half + 127) << 23) * __int_as_float((power - half + 127) << 23);
}
