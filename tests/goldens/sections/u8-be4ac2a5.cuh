// 8-bit unsigned integer, as stored: rounded to nearest even, saturated, 0 for NaN.
struct u8 { unsigned char bits; };
__device__ __forceinline__ int to_value(u8 value) { return value.bits; }
__device__ __forceinline__ void from_value(u8& result, int value) {
    result.bits = static_cast<unsigned char>(min(max(value, 0), 255));
}
__device__ __forceinline__ void from_value(u8& result, float value) {
    from_value(result, __float2int_rn(value));
}
