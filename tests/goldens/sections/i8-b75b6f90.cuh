// 8-bit signed integer, as stored: rounded to nearest even, saturated, 0 for NaN.
struct i8 { signed char bits; };
__device__ __forceinline__ int to_value(i8 value) { return value.bits; }
__device__ __forceinline__ void from_value(i8& result, int value) {
    result.bits = static_cast<signed char>(min(max(value, -128), 127));
}
__device__ __forceinline__ void from_value(i8& result, float value) {
    from_value(result, __float2int_rn(value));
}
