// bfloat16, as stored: the upper half of a binary32. (PTX ISA, cvt)
struct bf16 { unsigned short bits; };
__device__ __forceinline__ float to_value(bf16 value) {
    return __uint_as_float(static_cast<unsigned>(value.bits) << 16);
}
__device__ __forceinline__ void from_value(bf16& result, float value) {
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
}
