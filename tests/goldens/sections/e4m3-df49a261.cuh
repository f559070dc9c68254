// 8-bit float, 4 bits of exponent and 3 of fraction, as stored: rounded to nearest even; beyond
// 448, the largest, it is that, infinities too; NaN stays NaN. (PTX ISA, cvt)
struct e4m3 { unsigned char bits; };
__device__ __forceinline__ float to_value(e4m3 value) {
    const unsigned short pair = value.bits;
    unsigned halves;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(pair));
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(static_cast<unsigned short>(halves)));
    return result;
}
__device__ __forceinline__ void from_value(e4m3& result, float value) {
    unsigned short pair;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(value));
    result.bits = static_cast<unsigned char>(pair);
}
