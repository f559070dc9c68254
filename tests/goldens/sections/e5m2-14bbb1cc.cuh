// 8-bit float, 5 bits of exponent and 2 of fraction, as stored: rounded to nearest even; beyond
// 57344, the largest, it is that, infinities too; NaN stays NaN. (PTX ISA, cvt)
struct e5m2 { unsigned char bits; };
__device__ __forceinline__ float to_value(e5m2 value) {
    const unsigned short pair = value.bits;
    unsigned halves;
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(pair));
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(static_cast<unsigned short>(halves)));
    return result;
}
__device__ __forceinline__ void from_value(e5m2& result, float value) {
    unsigned short pair;
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(value));
    result.bits = static_cast<unsigned char>(pair);
}
