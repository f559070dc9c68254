// IEEE binary16, as stored. (PTX ISA, cvt)
struct f16 { unsigned short bits; };
__device__ __forceinline__ float to_value(f16 value) {
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
    return result;
}
__device__ __forceinline__ void from_value(f16& result, float value) {
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
}
